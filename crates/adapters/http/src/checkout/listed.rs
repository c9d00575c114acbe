//! Checkouts in lists.

use domain::{CheckoutState, Order};
use ports::StoredCheckout;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::{CheckoutStateName, SumsView, texts};

/// A checkout in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedCheckout)]
pub(crate) struct ListedView {
    #[serde(rename = "_id")]
    id: String,
    #[schema(required)]
    number: Option<String>,
    /// RFC 3339, UTC.
    placed_at: String,
    name: String,
    email: String,
    #[schema(required)]
    po_number: Option<String>,
    /// How many lines it has.
    lines: usize,
    /// How many of them are not cancelled.
    standing: usize,
    /// How many of those have shipped.
    shipped: usize,
    #[serde(flatten)]
    sums: SumsView,
    paid: bool,
    state: CheckoutStateName,
    /// `card` or `account`.
    terms: &'static str,
}

impl ListedView {
    pub(super) fn of(stored: &StoredCheckout) -> Self {
        let StoredCheckout { checkout, orders } = stored;
        let standing: Vec<&Order> = orders.iter().filter(|order| !order.is_cancelled()).collect();
        let state = CheckoutState::of(orders);
        Self {
            id: checkout.id.to_string(),
            number: checkout.number.map(|number| number.to_string()),
            placed_at: checkout.placed_at.to_string(),
            name: checkout.contact.name.as_str().to_owned(),
            email: checkout.contact.email.to_string(),
            po_number: texts(checkout.po_number.as_ref()),
            lines: orders.len(),
            standing: standing.len(),
            shipped: standing.iter().filter(|order| order.is_shipped()).count(),
            sums: (&checkout.sums(orders)).into(),
            paid: state == CheckoutState::Paid,
            state: state.into(),
            terms: checkout.terms.as_str(),
        }
    }

    /// Goods, freight, tax and what is due, as a file has them.
    pub(super) fn plain_sums(&self) -> [String; 4] {
        self.sums.plain()
    }
}
