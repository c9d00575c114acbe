//! How lists of orders are sorted and filtered.

use ports::{OrderFilter, OrderSort};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::wire::fields::Fields;
use crate::wire::words::word;

/// In which order orders come: newest or oldest first, smallest or largest total first.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderSort)]
pub(crate) enum SortWord {
    Newest,
    Oldest,
    Price,
    #[serde(rename = "-price")]
    PriceDown,
}

impl From<SortWord> for OrderSort {
    fn from(sort: SortWord) -> Self {
        match sort {
            SortWord::Newest => Self::Newest,
            SortWord::Oldest => Self::Oldest,
            SortWord::Price => Self::PriceUp,
            SortWord::PriceDown => Self::PriceDown,
        }
    }
}

/// Which orders: standing ones, and of these the ones not shipped, shipped, not paid, or neither paid nor shipped,
/// which reserve units and expire; refunded ones, cancelled ones, or all there ever were.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OrderState)]
pub(crate) enum StateWord {
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
        word::<StateWord>(state)
            .map(OrderFilter::from)
            .ok_or("must be standing, waiting, shipped, unpaid, reserved, refunded, cancelled or all")
    });
    state.map(Option::unwrap_or_default)
}

impl From<StateWord> for OrderFilter {
    fn from(state: StateWord) -> Self {
        match state {
            StateWord::Standing => Self::Standing,
            StateWord::Reserved => Self::Reserved,
            StateWord::Refunded => Self::Refunded,
            StateWord::Cancelled => Self::Cancelled,
            StateWord::All => Self::All,
            StateWord::Waiting => Self::Waiting,
            StateWord::Shipped => Self::Shipped,
            StateWord::Unpaid => Self::Unpaid,
        }
    }
}
