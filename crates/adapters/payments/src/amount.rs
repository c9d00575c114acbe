//! The amounts that a card can be charged with.

use domain::Money;
use domain::payments::payment::is_chargeable;
use ports::ProviderError;
use thiserror::Error;

/// An amount that Stripe does not charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a card can be charged with $0.50 to $999,999.99, not with {0}")]
pub struct AmountOutOfBounds(pub Money);

/// Refuses what Stripe would refuse, before a payment is opened.
pub(crate) fn check(amount: Money) -> Result<Money, ProviderError> {
    if is_chargeable(amount) {
        Ok(amount)
    } else {
        Err(ProviderError::InvalidResponse(Box::new(AmountOutOfBounds(amount))))
    }
}
