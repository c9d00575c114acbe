//! The lines of a document, and what tax is on them.

use crate::documents::refusals::SumsRefused;
use crate::{Money, OrderNumber, Text};

/// Why and how a line is taxed: the categories of EN 16931 that this shop has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaxCategory {
    /// Taxed at a rate above zero.
    Standard,
    /// Taxed at a rate of zero.
    Zero,
    /// Not taxed, because the part or the customer is exempt.
    Exempt,
    /// The customer owes the tax.
    ReverseCharge,
    /// The shop charges no tax at all.
    NotSubject,
}

impl TaxCategory {
    /// Every category.
    pub const ALL: [Self; 5] = [Self::Standard, Self::Zero, Self::Exempt, Self::ReverseCharge, Self::NotSubject];

    /// The code of UNCL 5305.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Standard => "S",
            Self::Zero => "Z",
            Self::Exempt => "E",
            Self::ReverseCharge => "AE",
            Self::NotSubject => "O",
        }
    }

    /// The category of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.code() == code)
    }

    /// What a document has to say where no tax is charged.
    #[must_use]
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Standard | Self::Zero => None,
            Self::Exempt => Some("Exempt from tax"),
            Self::ReverseCharge => Some("Reverse charge"),
            Self::NotSubject => Some("Not subject to tax"),
        }
    }
}

/// A tax by its name, such as `VAT` or `Sales tax`, with its rate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrintedTax {
    /// The category.
    pub category: TaxCategory,
    /// What it is called; empty where there is none.
    pub name: String,
    /// The rate in hundredths of a percent: 1,900 is 19 %. Above zero only in [`TaxCategory::Standard`].
    pub basis_points: u32,
}

impl PrintedTax {
    /// Of a shop that charges no tax.
    #[must_use]
    pub const fn none() -> Self {
        Self { category: TaxCategory::NotSubject, name: String::new(), basis_points: 0 }
    }

    /// What a document has to say where no tax is charged: why this customer is exempt, if that is known.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        let known = self.category == TaxCategory::Exempt && !self.name.is_empty();
        if known { Some(&self.name) } else { self.category.reason() }
    }
}

/// One line: an order of a checkout, or what of one was refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLine {
    /// The order that the line is.
    pub order: OrderNumber,
    /// The part number, if the product had one.
    pub part_number: Option<Text<60>>,
    /// The product's name, or what was refunded of it.
    pub name: Text<300>,
    /// The number of units, at least 1.
    pub quantity: u32,
    /// The price of one unit, without tax.
    pub unit_price: Money,
    /// Unit price times quantity.
    pub goods: Money,
    /// This line's part of the freight, without tax.
    pub freight: Money,
    /// How goods and freight are taxed.
    pub rate: PrintedTax,
    /// The tax on both.
    pub tax: Money,
}

impl DocumentLine {
    /// Goods and freight, of which the tax is.
    ///
    /// # Errors
    /// [`SumsRefused`] if that is more than money can be.
    pub fn base(&self) -> Result<Money, SumsRefused> {
        Ok(self.goods.plus(self.freight)?)
    }

    /// Whether its figures fit each other.
    pub(crate) fn check(&self) -> Result<(), SumsRefused> {
        if self.quantity == 0 || self.unit_price.times(self.quantity)? != self.goods {
            return Err(SumsRefused::Goods);
        }
        let taxed = self.rate.category == TaxCategory::Standard;
        if taxed != (self.rate.basis_points > 0) || (!taxed && self.tax != Money::ZERO) {
            return Err(SumsRefused::Tax);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tax_category_is_found_by_its_code() {
        assert_eq!(TaxCategory::ALL.map(TaxCategory::code), ["S", "Z", "E", "AE", "O"]);
        for category in TaxCategory::ALL {
            assert_eq!(TaxCategory::of_code(category.code()), Some(category));
        }
        assert_eq!(TaxCategory::of_code("X"), None);
    }

    #[test]
    fn a_document_says_why_no_tax_is_charged() {
        for (category, basis_points, name, reason) in [
            (TaxCategory::Standard, 1_900, "VAT", None),
            (TaxCategory::Zero, 0, "VAT", None),
            (TaxCategory::Exempt, 0, "", Some("Exempt from tax")),
            (TaxCategory::Exempt, 0, "Resale", Some("Resale")),
            (TaxCategory::ReverseCharge, 0, "VAT", Some("Reverse charge")),
            (TaxCategory::NotSubject, 0, "", Some("Not subject to tax")),
        ] {
            let printed = PrintedTax { category, name: name.to_owned(), basis_points };
            assert_eq!(printed.reason(), reason, "{category:?} {name}");
        }
    }
}
