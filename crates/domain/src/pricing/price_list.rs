//! Price lists: what some customers pay.

use thiserror::Error;

use crate::{Ladder, Text, Timestamp, UnitPrice};

/// What is taken off a price, in hundredths of a per cent: 0.01 % to 99.99 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

/// Not a percentage that can be taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 0.01 to 99.99")]
pub struct NoPercent;

impl Percent {
    const WHOLE: u32 = 10_000;

    /// A percentage from hundredths of a per cent.
    ///
    /// # Errors
    /// [`NoPercent`] outside 1 to 9,999.
    pub const fn new(basis_points: u32) -> Result<Self, NoPercent> {
        if basis_points == 0 || basis_points >= Self::WHOLE { Err(NoPercent) } else { Ok(Self(basis_points)) }
    }

    /// A percentage from a number with at most two decimals, as sent over the wire.
    ///
    /// # Errors
    /// [`NoPercent`] outside 0.01 to 99.99, or for a number with more decimals.
    pub fn from_number(percent: f64) -> Result<Self, NoPercent> {
        // As exact as an amount of dollars has to be.
        crate::Money::from_dollars(percent)
            .ok()
            .and_then(|hundredths| u32::try_from(hundredths.cents()).ok())
            .map_or(Err(NoPercent), Self::new)
    }

    /// In hundredths of a per cent.
    #[must_use]
    pub const fn basis_points(self) -> u32 {
        self.0
    }

    /// A price less this, rounded half up to a cent; at least one cent.
    #[must_use]
    pub fn off(self, unit: UnitPrice) -> UnitPrice {
        let whole = i64::from(Self::WHOLE);
        let cents = (unit.money().cents() * (whole - i64::from(self.0)) + whole / 2) / whole;
        UnitPrice::from_cents(cents.max(1)).unwrap_or(unit)
    }
}

/// What a price list says of one product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListTerms {
    /// A part of the price for everybody at the same quantity is taken off.
    Off(Percent),
    /// Prices by quantity.
    Prices(Ladder),
}

/// What an admin says of a price list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceListDetails {
    /// Unique among all lists, ignoring case.
    pub name: Text<80>,
    /// What is taken off the price for everybody; without it the list has prices of its own.
    pub percent: Option<Percent>,
    /// Which of several lists with the same price is named: the highest. 0 to 1,000.
    pub priority: u16,
    /// From when on it applies.
    pub valid_from: Option<Timestamp>,
    /// From when on it no longer applies.
    pub valid_until: Option<Timestamp>,
}

impl PriceListDetails {
    /// Whether it applies at a moment.
    #[must_use]
    pub fn applies_at(&self, at: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= at) && self.valid_until.is_none_or(|until| at < until)
    }
}

/// Why a price list was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PriceListRefused {
    /// Another list has this name.
    #[error("another price list has this name")]
    NameTaken,
    /// There is no such list.
    #[error("no such price list")]
    Unknown,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_percentage_has_at_most_two_decimals() {
        assert_eq!(Percent::from_number(12.5).map(Percent::basis_points), Ok(1250));
        for wrong in [0.0, -1.0, 100.0, 1.234, f64::NAN, f64::INFINITY] {
            assert_eq!(Percent::from_number(wrong), Err(NoPercent), "{wrong}");
        }
    }

    #[test]
    fn what_is_left_is_rounded_half_up_per_unit() {
        let cents = |cents: i64| UnitPrice::from_cents(cents).unwrap();
        for (price, basis_points, expected) in
            [(999, 1000, 899), (1, 9999, 1), (5, 1000, 5), (15, 1000, 14), (1000, 1, 1000)]
        {
            assert_eq!(
                Percent::new(basis_points).unwrap().off(cents(price)),
                cents(expected),
                "{price} {basis_points}"
            );
        }
    }

    proptest! {
        #[test]
        fn nothing_costs_more_with_a_percentage_off(price in 1..=UnitPrice::MAX_CENTS, basis_points in 1_u32..10_000) {
            let price = UnitPrice::from_cents(price).unwrap();
            prop_assert!(Percent::new(basis_points).unwrap().off(price) <= price);
        }
    }

    #[test]
    fn a_price_list_applies_from_its_first_moment_to_before_its_last() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let list = |valid_from: Option<i64>, valid_until: Option<i64>| PriceListDetails {
            name: Text::new("Workshops").unwrap(),
            percent: None,
            priority: 0,
            valid_from: valid_from.map(at),
            valid_until: valid_until.map(at),
        };
        for (from, until, now, applies) in [
            (None, None, 5, true),
            (Some(5), None, 4, false),
            (Some(5), None, 5, true),
            (None, Some(9), 8, true),
            (None, Some(9), 9, false),
            (None, Some(9), 10, false),
            (Some(5), Some(9), 4, false),
            (Some(5), Some(9), 9, false),
            (Some(5), Some(9), 7, true),
        ] {
            assert_eq!(list(from, until).applies_at(at(now)), applies, "{from:?} {until:?} {now}");
        }
    }
}
