//! How many units somebody asks for, as a number or as people write it.

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::Quantity;

/// Units that somebody asks for of one product: 1 to [`Quantity::MAX`]. Unlike a [`Quantity`] they may be fewer than can be
/// ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Units(u32);

/// Why something is not a number of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UnitsFault {
    /// None.
    #[error("must be at least 1")]
    Zero,
    /// Fewer than none.
    #[error("must not be negative")]
    Negative,
    /// Not whole.
    #[error("must be a whole number")]
    Fraction,
    /// One and a half in some countries, and fifteen hundred in others.
    #[error("can be read in two ways: please write it without a dot")]
    Unclear,
    /// More than the stock of any product can be.
    #[error("must be 1,000,000,000 or less")]
    TooLarge,
    /// No number at all.
    #[error("must be a number")]
    Unreadable,
}

impl Units {
    /// Units from a number.
    ///
    /// # Errors
    /// [`UnitsFault`] outside 1 to [`Quantity::MAX`].
    pub fn new(units: i64) -> Result<Self, UnitsFault> {
        match units {
            i64::MIN..0 => Err(UnitsFault::Negative),
            0 => Err(UnitsFault::Zero),
            _ => {
                u32::try_from(units).ok().filter(|units| *units <= Quantity::MAX).map(Self).ok_or(UnitsFault::TooLarge)
            }
        }
    }

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The units of two lines together.
    ///
    /// # Errors
    /// [`UnitsFault::TooLarge`] above [`Quantity::MAX`].
    pub fn plus(self, other: Self) -> Result<Self, UnitsFault> {
        Self::new(i64::from(self.0) + i64::from(other.0))
    }
}

/// The longest word that is read as a number.
const WORD_MAX: usize = 60;

/// What stands for pieces.
const PIECES: [&str; 10] = ["pc", "pcs", "piece", "pieces", "unit", "units", "ea", "each", "stk", "stück"];

/// Whether a word says that a number counts pieces.
pub(super) fn is_pieces(word: &str) -> bool {
    PIECES.contains(&word.trim_end_matches('.').to_lowercase().as_str())
}

/// A number of units as it is written in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) units: Result<Units, UnitsFault>,
    /// Whether the word itself says that it is a quantity: `x50`, `50x`, `50pcs`.
    pub(super) is_marked: bool,
}

/// Reads `50`, `1,000`, `50.0`, `x50`, `50x`, `50pcs`, `=50`; `None` for what is no number, such as `1E10` or `B12`.
pub(super) fn written(word: &str) -> Option<Written> {
    if word.len() > WORD_MAX {
        return None;
    }
    let plain: String = word.nfkc().collect();
    let bare = plain.trim_matches(|c: char| matches!(c, '"' | '\'' | '=' | ':' | '(' | ')'));
    let bare = bare.trim_end_matches([',', ';']);
    let unmarked = bare.trim_start_matches(['x', 'X', '×', '*']);
    let (is_negative, unsigned) = match unmarked.strip_prefix(['-', '−', '–']) {
        Some(rest) => (true, rest),
        None => (false, unmarked.strip_prefix('+').unwrap_or(unmarked)),
    };
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.' | '\''));
    let (number, after) = unsigned.split_at(end.unwrap_or(unsigned.len()));
    let is_counted = is_pieces(after) || matches!(after, "x" | "X" | "×");
    if !after.is_empty() && !is_counted {
        return None;
    }
    let units = match (is_negative, value(number)?) {
        (true, Ok(0)) => Err(UnitsFault::Zero),
        (true, _) => Err(UnitsFault::Negative),
        (false, Ok(units)) => Units::new(units),
        (false, Err(fault)) => Err(fault),
    };
    Some(Written { units, is_marked: is_counted || unmarked.len() < bare.len() })
}

