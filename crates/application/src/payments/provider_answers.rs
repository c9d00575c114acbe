//! What the provider's answers say about the shop's own payments.

use domain::Order;
use ports::{PaymentIntent, ProviderError};
use thiserror::Error;

/// The only currency that the shop accepts (ISO 4217, in lower case as providers write it).
const CURRENCY: &str = "usd";

/// The provider does not know a payment that it opened: the API key may be wrong, or the provider's data may lag
/// behind. It says nothing about the payment's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the provider does not know this payment")]
pub(crate) struct UnknownPayment;

pub(crate) fn unknown() -> ProviderError {
    ProviderError::Unavailable(Box::new(UnknownPayment))
}

/// Whether a succeeded payment belongs to this order, and has its total in the shop's currency.
pub(crate) fn belongs(intent: &PaymentIntent, order: &Order) -> bool {
    let total = order.item.total;
    intent.order == Some(order.id) && intent.amount == total && intent.received == total && intent.currency == CURRENCY
}
