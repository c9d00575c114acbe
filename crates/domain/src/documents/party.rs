//! Who sells and who buys, as a document prints them.

use std::fmt;

use thiserror::Error;

use crate::{Email, Text};

/// A country's code: two capital letters, as in ISO 3166-1 alpha-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CountryCode([u8; 2]);

/// Not two capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a country's code of two letters, such as US")]
pub struct NotACountryCode;

impl CountryCode {
    /// Reads a code. Whether a country has it is for who writes it to check.
    ///
    /// # Errors
    /// [`NotACountryCode`] for anything but two capital letters.
    pub fn new(code: &str) -> Result<Self, NotACountryCode> {
        match code.as_bytes() {
            [a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => Ok(Self([*a, *b])),
            _ => Err(NotACountryCode),
        }
    }

    /// The two letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An address as a document prints it. An order of the shop's first form has free lines and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedAddress {
    /// The company there, if the address names one.
    pub company: Option<Text<120>>,
    /// Street, number, building: one or more lines, of an order's own address as it was entered.
    pub lines: Vec<Text<500>>,
    /// The city.
    pub city: Option<Text<120>>,
    /// The state, province or region.
    pub region: Option<Text<120>>,
    /// The postcode.
    pub postcode: Option<Text<20>>,
    /// The country, if it is known.
    pub country: Option<CountryCode>,
}

/// The shop as the seller: settings, printed on every document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seller {
    /// The company's name.
    pub name: Text<120>,
    /// Street and number.
    pub line1: Text<120>,
    /// A second line of the address.
    pub line2: Option<Text<120>>,
    /// The city.
    pub city: Text<120>,
    /// The state, province or region.
    pub region: Option<Text<120>>,
    /// The postcode.
    pub postcode: Text<20>,
    /// The country.
    pub country: CountryCode,
    /// Its number with the tax office: a VAT number with its country's prefix, or another.
    pub tax_id: Option<Text<40>>,
    /// Whom to ask about a document.
    pub email: Email,
    /// The telephone number.
    pub phone: Option<Text<40>>,
    /// What a document on account says about when to pay.
    pub terms: Option<Text<500>>,
}

impl Seller {
    /// Its address.
    #[must_use]
    pub fn address(&self) -> PrintedAddress {
        let lines = [Some(&self.line1), self.line2.as_ref()];
        PrintedAddress {
            company: None,
            lines: lines.into_iter().flatten().map(|line| Text::known_good(line.as_str())).collect(),
            city: Some(self.city.clone()),
            region: self.region.clone(),
            postcode: Some(self.postcode.clone()),
            country: Some(self.country),
        }
    }
}

/// Who bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    /// The name, as entered at checkout.
    pub name: Text<120>,
    /// The e-mail address.
    pub email: Email,
    /// The telephone number.
    pub phone: Text<40>,
    /// The VAT number, where one was checked.
    pub vat_id: Option<Text<40>>,
    /// The address.
    pub address: PrintedAddress,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_countrys_code_is_two_capital_letters() {
        assert_eq!(CountryCode::new("US").unwrap().as_str(), "US");
        for wrong in ["", "U", "us", "USA", "U1", "ÄÖ", "U\0"] {
            assert_eq!(CountryCode::new(wrong), Err(NotACountryCode), "{wrong:?}");
        }
    }
}
