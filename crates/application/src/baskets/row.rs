//! Lines as they are checked, and as they come out.

use std::sync::Arc;

use domain::{AskedUnits, Money, Product, ProductId, RowNote, RowStatus, UnitPrice};

/// A line before it is judged.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its number.
    pub(super) no: u32,
    pub(super) text: String,
    pub(super) asked: AskedUnits,
    pub(super) meaning: Meaning,
}

/// What a line means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A product that is for sale.
    Part {
        product: Arc<Product>,
        /// Whether it is sold in place of what was asked for.
        is_successor: bool,
        /// How it was found.
        note: Option<RowNote>,
    },
    /// One of these products; which, the buyer has to say.
    Several(Vec<Arc<Product>>),
    /// None.
    Nothing {
        why: RowNote,
        /// What may be meant.
        close: Vec<Arc<Product>>,
        /// The product, if it is only not sold any more.
        former: Option<Arc<Product>>,
    },
}

/// A product that a line may mean.
#[derive(Debug, Clone)]
pub struct Choice {
    pub product: Arc<Product>,
    /// What one unit costs the caller at the minimum order.
    pub unit: UnitPrice,
}

/// What a line's units cost the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPrice {
    /// One unit, at the quantity of all lines of the product.
    pub unit: UnitPrice,
    /// All units; `None` if nothing of the line can be ordered.
    pub total: Option<Money>,
}

/// A line that was checked.
#[derive(Debug, Clone)]
pub struct CheckedRow {
    /// Its place, from 1.
    pub line: u32,
    /// The line as it was written.
    pub text: String,
    pub status: RowStatus,
    /// What is to be said about it.
    pub notes: Vec<RowNote>,
    /// The units that can be ordered, or that were asked for if none can; 0 if those are not known.
    pub quantity: u32,
    /// The product, perhaps one that is not sold any more.
    pub product: Option<Arc<Product>>,
    /// Whether the product is sold in place of what was asked for.
    pub is_successor: bool,
    pub price: Option<RowPrice>,
    /// What the line may mean, if it is not clear.
    pub choices: Vec<Choice>,
}

impl CheckedRow {
    /// The product's id, if it is for sale.
    #[must_use]
    pub fn for_sale(&self) -> Option<ProductId> {
        self.price.and(self.product.as_ref()).map(|product| product.id)
    }
}

/// What a product is called in a sentence: its number, or its name.
pub(super) fn called(product: &Product) -> String {
    let details = &product.details;
    details.part_number.as_ref().map_or_else(|| details.name.to_string(), ToString::to_string)
}
