//! How lists of orders are sorted and filtered.

use ports::{OrderFilter, OrderSort, SortOrder};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::wire::enums::variant;
use crate::wire::fields::Fields;

/// In which order orders come: newest or oldest first, smallest or largest total first.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderSort)]
pub(crate) enum OrderSortName {
    Newest,
    Oldest,
    Price,
    #[serde(rename = "-price")]
    PriceDown,
}

impl From<OrderSortName> for OrderSort {
    fn from(sort: OrderSortName) -> Self {
        match sort {
            OrderSortName::Newest => Self::Placed(SortOrder::Descending),
            OrderSortName::Oldest => Self::Placed(SortOrder::Ascending),
            OrderSortName::Price => Self::Total(SortOrder::Ascending),
            OrderSortName::PriceDown => Self::Total(SortOrder::Descending),
        }
    }
}

/// Which orders: standing ones, and of these the ones not shipped, shipped, not paid, or neither paid nor shipped,
/// which reserve units and expire; refunded ones, cancelled ones, or all there ever were.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderState)]
pub(crate) enum OrderStateName {
    Standing,
    Waiting,
    Shipped,
    Unpaid,
    Reserved,
    Refunded,
    Cancelled,
    All,
}

pub(super) fn state(fields: &mut Fields, sent: Option<&str>) -> Option<OrderFilter> {
    let state = fields.optional("state", "State", sent, |state| {
        variant::<OrderStateName>(state)
            .map(OrderFilter::from)
            .ok_or("must be standing, waiting, shipped, unpaid, reserved, refunded, cancelled or all")
    });
    state.map(Option::unwrap_or_default)
}

impl From<OrderStateName> for OrderFilter {
    fn from(state: OrderStateName) -> Self {
        match state {
            OrderStateName::Standing => Self::NotCancelled,
            OrderStateName::Reserved => Self::Reserved,
            OrderStateName::Refunded => Self::Refunded,
            OrderStateName::Cancelled => Self::Cancelled,
            OrderStateName::All => Self::All,
            OrderStateName::Waiting => Self::Waiting,
            OrderStateName::Shipped => Self::Shipped,
            OrderStateName::Unpaid => Self::Unpaid,
        }
    }
}
