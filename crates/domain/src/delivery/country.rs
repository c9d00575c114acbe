//! Countries, by the codes of ISO 3166-1.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::delivery::address_format::AddressFormat;
use crate::delivery::country_table::{ROWS, Row};
use crate::delivery::regions::regions_of;
use crate::fold;

/// A country of ISO 3166-1. It is ordered by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country(u8);

/// Not the code of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be the code of a country in two capital letters, as US")]
pub struct UnknownCountry;

impl Country {
    /// All countries, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).take(ROWS.len()).map(Self)
    }

    /// Its code of two capital letters: ISO 3166-1 alpha-2.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// Its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How it writes its addresses.
    #[must_use]
    pub fn format(self) -> &'static AddressFormat {
        &self.row().format
    }

    /// Its regions, as code and name, where addresses have the code of one: in Australia, Canada and the United States.
    /// Empty for all others, where a region is what was typed.
    #[must_use]
    pub fn regions(self) -> &'static [(&'static str, &'static str)] {
        regions_of(self.code())
    }

    /// The code of the region with this code or name; `None` also where the regions are not known.
    #[must_use]
    pub fn region_code(self, typed: &str) -> Option<&'static str> {
        let typed = fold(typed.trim());
        self.regions().iter().find(|(code, name)| fold(code) == typed || fold(name) == typed).map(|(code, _)| *code)
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }
}

impl FromStr for Country {
    type Err = UnknownCountry;

    /// The country with this code; small letters do as well.
    fn from_str(code: &str) -> Result<Self, UnknownCountry> {
        let code = code.trim().to_ascii_uppercase();
        let at = ROWS.binary_search_by(|row| row.code.cmp(&code)).map_err(|_| UnknownCountry)?;
        u8::try_from(at).map(Self).map_err(|_| UnknownCountry)
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_is_found_by_its_code_and_no_other_code_is_one() {
        assert_eq!(Country::all().count(), 249);
        for country in Country::all() {
            assert_eq!(country.code().parse(), Ok(country));
            assert_eq!(country.to_string(), country.code());
            assert!(!country.name().is_empty() && country.format().order().count() >= 3, "{country}");
        }
        assert_eq!("de".parse::<Country>().map(Country::name), Ok("Germany"));
        for code in ["", "D", "DEU", "XK", "UK", "EU", "ZZ", "\u{212a}E", "D\0"] {
            assert_eq!(code.parse::<Country>(), Err(UnknownCountry), "{code:?}");
        }
    }

    #[test]
    fn a_region_is_found_by_its_code_and_by_its_name() {
        let usa: Country = "US".parse().unwrap();
        assert_eq!(usa.region_code(" california "), Some("CA"));
        assert_eq!(usa.region_code("ca"), Some("CA"));
        assert_eq!(usa.region_code("Bavaria"), None);
        for (country, name, code) in [("AU", "Victoria", "VIC"), ("CA", "Ontario", "ON")] {
            assert_eq!(country.parse::<Country>().unwrap().region_code(name), Some(code), "{country}");
        }
        let germany: Country = "DE".parse().unwrap();
        assert_eq!(germany.region_code("Bavaria"), None);
    }

    #[test]
    fn a_country_that_needs_a_postcode_says_how_one_is_written() {
        for country in Country::all() {
            let format = country.format();
            let needed = format.postcode == crate::Need::Required;
            assert_eq!(needed, format.example().is_some(), "{country}");
            if let Some(example) = format.example() {
                assert_eq!(format.postcode(&example), Some(example.clone()), "{country}");
            }
        }
    }
}
