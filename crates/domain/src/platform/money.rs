//! Money: whole cents of US dollars, bounded, with checked arithmetic.

use std::fmt;

use thiserror::Error;

/// An amount of US dollars in whole cents, from 0 to [`Money::MAX`].
///
/// The bound is far above any order and far below 2^53, so every amount is also exact as a JSON number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

/// Why a value is not an amount of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MoneyError {
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// Above [`Money::MAX`]; also a sum or product that would be.
    #[error("is too large")]
    TooLarge,
    /// Not a number, or more precise than a cent.
    #[error("must be a number of dollars with at most two decimals")]
    NotCents,
}

impl Money {
    /// $0.00.
    pub const ZERO: Self = Self(0);
    /// The largest amount: $999,999,999,999.99.
    pub const MAX: Self = Self(99_999_999_999_999);

    /// An amount from a number of cents.
    ///
    /// # Errors
    /// [`MoneyError`] outside 0 to [`Money::MAX`].
    pub const fn from_cents(cents: i64) -> Result<Self, MoneyError> {
        if cents < 0 {
            Err(MoneyError::Negative)
        } else if cents > Self::MAX.0 {
            Err(MoneyError::TooLarge)
        } else {
            Ok(Self(cents))
        }
    }

    /// An amount from a number of dollars with at most two decimals, as sent over the wire.
    ///
    /// # Errors
    /// [`MoneyError`] if it is negative, too large or more precise than a cent.
    pub fn from_dollars(dollars: f64) -> Result<Self, MoneyError> {
        // A twentieth of a cent: wide enough for the binary rounding of 129.99, too narrow for 129.995.
        const SLACK: f64 = 0.05;
        let rounded = Self::nearest_cent(dollars)?;
        if (dollars * 100.0 - rounded.as_f64_cents()).abs() > SLACK {
            return Err(MoneyError::NotCents);
        }
        Ok(rounded)
    }

    /// The amount nearest to a number of dollars. Meant for a figure that was computed in floating point and is only
    /// compared with ours, such as the total that a browser sends.
    ///
    /// # Errors
    /// [`MoneyError`] outside the bounds, or for NaN.
    pub fn nearest_cent(dollars: f64) -> Result<Self, MoneyError> {
        let cents = (dollars * 100.0).round();
        if cents.is_nan() {
            Err(MoneyError::NotCents)
        } else if cents < 0.0 {
            Err(MoneyError::Negative)
        } else if cents > Self::MAX.as_f64_cents() {
            Err(MoneyError::TooLarge)
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53, by the bound above")]
            Self::from_cents(cents as i64)
        }
    }

    /// Whether a number of dollars that a browser showed is another amount; nothing shown is no other.
    #[must_use]
    pub fn differs_from(self, shown: Option<f64>) -> bool {
        shown.is_some_and(|shown| Self::nearest_cent(shown) != Ok(self))
    }

    /// The amount in whole cents.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The amount in dollars; exact to the cent when written with two decimals.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.as_f64_cents() / 100.0
    }

    /// A unit price times a number of units.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub fn times(self, units: u32) -> Result<Self, MoneyError> {
        let cents = self.0.checked_mul(i64::from(units)).ok_or(MoneyError::TooLarge)?;
        Self::from_cents(cents)
    }

    /// The sum of two amounts.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Self::from_cents(self.0.checked_add(other.0).ok_or(MoneyError::TooLarge)?)
    }

    #[expect(clippy::cast_precision_loss, reason = "MAX is below 2^53, where every whole number is exact")]
    const fn as_f64_cents(self) -> f64 {
        self.0 as f64
    }
}

