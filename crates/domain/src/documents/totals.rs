//! What the lines of a document come to.

use thiserror::Error;

use crate::documents::line::{DocumentLine, PrintedTax};
use crate::platform::money::MoneyError;
use crate::{Money, TaxCategory};

/// What is charged at one rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateTotal {
    /// The rate.
    pub rate: PrintedTax,
    /// The goods at this rate.
    pub goods: Money,
    /// The freight at this rate.
    pub freight: Money,
    /// Goods and freight.
    pub base: Money,
    /// The sum of the lines' taxes: each line is rounded, so that screen, card and paper agree to the cent.
    pub tax: Money,
}

/// What all lines come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// All goods, without tax.
    pub goods: Money,
    /// All freight, without tax.
    pub freight: Money,
    /// All tax.
    pub tax: Money,
    /// Goods, freight and tax.
    pub total: Money,
    /// By rate, the highest first.
    pub taxes: Vec<RateTotal>,
}

/// Why lines are no document's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SumsRefused {
    /// There is no line.
    #[error("has no lines")]
    Empty,
    /// A line's goods are not unit price times quantity.
    #[error("has a line whose goods are not its price times its quantity")]
    Goods,
    /// A line has tax without a rate, or a rate that its category has not.
    #[error("has a line whose tax does not fit its rate")]
    Tax,
    /// Untaxed lines of a shop without taxes stand beside taxed ones.
    #[error("has taxed lines beside lines that no tax is for")]
    Mixed,
    /// The stored sums are not those of the lines.
    #[error("comes to another sum than its lines")]
    Sums,
    /// More than money can be.
    #[error(transparent)]
    TooLarge(#[from] MoneyError),
}

impl Totals {
    /// Adds the lines up.
    ///
    /// # Errors
    /// [`SumsRefused`] if there is none, if one does not fit itself, or if they come to more than money can be.
    pub fn of(lines: &[DocumentLine]) -> Result<Self, SumsRefused> {
        if lines.is_empty() {
            return Err(SumsRefused::Empty);
        }
        let mut totals =
            Self { goods: Money::ZERO, freight: Money::ZERO, tax: Money::ZERO, total: Money::ZERO, taxes: Vec::new() };
        for line in lines {
            line.check()?;
            totals.goods = totals.goods.plus(line.goods)?;
            totals.freight = totals.freight.plus(line.freight)?;
            totals.tax = totals.tax.plus(line.tax)?;
            let of_rate = match totals.taxes.iter().position(|of| of.rate == line.rate) {
                Some(at) => &mut totals.taxes[at],
                None => totals.taxes.push_mut(RateTotal {
                    rate: line.rate.clone(),
                    goods: Money::ZERO,
                    freight: Money::ZERO,
                    base: Money::ZERO,
                    tax: Money::ZERO,
                }),
            };
            of_rate.goods = of_rate.goods.plus(line.goods)?;
            of_rate.freight = of_rate.freight.plus(line.freight)?;
            of_rate.base = of_rate.base.plus(line.base()?)?;
            of_rate.tax = of_rate.tax.plus(line.tax)?;
        }
        let untaxed = totals.taxes.iter().any(|of| of.rate.category == TaxCategory::NotSubject);
        if untaxed && totals.taxes.len() > 1 {
            return Err(SumsRefused::Mixed);
        }
        totals.taxes.sort_by(|a, b| (b.rate.basis_points, &a.rate).cmp(&(a.rate.basis_points, &b.rate)));
        totals.total = totals.goods.plus(totals.freight)?.plus(totals.tax)?;
        Ok(totals)
    }
}