/// The value of digits with separators; `None` if they are no number.
fn value(number: &str) -> Option<Result<i64, UnitsFault>> {
    // What is pasted from a sentence may end with its full stop.
    let number = number.strip_suffix('.').filter(|number| !number.is_empty()).unwrap_or(number);
    let last = number.rfind([',', '.', '\'']);
    let Some(last) = last else { return whole(number).map(Ok) };
    let separator = number[last..].chars().next()?;
    let (before, after) = (&number[..last], &number[last + 1..]);
    let others = before.contains([',', '.', '\'']);
    let is_repeated = before.contains(separator);
    if is_repeated || separator == '\'' || separator == ',' && !others && is_group(before, after) {
        return grouped(number, separator).map(Ok);
    }
    if separator == '.' && !others && is_group(before, after) {
        return Some(Err(UnitsFault::Unclear));
    }
    let grouping = before.chars().find(|c| !c.is_ascii_digit());
    let units = match grouping {
        Some(grouping) => grouped(before, grouping)?,
        None if before.is_empty() => 0,
        None => whole(before)?,
    };
    if after.is_empty() && others {
        return None;
    }
    Some(if after.bytes().all(|digit| digit == b'0') { Ok(units) } else { Err(UnitsFault::Fraction) })
}

/// Whether a separator stands where one between thousands would.
fn is_group(before: &str, after: &str) -> bool {
    after.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0')
}

/// Digits in groups of three.
fn grouped(number: &str, separator: char) -> Option<i64> {
    let mut groups = number.split(separator);
    let first = groups.next()?;
    let are_groups = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    if are_groups { whole(&number.replace(separator, "")) } else { None }
}

/// Digits alone; more than can be counted are as many as can be.
fn whole(digits: &str) -> Option<i64> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_that_is_longer_than_any_quantity_is_none() {
        assert!(written(&"0".repeat(WORD_MAX)).is_some());
        for longer in [1, 2, 100] {
            assert_eq!(written(&"0".repeat(WORD_MAX + longer)), None);
        }
    }

    #[test]
    fn a_quantity_is_read_as_people_write_it() {
        for (word, units, is_marked) in [
            ("50", 50, false),
            ("050", 50, false),
            ("+50", 50, false),
            ("50.0", 50, false),
            ("50,00", 50, false),
            ("1,000", 1_000, false),
            ("1'000", 1_000, false),
            ("1,000,000", 1_000_000, false),
            ("1.000.000", 1_000_000, false),
            ("1,000.", 1_000, false),
            ("50.", 50, false),
            ("1,000.00", 1_000, false),
            ("1.000,00", 1_000, false),
            ("\"50\"", 50, false),
            ("=\"50\"", 50, false),
            ("'50", 50, false),
            ("５０", 50, false),
            ("x50", 50, true),
            ("×50", 50, true),
            ("*50", 50, true),
            ("50x", 50, true),
            ("50pcs", 50, true),
            ("50Stk.", 50, true),
        ] {
            let expected = Written { units: Units::new(units), is_marked };
            assert_eq!(written(word), Some(expected), "{word}");
        }
    }

    #[test]
    fn what_cannot_be_ordered_has_a_reason_of_its_own() {
        for (word, fault) in [
            ("0", UnitsFault::Zero),
            ("-0", UnitsFault::Zero),
            ("0.0", UnitsFault::Zero),
            ("-5", UnitsFault::Negative),
            ("−5", UnitsFault::Negative),
            ("-1.5", UnitsFault::Negative),
            ("1.5", UnitsFault::Fraction),
            ("1,5", UnitsFault::Fraction),
            (".5", UnitsFault::Fraction),
            ("0.500", UnitsFault::Fraction),
            ("1.000", UnitsFault::Unclear),
            ("1000000001", UnitsFault::TooLarge),
            ("99999999999999999999999", UnitsFault::TooLarge),
        ] {
            assert_eq!(written(word).map(|written| written.units), Some(Err(fault)), "{word}");
        }
    }

    #[test]
    fn a_part_number_is_no_quantity() {
        for word in ["1E10", "B12", "DL-50", "50-2", "0x10", "1.2.3", "12/50", "", "-", "x", "½", "50mm", "1,2,3"] {
            assert_eq!(written(word), None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn every_number_of_units_is_read_back(units in 1..=Quantity::MAX) {
            let expected = Written { units: Units::new(i64::from(units)), is_marked: false };
            prop_assert_eq!(written(&units.to_string()), Some(expected));
        }

        #[test]
        fn no_word_panics(word in any::<String>(), digits in "[-x+0-9,.']{0,12}[a-z.]{0,5}") {
            let _ = (written(&word), written(&digits));
        }
    }
}
