//! The amounts that a card can be charged with.

use domain::Money;
use ports::ProviderError;
use thiserror::Error;

/// An amount that Stripe does not charge (<https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a card can be charged with $0.50 to $999,999.99, not with {0}")]
pub struct AmountOutOfBounds(pub Money);

/// In cents: half a dollar.
const LEAST: i64 = 50;
/// In cents: eight digits.
const MOST: i64 = 99_999_999;

/// Refuses what Stripe would refuse, before a payment is opened.
pub(crate) fn check(amount: Money) -> Result<Money, ProviderError> {
    if (LEAST..=MOST).contains(&amount.cents()) {
        Ok(amount)
    } else {
        Err(ProviderError::InvalidResponse(Box::new(AmountOutOfBounds(amount))))
    }
}
