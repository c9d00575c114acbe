//! Numbers of invoices and credit notes: a series each, counted from 1 without a gap.

use std::fmt;

use thiserror::Error;

/// Which document it is, and which series numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvoiceKind {
    /// What is owed, or was paid.
    Invoice,
    /// What of an invoice is owed no more.
    Credit,
}

impl InvoiceKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Invoice, Self::Credit];

    /// The series that numbers it: the part of its number before the dash.
    #[must_use]
    pub const fn series(self) -> &'static str {
        match self {
            Self::Invoice => "INV",
            Self::Credit => "CN",
        }
    }
}

/// The number of an invoice or a credit note, such as `INV-000123` or `CN-000007`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InvoiceNumber {
    kind: InvoiceKind,
    number: u64,
}

/// Not a valid number of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not a document's number")]
pub struct NotAnInvoiceNumber;

impl InvoiceNumber {
    /// Wraps a number of at least 1 of the kind's series.
    ///
    /// # Errors
    /// [`NotAnInvoiceNumber`] below 1.
    pub fn new(kind: InvoiceKind, number: i64) -> Result<Self, NotAnInvoiceNumber> {
        let number = u64::try_from(number).ok().filter(|number| *number > 0).ok_or(NotAnInvoiceNumber)?;
        Ok(Self { kind, number })
    }

    /// Which document it numbers.
    #[must_use]
    pub const fn kind(self) -> InvoiceKind {
        self.kind
    }
}

impl fmt::Display for InvoiceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:06}", self.kind.series(), self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_series_and_at_least_six_digits() {
        let shown = |kind, number| InvoiceNumber::new(kind, number).unwrap().to_string();
        assert_eq!(shown(InvoiceKind::Invoice, 123), "INV-000123");
        assert_eq!(shown(InvoiceKind::Credit, 7), "CN-000007");
        assert_eq!(shown(InvoiceKind::Invoice, 12_345_678), "INV-12345678");
    }

    #[test]
    fn series_begin_at_one() {
        assert_eq!(InvoiceNumber::new(InvoiceKind::Invoice, 0), Err(NotAnInvoiceNumber));
        assert_eq!(InvoiceNumber::new(InvoiceKind::Credit, -1), Err(NotAnInvoiceNumber));
    }
}
