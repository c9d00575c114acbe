//! How lists of orders are sorted and filtered.

use domain::Day;
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

/// Which orders: standing ones, and of these the ones not shipped, paid and not shipped, shipped, not paid, or neither
/// paid nor shipped, which reserve units and expire; refunded ones, cancelled ones, or all there ever were.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderState)]
pub(crate) enum OrderStateName {
    Standing,
    Waiting,
    Ready,
    Shipped,
    Unpaid,
    Reserved,
    Refunded,
    Cancelled,
    All,
}

/// The first and the last day of a period, inclusive; `None` if one of them makes no sense.
pub(super) fn period(fields: &mut Fields, from: Option<&str>, to: Option<&str>) -> Option<(Option<Day>, Option<Day>)> {
    let from = fields.optional("from", "From", from, str::parse::<Day>)?;
    let to = fields.optional("to", "To", to, str::parse::<Day>)?;
    if from.zip(to).is_some_and(|(from, to)| to < from) {
        fields.refuse("to", "To must not be before from".to_owned());
        return None;
    }
    Some((from, to))
}

pub(super) fn state(fields: &mut Fields, sent: Option<&str>) -> Option<OrderFilter> {
    let state = fields.optional("state", "State", sent, |state| {
        variant::<OrderStateName>(state)
            .map(OrderFilter::from)
            .ok_or("must be standing, waiting, ready, shipped, unpaid, reserved, refunded, cancelled or all")
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
            OrderStateName::Ready => Self::Ready,
            OrderStateName::Shipped => Self::Shipped,
            OrderStateName::Unpaid => Self::Unpaid,
        }
    }
}
