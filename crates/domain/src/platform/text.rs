//! Text from users: trimmed, bounded and free of control characters.

use std::fmt;

use thiserror::Error;

/// User input from one field: no surrounding whitespace, 1 to `MAX` characters, no control characters except line
/// breaks and tabs. Bidirectional controls that change the direction of the following text are removed, because they
/// can make one name look like another.
///
/// A NUL is always refused: Postgres cannot store it, so the error has to come at validation rather than from the
/// database.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MAX: usize>(String);

/// Why a string is not valid text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TextError {
    /// Empty, or only whitespace.
    #[error("is required")]
    Empty,
    /// Longer than `MAX` characters.
    #[error("must be at most {max} characters")]
    TooLong {
        /// The bound, in characters.
        max: usize,
    },
    /// Contains a control character that cannot be shown.
    #[error("contains characters that can't be displayed")]
    Unshowable,
}

impl<const MAX: usize> Text<MAX> {
    /// Parses user input.
    ///
    /// # Errors
    /// [`TextError`] for the first rule it breaks.
    pub fn new(typed: &str) -> Result<Self, TextError> {
        let bare: String;
        let typed = if typed.contains(is_bidi_control) {
            bare = typed.replace(is_bidi_control, "");
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

    /// Parses an optional field; an empty value becomes `None`.
    ///
    /// # Errors
    /// [`TextError`] if a value is present and not valid.
    pub fn optional(typed: Option<&str>) -> Result<Option<Self>, TextError> {
        match typed.map(Self::new) {
            None | Some(Err(TextError::Empty)) => Ok(None),
            Some(parsed) => parsed.map(Some),
        }
    }

    /// Wraps text that another type has already validated within these bounds.
    pub(crate) fn known_good(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, owned.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Unicode's bidirectional embeddings, overrides and isolates, whose effect goes beyond the word they stand in, and
/// their terminators.
const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text on one line, as a header or a log needs it: line breaks, which would start another header, become spaces, and
/// bidirectional controls and marks, which would change the direction of the following text, are removed.
#[must_use]
pub fn one_line(text: &str) -> String {
    let turns = |c: char| is_bidi_control(c) || matches!(c, '\u{200e}' | '\u{200f}');
    let shown: String = text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn text_is_trimmed_and_whitespace_alone_is_empty() {
        let text = Text::<10>::new("  disc ").unwrap();
        assert_eq!(text.as_str(), "disc");
        assert_eq!(text.to_string(), "disc");
        assert_eq!(Text::<10>::new(" \n "), Err(TextError::Empty));
    }

    #[test]
    fn an_optional_field_may_be_missing_or_blank_but_is_valid_if_it_is_there() {
        assert_eq!(Text::<10>::optional(None), Ok(None));
        assert_eq!(Text::<10>::optional(Some("  ")), Ok(None));
        assert_eq!(Text::<10>::optional(Some(" disc ")), Text::<10>::new("disc").map(Some));
        assert_eq!(Text::<3>::optional(Some("disc")), Err(TextError::TooLong { max: 3 }));
    }

    #[test]
    fn the_bound_counts_characters_and_not_bytes() {
        assert!(Text::<3>::new("äöü").is_ok());
        assert_eq!(Text::<3>::new("äöüß"), Err(TextError::TooLong { max: 3 }));
    }

    #[test]
    fn bidirectional_controls_are_removed() {
        assert_eq!(Text::<20>::new("Alex \u{202e}nimdA\u{202c} \u{2067}x\u{2069}").unwrap().as_str(), "Alex nimdA x");
        assert_eq!(Text::<20>::new("\u{202e}"), Err(TextError::Empty));
        // Directional marks (such as U+200F) affect only their neighbours and belong to the spelling of many languages.
        assert_eq!(Text::<20>::new("a\u{200f}b").unwrap().as_str(), "a\u{200f}b");
    }

    #[test]
    fn a_nul_is_refused() {
        assert_eq!(Text::<10>::new("a\0b"), Err(TextError::Unshowable));
    }

    #[test]
    fn one_line_has_neither_line_breaks_nor_a_direction_of_its_own() {
        assert_eq!(
            one_line(" Disc\r\nBcc: all@example.com\u{2028}\t<b>\u{202e}\u{200f} "),
            "Disc Bcc: all@example.com <b>"
        );
        assert_eq!(one_line("\n"), "");
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
