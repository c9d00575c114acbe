//! Invoices and credit notes: written once, never changed.

use crate::documents::line::DocumentLine;
use crate::documents::number::{InvoiceKind, InvoiceNumber, NotAnInvoiceNumber};
use crate::documents::party::{Buyer, PrintedAddress, Seller};
use crate::documents::totals::{SumsRefused, Totals};
use crate::{CheckoutId, InvoiceId, Money, OrderId, Text, Timestamp};

/// Whether what an invoice comes to was paid when it was issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// It was paid by card: that is why it was issued.
    Paid {
        /// When the payment was settled.
        at: Timestamp,
    },
    /// It was shipped unpaid, and is owed.
    OnAccount,
}

/// What a document is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceSubject {
    /// An invoice.
    Invoice(Settlement),
    /// A credit note.
    Credit {
        /// The invoice of which something is owed no more.
        of: InvoiceNumber,
        /// When that was issued.
        of_issued_at: Timestamp,
    },
}

impl InvoiceSubject {
    /// Which document it is.
    #[must_use]
    pub const fn kind(&self) -> InvoiceKind {
        match self {
            Self::Invoice(_) => InvoiceKind::Invoice,
            Self::Credit { .. } => InvoiceKind::Credit,
        }
    }
}

/// What was bought, by its id and the number that people use: a checkout, or an order of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoicedPurchase {
    /// The order, of a document about one.
    pub order: Option<OrderId>,
    /// The checkout, of a document about lines of one.
    pub checkout: Option<CheckoutId>,
    /// The number, such as `DL-10428`.
    pub number: Text<40>,
}

/// All that a document says besides its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceFacts {
    /// The id.
    pub id: InvoiceId,
    /// The number in its series.
    pub number: InvoiceNumber,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// What it is about.
    pub subject: InvoiceSubject,
    /// What was bought.
    pub purchase: InvoicedPurchase,
    /// The shop, as it was then.
    pub seller: Seller,
    /// Who bought.
    pub buyer: Buyer,
    /// Where it is delivered.
    pub deliver_to: PrintedAddress,
    /// The customer's purchase order number.
    pub po_number: Option<Text<60>>,
}

/// An invoice or a credit note, whose sums are those of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    facts: InvoiceFacts,
    lines: Vec<DocumentLine>,
    totals: Totals,
}

/// Why facts and lines are no document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvoiceRefused {
    /// The number is of the other series.
    #[error("has a number of another series")]
    Series,
    /// A credit note names something else than an invoice.
    #[error("credits what is no invoice")]
    CreditsNoInvoice,
    /// Not a number.
    #[error(transparent)]
    Number(#[from] NotAnInvoiceNumber),
    /// The lines do not add up.
    #[error(transparent)]
    Sums(#[from] SumsRefused),
}

impl Invoice {
    /// Puts a document together.
    ///
    /// # Errors
    /// [`InvoiceRefused`] if its number is of another series, or its lines do not add up.
    pub fn new(facts: InvoiceFacts, lines: Vec<DocumentLine>) -> Result<Self, InvoiceRefused> {
        if facts.number.kind() != facts.subject.kind() {
            return Err(InvoiceRefused::Series);
        }
        if let InvoiceSubject::Credit { of, .. } = facts.subject
            && of.kind() != InvoiceKind::Invoice
        {
            return Err(InvoiceRefused::CreditsNoInvoice);
        }
        let totals = Totals::of(&lines)?;
        Ok(Self { facts, lines, totals })
    }

    /// All that it says besides its lines.
    #[must_use]
    pub const fn facts(&self) -> &InvoiceFacts {
        &self.facts
    }

    /// Its lines, in the order in which they are printed; at least one.
    #[must_use]
    pub fn lines(&self) -> &[DocumentLine] {
        &self.lines
    }

    /// What the lines come to.
    #[must_use]
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Which document it is.
    #[must_use]
    pub const fn kind(&self) -> InvoiceKind {
        self.facts.subject.kind()
    }

    /// What of it is owed: all of an invoice on account, and nothing otherwise.
    #[must_use]
    pub const fn due(&self) -> Money {
        match self.facts.subject {
            InvoiceSubject::Invoice(Settlement::OnAccount) => self.totals.total,
            InvoiceSubject::Invoice(Settlement::Paid { .. }) | InvoiceSubject::Credit { .. } => Money::ZERO,
        }
    }
}

#[cfg(test)]
mod tests;
