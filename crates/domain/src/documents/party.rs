//! Who sells and who buys, as a document prints them.

use crate::{Country, Email, Text};

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
    pub country: Option<Country>,
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
    /// The postcode, where the country has them.
    pub postcode: Option<Text<20>>,
    /// The country.
    pub country: Country,
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
            postcode: self.postcode.clone(),
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
