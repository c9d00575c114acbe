//! Tax rates of countries and regions, each for a time.

use std::fmt;

use thiserror::Error;

use crate::{Country, Day, TaxRateId, Text, fold};

/// A rate in hundredths of a percent: 0 to 10,000, which is the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BasisPoints(u16);

/// Not a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a whole number from 0 to 10000")]
pub struct NoRate;

impl BasisPoints {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// So many hundredths of a percent.
    ///
    /// # Errors
    /// [`NoRate`] outside 0 to 10,000.
    pub fn new(points: i64) -> Result<Self, NoRate> {
        u16::try_from(points).ok().filter(|points| *points <= 10_000).map(Self).ok_or(NoRate)
    }

    /// The number of hundredths of a percent.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for BasisPoints {
    /// A percentage without needless zeros, as in `8.25%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:02}", self.0 / 100, self.0 % 100);
        write!(f, "{}%", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The days of which something is valid: from the first to the last, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Validity {
    from: Day,
    until: Option<Day>,
}

/// The last day is before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must not be before the first day")]
pub struct EndsBeforeItBegins;

impl Validity {
    /// From one day to another, both inclusive; without a last day for good.
    ///
    /// # Errors
    /// [`EndsBeforeItBegins`].
    pub fn new(from: Day, until: Option<Day>) -> Result<Self, EndsBeforeItBegins> {
        if until.is_some_and(|until| until < from) { Err(EndsBeforeItBegins) } else { Ok(Self { from, until }) }
    }

    /// The first day.
    #[must_use]
    pub const fn from(self) -> Day {
        self.from
    }

    /// The last day, if there is one.
    #[must_use]
    pub const fn until(self) -> Option<Day> {
        self.until
    }

    /// Whether it includes the day.
    #[must_use]
    pub fn includes(self, day: Day) -> bool {
        self.from <= day && self.until.is_none_or(|until| day <= until)
    }

    /// Whether both include one and the same day.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        let begins_in_time = |one: Self, other: Self| other.until.is_none_or(|until| one.from <= until);
        begins_in_time(self, other) && begins_in_time(other, self)
    }
}

/// The tax of a country, or of one of its regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxRate {
    /// Its id.
    pub id: TaxRateId,
    /// Where it applies.
    pub country: Country,
    /// The region that it applies in, by the code that addresses have if the country has codes; `None` is the whole country.
    /// A region's rate replaces the country's.
    pub region: Option<Text<60>>,
    /// What it is called on documents: "VAT".
    pub name: Text<60>,
    /// The rate.
    pub basis_points: BasisPoints,
    /// When it applies.
    pub valid: Validity,
}

/// Two regions of a country are one if they differ in nothing but capital letters.
pub(super) fn same_region(one: Option<&str>, other: Option<&str>) -> bool {
    one.map(fold) == other.map(fold)
}

impl TaxRate {
    /// Whether both are rates of one place at the same time, so that nobody could say which one applies.
    #[must_use]
    pub fn conflicts_with(&self, other: &Self) -> bool {
        let region = |rate: &Self| rate.region.as_ref().map(|region| fold(region.as_str()));
        self.id != other.id
            && self.country == other.country
            && region(self) == region(other)
            && self.valid.overlaps(other.valid)
    }
}

/// The first of the rates that is one of the same place at the same time as this one.
#[must_use]
pub fn find_overlap<'a>(rates: &'a [TaxRate], rate: &TaxRate) -> Option<&'a TaxRate> {
    rates.iter().find(|other| other.conflicts_with(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(from: &str, until: Option<&str>) -> Validity {
        Validity::new(from.parse().unwrap(), until.map(|until| until.parse().unwrap())).unwrap()
    }

    #[test]
    fn a_time_includes_its_first_and_its_last_day() {
        let year = days("2026-01-01", Some("2026-12-31"));
        for (day, included) in
            [("2025-12-31", false), ("2026-01-01", true), ("2026-12-31", true), ("2027-01-01", false)]
        {
            assert_eq!(year.includes(day.parse().unwrap()), included, "{day}");
        }
        let (first, last): (Day, Day) = ("2026-01-01".parse().unwrap(), "2026-12-31".parse().unwrap());
        assert_eq!((year.from(), year.until()), (first, Some(last)));
        let (from, until) = ("2026-01-02".parse().unwrap(), "2026-01-01".parse().unwrap());
        assert_eq!(Validity::new(from, Some(until)), Err(EndsBeforeItBegins));
    }

    #[test]
    fn times_overlap_if_they_share_a_day() {
        let year = days("2026-01-01", Some("2026-12-31"));
        for (other, overlaps) in [
            (days("2025-01-01", Some("2025-12-31")), false),
            (days("2025-01-01", Some("2026-01-01")), true),
            (days("2026-12-31", None), true),
            (days("2027-01-01", None), false),
            (days("2020-01-01", None), true),
            (year, true),
        ] {
            assert_eq!((year.overlaps(other), other.overlaps(year)), (overlaps, overlaps), "{other:?}");
        }
    }

    #[test]
    fn two_rates_of_one_place_share_no_day() {
        let rate = |id: u128, country: &str, region: Option<&str>, valid| TaxRate {
            id: TaxRateId::new(uuid::Uuid::from_u128(id)),
            country: country.parse().unwrap(),
            region: region.map(|region| Text::new(region).unwrap()),
            name: Text::new("Sales tax").unwrap(),
            basis_points: BasisPoints::new(600).unwrap(),
            valid,
        };
        let year = days("2026-01-01", Some("2026-12-31"));
        let michigan = rate(1, "US", Some("MI"), year);
        let later = days("2027-01-01", None);
        for (other, conflicts) in [
            (rate(2, "US", Some("mi"), year), true),
            (rate(1, "US", Some("MI"), year), false),
            (rate(2, "DE", Some("MI"), year), false),
            (rate(2, "US", Some("OH"), year), false),
            (rate(2, "US", None, year), false),
            (rate(2, "US", Some("MI"), later), false),
        ] {
            assert_eq!(michigan.conflicts_with(&other), conflicts, "{other:?}");
            assert_eq!(find_overlap(&[other], &michigan).is_some(), conflicts);
        }
    }

    #[test]
    fn a_rate_is_shown_as_a_percentage() {
        for (points, shown) in [(0, "0%"), (1900, "19%"), (825, "8.25%"), (2550, "25.5%"), (10_000, "100%")] {
            assert_eq!(BasisPoints::new(points).unwrap().to_string(), shown);
        }
        assert!(BasisPoints::new(-1).is_err() && BasisPoints::new(10_001).is_err());
    }
}
