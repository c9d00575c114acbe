//! Documents without a number of their own: packing slips and order confirmations. They say what the purchase says now.

use crate::documents::line::DocumentLine;
use crate::documents::party::{Buyer, PrintedAddress, Seller};
use crate::documents::totals::{SumsRefused, Totals};
use crate::{OrderNumber, Text, Timestamp};

/// What a sheet says of a purchase besides its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetFacts {
    /// The number that people use, such as `DL-10428`.
    pub number: Text<40>,
    /// When it was placed.
    pub placed_at: Timestamp,
    /// The shop.
    pub seller: Seller,
    /// Who bought.
    pub buyer: Buyer,
    /// Where it is delivered.
    pub deliver_to: PrintedAddress,
    /// The customer's purchase order number.
    pub po_number: Option<Text<60>>,
    /// What the customer asked for.
    pub note: Option<Text<1000>>,
}

/// A line of a packing slip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedLine {
    /// The order that the line is.
    pub order: OrderNumber,
    /// The part number, if the product had one.
    pub part_number: Option<Text<60>>,
    /// The product's name.
    pub name: Text<300>,
    /// The number of units.
    pub quantity: u32,
}

/// What lies in the parcel: no prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackingSlip {
    /// Of which purchase.
    pub facts: SheetFacts,
    /// What of it is packed; cancelled lines are not.
    pub lines: Vec<PackedLine>,
}

/// What was ordered, at which prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// Of which purchase.
    pub facts: SheetFacts,
    /// Whether the freight waits for a figure; the lines have none then, and no tax.
    pub freight_waits: bool,
    lines: Vec<DocumentLine>,
    totals: Totals,
}

impl Confirmation {
    /// Puts a confirmation together.
    ///
    /// # Errors
    /// [`SumsRefused`] if the lines do not add up.
    pub fn new(facts: SheetFacts, freight_waits: bool, lines: Vec<DocumentLine>) -> Result<Self, SumsRefused> {
        let totals = Totals::of(&lines)?;
        Ok(Self { facts, freight_waits, lines, totals })
    }

    /// Its lines; at least one.
    #[must_use]
    pub fn lines(&self) -> &[DocumentLine] {
        &self.lines
    }

    /// What the lines come to.
    #[must_use]
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }
}
