//! Text that a person typed: trimmed, bounded, free of control characters.

use std::fmt;

use thiserror::Error;

/// What somebody typed into a field: no surrounding space, between 1 and `MAX` characters, no control characters but
/// line breaks and tabs. Controls that turn the direction of what follows are left out: with them a name looks like another.
///
/// A NUL in particular never gets in: Postgres cannot store one, and a refusal at the door beats an error at the disk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MAX: usize>(String);

/// Why a string is not acceptable text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TextError {
    /// Empty, or nothing but space.
    #[error("is required")]
    Empty,
    /// Longer than allowed.
    #[error("must be at most {max} characters")]
    TooLong {
        /// The bound, in characters.
        max: usize,
    },
    /// Holds a character that cannot be shown.
    #[error("contains characters that cannot be shown")]
    Unshowable,
}

impl<const MAX: usize> Text<MAX> {
    /// Parses what somebody typed.
    ///
    /// # Errors
    /// [`TextError`], for the first rule it breaks.
    pub fn new(typed: &str) -> Result<Self, TextError> {
        let bare: String;
        let typed = if typed.contains(turns_direction) {
            bare = typed.replace(turns_direction, "");
            &bare
        } else {
            typed
        };
        let trimmed = typed.trim();
        if trimmed.is_empty() {
            Err(TextError::Empty)
        } else if trimmed.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            Err(TextError::Unshowable)
        } else if trimmed.chars().count() > MAX {
            Err(TextError::TooLong { max: MAX })
        } else {
            Ok(Self(trimmed.to_owned()))
        }
    }

    /// Parses a field that may be left empty.
    ///
    /// # Errors
    /// [`TextError`] for what is there and not acceptable.
    pub fn optional(typed: Option<&str>) -> Result<Option<Self>, TextError> {
        match typed.map(Self::new) {
            None | Some(Err(TextError::Empty)) => Ok(None),
            Some(parsed) => parsed.map(Some),
        }
    }

    /// Text whose bounds another type's rules guarantee.
    pub(crate) fn known_good(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself, owned.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Unicode's embeddings, overrides and isolates, whose reach goes beyond the word that they stand in, and their ends.
const fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn space_around_text_is_dropped_and_nothing_but_space_is_empty() {
        assert_eq!(Text::<10>::new("  disc ").unwrap().as_str(), "disc");
        assert_eq!(Text::<10>::new(" \n "), Err(TextError::Empty));
        assert_eq!(Text::<10>::optional(Some("  ")), Ok(None));
    }

    #[test]
    fn the_bound_counts_characters_and_not_bytes() {
        assert!(Text::<3>::new("äöü").is_ok());
        assert_eq!(Text::<3>::new("äöüß"), Err(TextError::TooLong { max: 3 }));
    }

    #[test]
    fn controls_that_turn_the_direction_are_left_out() {
        assert_eq!(Text::<20>::new("Alex \u{202e}nimdA\u{202c} \u{2067}x\u{2069}").unwrap().as_str(), "Alex nimdA x");
        assert_eq!(Text::<20>::new("\u{202e}"), Err(TextError::Empty));
        // A mark that only says how its neighbours are read is part of many a language's spelling.
        assert_eq!(Text::<20>::new("a\u{200f}b").unwrap().as_str(), "a\u{200f}b");
    }

    #[test]
    fn a_nul_never_gets_in() {
        assert_eq!(Text::<10>::new("a\0b"), Err(TextError::Unshowable));
    }

    proptest! {
        #[test]
        fn accepted_text_is_within_its_bounds(typed in any::<String>()) {
            if let Ok(text) = Text::<20>::new(&typed) {
                let length = text.as_str().chars().count();
                prop_assert!((1..=20).contains(&length));
                prop_assert!(!text.as_str().contains('\0'));
                prop_assert_eq!(Text::<20>::new(text.as_str()), Ok(text));
            }
        }
    }
}
