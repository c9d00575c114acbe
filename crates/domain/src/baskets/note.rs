//! What a line of a quick order, a cart or a list says about itself, one sentence each.

use std::fmt;

use super::line::LineFault;
use super::units::UnitsFault;
use crate::{Money, Via};

/// A sentence about one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The line cannot be read.
    Line(LineFault),
    /// Its quantity is none.
    Units(UnitsFault),
    /// Nothing has this number; these are close to it.
    NotFound {
        /// The number as it was written.
        number: String,
        /// At most three numbers.
        close: Vec<String>,
    },
    /// There is no such product.
    NoProduct,
    /// It is not sold any more, and nothing in its place.
    NotSold {
        /// Its number or name.
        what: String,
    },
    /// Another product is sold in its place.
    Replaced {
        /// Its number or name.
        what: String,
        /// The other's number or name.
        by: String,
    },
    /// It was found by another number than its own.
    Found(Via),
    /// Several products have this number.
    Several(usize),
    /// The line has no quantity.
    NoQuantity {
        /// The product's effective minimum.
        minimum: u32,
    },
    /// Its quantity was changed; why, other sentences say.
    Changed {
        /// The units that were asked for.
        from: u32,
        /// The units now.
        to: u32,
    },
    /// Fewer than the product's effective minimum.
    Minimum(u32),
    /// Not in full packs.
    Packs {
        /// Units in a pack.
        size: u32,
        /// The quantity in full packs, of all lines of the product.
        to: u32,
    },
    /// More than are in stock.
    Stock {
        /// Units in stock.
        left: u32,
    },
    /// Lines before this one take all that is in stock.
    AllTaken {
        /// Units in stock.
        left: u32,
    },
    /// Too few are in stock for an order.
    Short {
        /// Units in stock.
        left: u32,
        /// The product's effective minimum.
        minimum: u32,
    },
    /// Another line has the same product.
    Together {
        /// The first such line.
        line: u32,
        /// The units of all of them, as they were asked for.
        units: u64,
    },
    /// It costs another price than it did when it was added.
    Moved {
        /// What the buyer was shown.
        was: Money,
        /// What it costs now.
        now: Money,
    },
    /// It comes to more than an order can.
    TooDear,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(fault) => fault.fmt(f),
            Self::Units(fault) => write!(f, "The quantity {fault}."),
            Self::NotFound { number, close } => {
                write!(f, "We couldn't find {number}.")?;
                if close.is_empty() { Ok(()) } else { write!(f, " Did you mean {}?", one_of(close)) }
            }
            Self::NoProduct => f.write_str("We couldn't find this part."),
            Self::NotSold { what } => write!(f, "{what} is no longer sold."),
            Self::Replaced { what, by } => write!(f, "{what} was replaced by {by}."),
            Self::Found(via) => {
                let via = via.to_string();
                let mut characters = via.chars();
                let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
                write!(f, "{first}{}.", characters.as_str())
            }
            Self::Several(count) => write!(f, "{count} parts have this number. Choose one."),
            Self::NoQuantity { minimum } => {
                write!(f, "There is no quantity on this line: the minimum order is {minimum}.")
            }
            Self::Changed { from, to } if from < to => write!(f, "Raised from {from} to {to}."),
            Self::Changed { from, to } => write!(f, "Lowered from {from} to {to}."),
            Self::Minimum(minimum) => write!(f, "The minimum order is {minimum}."),
            Self::Packs { size, to } => write!(f, "Sold in packs of {size}: {to} are full packs."),
            Self::Stock { left } => write!(f, "Only {left} are in stock."),
            Self::AllTaken { left } => write!(f, "The lines above take all {left} that are in stock."),
            Self::Short { left: 0, .. } => f.write_str("Out of stock."),
            Self::Short { left, minimum } => {
                write!(f, "Only {left} are in stock, fewer than the minimum order of {minimum}.")
            }
            Self::Together { line, units } => {
                write!(f, "Line {line} has the same part: {units} together.")
            }
            Self::Moved { was, now } => write!(f, "The price was {was} and is now {now}."),
            Self::TooDear => f.write_str("This comes to more than one order can. Please lower the quantity."),
        }
    }
}

fn one_of(numbers: &[String]) -> String {
    match numbers {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        numbers => numbers.concat(),
    }
}

/// All sentences about a line, in their order.
#[must_use]
pub fn message(notes: &[Note]) -> String {
    notes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_sentences() {
        let close = |close: &[&str]| Note::NotFound {
            number: "DL-9".to_owned(),
            close: close.iter().map(ToString::to_string).collect(),
        };
        for (note, sentence) in [
            (close(&[]), "We couldn't find DL-9."),
            (close(&["DL-1"]), "We couldn't find DL-9. Did you mean DL-1?"),
            (close(&["DL-1", "DL-2", "DL-3"]), "We couldn't find DL-9. Did you mean DL-1, DL-2 or DL-3?"),
            (Note::Found(Via::SameAs("Brembo 09.A820.11".to_owned())), "Same as Brembo 09.A820.11."),
            (Note::Units(UnitsFault::Zero), "The quantity must be at least 1."),
            (Note::Short { left: 0, minimum: 50 }, "Out of stock."),
        ] {
            assert_eq!(note.to_string(), sentence);
        }
        assert_eq!(message(&[Note::Minimum(50), Note::TooDear]).matches('.').count(), 3);
    }
}
