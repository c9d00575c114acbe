//! VAT numbers of the European Union, by the form that each country gives them.

use std::fmt;

use thiserror::Error;

use crate::Country;
use crate::platform::mask;

/// The member states: the country's code, the prefix of its numbers, and their masks.
const FORMS: [(&str, &str, &str); 27] = [
    ("AT", "AT", "U########"),
    ("BE", "BE", "0#########|1#########"),
    ("BG", "BG", "#########|##########"),
    ("CY", "CY", "########@"),
    ("CZ", "CZ", "########|#########|##########"),
    ("DE", "DE", "#########"),
    ("DK", "DK", "########"),
    ("EE", "EE", "#########"),
    ("ES", "ES", "@#######@|@########|########@"),
    ("FI", "FI", "########"),
    ("FR", "FR", "**#########"),
    ("GR", "EL", "#########"),
    ("HR", "HR", "###########"),
    ("HU", "HU", "########"),
    ("IE", "IE", "#######@|#######@@|#@#####@"),
    ("IT", "IT", "###########"),
    ("LT", "LT", "#########|############"),
    ("LU", "LU", "########"),
    ("LV", "LV", "###########"),
    ("MT", "MT", "########"),
    ("NL", "NL", "#########B##"),
    ("PL", "PL", "##########"),
    ("PT", "PT", "#########"),
    ("RO", "RO", "##########|#########|########|#######|######|#####|####|###|##"),
    ("SE", "SE", "############"),
    ("SI", "SI", "########"),
    ("SK", "SK", "##########"),
];

/// A VAT number in the form of its country, with its prefix. Whether anybody has it only the country's register knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VatId(String);

/// Why a number is no VAT number of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum VatIdRefused {
    /// The country has no VAT of the European Union.
    #[error("must be of a country of the European Union")]
    NoMember,
    /// It is not of the form that the country's numbers have.
    #[error("must be a VAT number of {}", .0.name())]
    Form(Country),
}

impl VatId {
    /// The number that was typed, with or without the country's prefix, spaces, dots and hyphens.
    ///
    /// # Errors
    /// [`VatIdRefused`].
    pub fn new(country: Country, typed: &str) -> Result<Self, VatIdRefused> {
        let (_, prefix, masks) =
            FORMS.into_iter().find(|(code, ..)| *code == country.code()).ok_or(VatIdRefused::NoMember)?;
        let typed = typed.trim().replace('.', "").to_ascii_uppercase();
        let number = typed.strip_prefix(prefix).unwrap_or(&typed);
        let written = mask::written_as_one_of(masks, number)
            .or_else(|| mask::written_as_one_of(masks, &typed))
            .ok_or(VatIdRefused::Form(country))?;
        Ok(Self(format!("{prefix}{written}")))
    }

    /// The number with its prefix.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for VatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_in_the_form_of_its_country() {
        for (country, typed, kept) in [
            ("DE", "DE 123 456 789", Some("DE123456789")),
            ("DE", "123456789", Some("DE123456789")),
            ("DE", "12345678", None),
            ("DE", "FR12345678901", None),
            ("GR", "EL123456789", Some("EL123456789")),
            ("AT", "atu12345678", Some("ATU12345678")),
            ("NL", "NL123456789B01", Some("NL123456789B01")),
            ("BE", "BE 0123.456.789", Some("BE0123456789")),
            ("FR", "FRXX123456789", Some("FRXX123456789")),
            ("FR", "FR123456789", Some("FRFR123456789")),
            ("ES", "ESX1234567X", Some("ESX1234567X")),
            ("ES", "ES123456789", None),
            ("RO", "RO12", Some("RO12")),
            ("RO", "RO1", None),
            ("US", "12-3456789", None),
            ("GB", "GB123456789", None),
        ] {
            let number = VatId::new(country.parse().unwrap(), typed);
            assert_eq!(number.as_ref().ok().map(VatId::as_str), kept, "{typed} of {country}");
            assert_eq!(number.ok().map(|number| number.to_string()).as_deref(), kept);
        }
    }

    #[test]
    fn every_member_state_is_a_country() {
        assert!(FORMS.iter().all(|(code, ..)| code.parse::<Country>().is_ok()));
    }
}
