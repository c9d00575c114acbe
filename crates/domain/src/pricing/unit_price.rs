//! The price of one unit.

use thiserror::Error;

use crate::Money;
use crate::platform::money::MoneyError;

/// The price of one unit: at least one cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitPrice(Money);

/// Why an amount cannot be a unit price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnitPriceError {
    /// Less than one cent.
    #[error("must be at least 0.01")]
    BelowOneCent,
    /// More than [`UnitPrice::MAX_CENTS`].
    #[error("is too large")]
    TooLarge,
    /// Not an amount of money.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl UnitPrice {
    /// The highest unit price: $9,999,999.99.
    pub const MAX_CENTS: i64 = 999_999_999;

    /// A unit price from an amount.
    ///
    /// # Errors
    /// [`UnitPriceError`] outside one cent to [`UnitPrice::MAX_CENTS`].
    pub const fn new(amount: Money) -> Result<Self, UnitPriceError> {
        match amount.cents() {
            i64::MIN..1 => Err(UnitPriceError::BelowOneCent),
            1..=Self::MAX_CENTS => Ok(Self(amount)),
            _ => Err(UnitPriceError::TooLarge),
        }
    }

    /// A unit price from a number of dollars.
    ///
    /// # Errors
    /// [`UnitPriceError`] as in [`UnitPrice::new`], and for a value that is not an amount of money.
    pub fn from_dollars(dollars: f64) -> Result<Self, UnitPriceError> {
        match Money::from_dollars(dollars) {
            Ok(amount) => Self::new(amount),
            Err(MoneyError::Negative) => Err(UnitPriceError::BelowOneCent),
            Err(error) => Err(error.into()),
        }
    }

    /// A unit price from a number of cents.
    ///
    /// # Errors
    /// [`UnitPriceError`] as in [`UnitPrice::new`].
    pub const fn from_cents(cents: i64) -> Result<Self, UnitPriceError> {
        match Money::from_cents(cents) {
            Ok(amount) => Self::new(amount),
            Err(_) if cents < 0 => Err(UnitPriceError::BelowOneCent),
            Err(error) => Err(UnitPriceError::Money(error)),
        }
    }

    /// The amount.
    #[must_use]
    pub const fn money(self) -> Money {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_price_is_at_least_one_cent() {
        assert_eq!(UnitPrice::from_dollars(0.0), Err(UnitPriceError::BelowOneCent));
        assert_eq!(UnitPrice::from_dollars(-3.0), Err(UnitPriceError::BelowOneCent));
        assert_eq!(UnitPrice::from_dollars(0.01).map(|p| p.money().cents()), Ok(1));
        assert_eq!(UnitPrice::from_dollars(10_000_000.0), Err(UnitPriceError::TooLarge));
    }

    #[test]
    fn cents_are_a_unit_price_from_one_on() {
        for (cents, expected) in [
            (-1, Err(UnitPriceError::BelowOneCent)),
            (0, Err(UnitPriceError::BelowOneCent)),
            (1, Ok(1)),
            (UnitPrice::MAX_CENTS, Ok(UnitPrice::MAX_CENTS)),
            (UnitPrice::MAX_CENTS + 1, Err(UnitPriceError::TooLarge)),
            (Money::MAX.cents() + 1, Err(UnitPriceError::Money(MoneyError::TooLarge))),
        ] {
            assert_eq!(UnitPrice::from_cents(cents).map(|price| price.money().cents()), expected, "{cents}");
        }
    }
}
