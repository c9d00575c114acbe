//! A line that asks for a part, and the ways to read it.

use thiserror::Error;

use super::units::{Units, UnitsFault};

/// How many units a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedUnits {
    /// It does not say.
    Missing,
    /// So many.
    Units(Units),
    /// Not a number of units.
    Refused(UnitsFault),
}

/// One way to read a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The part number, perhaps after the name of its brand; it has a [`crate::PartKey`].
    pub number: String,
    /// The quantity.
    pub quantity: AskedUnits,
}

/// Why a line cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LineFault {
    /// Nothing on it can be a part number.
    #[error("There is no part number on this line.")]
    NoNumber,
    /// What can be a part number has more than 48 letters and digits.
    #[error("A part number has at most 48 letters and digits.")]
    LongNumber,
    /// It has more cells than the header has names.
    #[error("This line has more cells than the header.")]
    TooManyCells,
    /// Without a header it is not known which of its many cells is which.
    #[error(
        "We can't tell which column is which: begin with a line that names them, such as \"part number, quantity\"."
    )]
    ManyColumns,
    /// A comma separates cells, and another one thousands.
    #[error("Please write the quantity without a comma.")]
    Thousands,
    /// It is longer than any order line.
    #[error("This line is too long.")]
    TooLong,
}

/// A line that asks for a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuickLine {
    /// Its place in the text, from 1; blank lines count.
    pub line: u32,
    /// The line as it was written, cut to 200 characters.
    pub text: String,
    /// The ways to read it, likeliest first: one to four. Which one is meant is known once numbers are looked up.
    pub readings: Result<Vec<Reading>, LineFault>,
}

impl Reading {
    /// The line that is read as this and nothing before it.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self.quantity {
            AskedUnits::Units(units) => format!("{}\t{}", self.number, units.get()),
            AskedUnits::Missing | AskedUnits::Refused(_) => format!("{}\t", self.number),
        }
    }
}