impl fmt::Display for Money {
    /// Dollars and cents, as in `$6,450.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.0 / 100).to_string();
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        write!(f, "${grouped}.{:02}", self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn money_is_formatted_with_separators_and_two_decimals() {
        assert_eq!(Money(645_000).to_string(), "$6,450.00");
        assert_eq!(Money(5).to_string(), "$0.05");
        assert_eq!(Money(123_456_789).to_string(), "$1,234,567.89");
        assert_eq!(Money(99_999).to_string(), "$999.99");
    }

    #[test]
    fn dollars_with_fractions_of_a_cent_are_refused() {
        assert_eq!(Money::from_dollars(129.995), Err(MoneyError::NotCents));
        assert_eq!(Money::from_dollars(0.001), Err(MoneyError::NotCents));
        assert_eq!(Money::from_dollars(f64::NAN), Err(MoneyError::NotCents));
    }

    #[test]
    fn negative_and_infinite_dollars_are_refused() {
        assert_eq!(Money::from_dollars(-0.01), Err(MoneyError::Negative));
        assert_eq!(Money::from_dollars(f64::INFINITY), Err(MoneyError::TooLarge));
        assert_eq!(Money::from_dollars(1e300), Err(MoneyError::TooLarge));
        assert_eq!(Money::from_dollars(f64::NEG_INFINITY), Err(MoneyError::Negative));
    }

    #[test]
    fn a_browsers_floating_point_total_is_read_as_the_nearest_cent() {
        assert_eq!(Money::nearest_cent(19.99 * 55.0), Ok(Money(109_945)));
    }

    fn any_money() -> impl Strategy<Value = Money> {
        (0..=Money::MAX.0).prop_map(Money)
    }

    proptest! {
        #[test]
        fn money_round_trips_through_dollars(money in any_money()) {
            prop_assert_eq!(Money::from_dollars(money.dollars()), Ok(money));
        }

        #[test]
        fn a_product_is_exact_or_refused(money in any_money(), units in 1..=1_000_000_u32) {
            let exact = i128::from(money.0) * i128::from(units);
            match money.times(units) {
                Ok(product) => prop_assert_eq!(i128::from(product.0), exact),
                Err(error) => {
                    prop_assert_eq!(error, MoneyError::TooLarge);
                    prop_assert!(exact > i128::from(Money::MAX.0));
                }
            }
        }

        #[test]
        fn a_sum_is_exact_or_refused(a in any_money(), b in any_money()) {
            match a.plus(b) {
                Ok(sum) => prop_assert_eq!(sum.0, a.0 + b.0),
                Err(_) => prop_assert!(a.0 + b.0 > Money::MAX.0),
            }
        }

        #[test]
        fn no_number_of_dollars_makes_money_outside_the_bounds(dollars in proptest::num::f64::ANY) {
            if let Ok(money) = Money::from_dollars(dollars) {
                prop_assert!(money >= Money::ZERO && money <= Money::MAX);
            }
        }
    }

    #[test]
    fn the_bounds_of_money_are_money_and_nothing_beyond_them_is() {
        for (cents, expected) in [
            (-1, Err(MoneyError::Negative)),
            (0, Ok(Money::ZERO)),
            (Money::MAX.0, Ok(Money::MAX)),
            (Money::MAX.0 + 1, Err(MoneyError::TooLarge)),
        ] {
            assert_eq!(Money::from_cents(cents), expected, "{cents}");
        }
        assert_eq!(Money::nearest_cent(0.0), Ok(Money::ZERO));
        assert_eq!(Money::nearest_cent(Money::MAX.dollars()), Ok(Money::MAX));
        assert_eq!(Money::nearest_cent(Money::MAX.dollars() + 0.02), Err(MoneyError::TooLarge));
        assert_eq!(Money::MAX.plus(Money(1)), Err(MoneyError::TooLarge));
        assert_eq!(Money(2).times(3), Ok(Money(6)));
    }

    #[test]
    fn a_twentieth_of_a_cent_is_still_the_rounding_of_a_float() {
        assert_eq!(Money::from_dollars(0.0005), Ok(Money::ZERO));
        assert_eq!(Money::from_dollars(0.00051), Err(MoneyError::NotCents));
    }

    #[test]
    fn an_amount_differs_from_another_one_and_not_from_none() {
        assert!(Money(1_250).differs_from(Some(12.51)));
        assert!(!Money(1_250).differs_from(Some(12.5)));
        assert!(!Money(1_250).differs_from(None));
        assert!(Money(1_250).differs_from(Some(f64::NAN)));
    }
}
