//! What the provider's answers say about the shop's own payments.

use ports::{PaymentAttempt, PaymentIntent, ProviderError};
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

/// Whether a succeeded payment is the one that was opened, and brought what was due in the shop's currency.
pub(crate) fn belongs(intent: &PaymentIntent, opened: &PaymentAttempt) -> bool {
    let due = opened.amount;
    intent.payable == Some(opened.payable)
        && intent.amount == due
        && intent.received == due
        && intent.currency == CURRENCY
}
