//! Shipping methods: where one delivers, and what it asks for a weight.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::delivery::country::Country;
use crate::platform::id::NotAnId;
use crate::{Money, Text};

/// How many weight bands a method has at most.
pub const BANDS_MAX: usize = 50;

/// Id of a shipping method: a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShippingMethodId(pub i32);

impl FromStr for ShippingMethodId {
    type Err = NotAnId;

    /// The number as it is written; no sign, no zeros in front.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let id = text.parse().ok().filter(|id| *id > 0).map(Self).ok_or(NotAnId)?;
        if id.to_string() == text { Ok(id) } else { Err(NotAnId) }
    }
}

impl fmt::Display for ShippingMethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A weight in grams: 1 to 100,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grams(u32);

/// A volume that is billed as a kilogram, in cubic centimeters: 1 to 1,000,000. Carriers often take 5,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Divisor(u32);

/// Why the terms of a method are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MethodRefused {
    /// A number that is out of bounds.
    #[error("must be a whole number from 1 to {max}")]
    OutOfBounds {
        /// The greatest number.
        max: u32,
    },
    /// No weight band at all.
    #[error("must have at least one weight band")]
    NoBand,
    /// More than [`BANDS_MAX`].
    #[error("must have at most {BANDS_MAX} weight bands")]
    TooManyBands,
    /// A band that does not reach further than the one before.
    #[error("must each go up to more grams than the one before")]
    NotAscending,
    /// A list of countries without a country.
    #[error("must name a country, or be null for all of them")]
    NoCountry,
}

impl Grams {
    /// The greatest weight.
    pub const MAX: u32 = 100_000_000;

    /// So many grams.
    ///
    /// # Errors
    /// [`MethodRefused::OutOfBounds`].
    pub fn new(grams: i64) -> Result<Self, MethodRefused> {
        within(grams, Self::MAX).map(Self)
    }

    /// The number of grams.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Divisor {
    /// What carriers often take.
    pub const USUAL: Self = Self(5_000);
    /// The greatest divisor.
    pub const MAX: u32 = 1_000_000;

    /// So many cubic centimeters for a kilogram.
    ///
    /// # Errors
    /// [`MethodRefused::OutOfBounds`].
    pub fn new(divisor: i64) -> Result<Self, MethodRefused> {
        within(divisor, Self::MAX).map(Self)
    }

    /// Cubic centimeters for a kilogram, which is cubic millimeters for a gram.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

fn within(number: i64, max: u32) -> Result<u32, MethodRefused> {
    u32::try_from(number).ok().filter(|number| (1..=max).contains(number)).ok_or(MethodRefused::OutOfBounds { max })
}

/// What a consignment costs up to a weight, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightBand {
    /// The greatest weight that it is for.
    pub up_to: Grams,
    /// Its price.
    pub price: Money,
}

/// The bands of a method: at least one, each for more weight than the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightBands(Vec<WeightBand>);

impl WeightBands {
    /// These bands.
    ///
    /// # Errors
    /// [`MethodRefused`] if there is none, more than [`BANDS_MAX`], or one that does not reach further than the one before.
    pub fn new(bands: Vec<WeightBand>) -> Result<Self, MethodRefused> {
        if bands.is_empty() {
            return Err(MethodRefused::NoBand);
        }
        if bands.len() > BANDS_MAX {
            return Err(MethodRefused::TooManyBands);
        }
        if !bands.is_sorted_by(|one, next| one.up_to < next.up_to) {
            return Err(MethodRefused::NotAscending);
        }
        Ok(Self(bands))
    }

    /// The bands, lightest first.
    #[must_use]
    pub fn as_slice(&self) -> &[WeightBand] {
        &self.0
    }
}

/// From which weight on a consignment goes on pallets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PalletRate {
    /// The least billable weight of a pallet.
    pub from: Grams,
    /// The price of a pallet; `None` if an admin quotes each of them.
    pub per_pallet: Option<Money>,
}

/// What a method is called, where it delivers, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShippingTerms {
    /// What customers choose by.
    pub name: Text<60>,
    /// Where it delivers; `None` is everywhere.
    pub countries: Option<Vec<Country>>,
    /// What volume counts as weight.
    pub divisor: Divisor,
    /// From this sum of goods on, parcels are free; `None` is never.
    pub free_over: Option<Money>,
    /// What parcels cost.
    pub bands: WeightBands,
    /// What every begun kilogram above the last band costs.
    pub per_extra_kg: Money,
    /// When it becomes freight on pallets; `None` is never.
    pub pallet: Option<PalletRate>,
}

/// A way to have a checkout delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShippingMethod {
    /// Its id.
    pub id: ShippingMethodId,
    /// Its terms.
    pub terms: ShippingTerms,
}

impl ShippingTerms {
    /// The countries of a method, each once and in the order of their codes.
    ///
    /// # Errors
    /// [`MethodRefused::NoCountry`] for an empty list.
    pub fn countries(mut listed: Vec<Country>) -> Result<Vec<Country>, MethodRefused> {
        listed.sort_unstable();
        listed.dedup();
        if listed.is_empty() { Err(MethodRefused::NoCountry) } else { Ok(listed) }
    }

    /// Whether it delivers to this country. Without a country, only a method that delivers everywhere does.
    #[must_use]
    pub fn delivers_to(&self, country: Option<Country>) -> bool {
        self.countries.as_ref().is_none_or(|listed| country.is_some_and(|country| listed.contains(&country)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(grams: i64, cents: i64) -> WeightBand {
        WeightBand { up_to: Grams::new(grams).unwrap(), price: Money::from_cents(cents).unwrap() }
    }

    #[test]
    fn bands_ascend() {
        assert_eq!(WeightBands::new(Vec::new()), Err(MethodRefused::NoBand));
        assert_eq!(WeightBands::new(vec![band(2, 1), band(2, 3)]), Err(MethodRefused::NotAscending));
        assert_eq!(WeightBands::new(vec![band(3, 1), band(2, 3)]), Err(MethodRefused::NotAscending));
        let many = (1..=51).map(|grams| band(grams, 1)).collect();
        assert_eq!(WeightBands::new(many), Err(MethodRefused::TooManyBands));
        assert!(WeightBands::new(vec![band(1, 900), band(2, 100)]).is_ok());
    }

    #[test]
    fn numbers_have_bounds() {
        for number in [0, -1, i64::MIN, i64::MAX, 100_000_001] {
            assert!(Grams::new(number).is_err() && Divisor::new(number).is_err(), "{number}");
        }
    }

    #[test]
    fn a_method_lists_each_of_its_countries_once_by_code() {
        let [germany, france]: [Country; 2] = ["DE", "FR"].map(|code| code.parse().unwrap());
        assert_eq!(ShippingTerms::countries(vec![france, germany, france]), Ok(vec![germany, france]));
        assert_eq!(ShippingTerms::countries(Vec::new()), Err(MethodRefused::NoCountry));
    }

    #[test]
    fn an_id_is_read_as_it_is_written() {
        assert_eq!("12".parse(), Ok(ShippingMethodId(12)));
        for text in ["", "0", "-1", "+1", "01", " 1", "2147483648", "one"] {
            assert_eq!(text.parse::<ShippingMethodId>(), Err(NotAnId), "{text:?}");
        }
    }
}
