//! What searches look through, and how.

use diesel::sql_types::Text;

/// Stands between the parts of what a search looks through. Text never holds it, so nothing is found across parts.
const BETWEEN: char = '\u{1}';

/// Text as it is compared when case does not matter: one character at a time, so that a part of a text folds to a part of
/// what the whole folds to.
pub(crate) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The parts of a thing that a search looks through, as its column holds them.
pub(crate) fn key(parts: &[&str]) -> String {
    let mut key = String::new();
    for part in parts {
        if !key.is_empty() {
            key.push(BETWEEN);
        }
        key.push_str(&fold(part));
    }
    key
}

/// What somebody searches for, word by word. `None` if nothing can match: neither of the two characters is ever stored, and
/// Postgres does not even take a NUL.
pub(crate) fn words(asked: Option<&str>) -> Option<Vec<String>> {
    let asked = asked.unwrap_or_default();
    if asked.contains(['\0', BETWEEN]) {
        return None;
    }
    Some(asked.split_whitespace().map(fold).collect())
}

diesel::define_sql_function! {
    /// Where the second text begins in the first one, from 1; 0 if it does not occur. Unlike with LIKE, nothing in it means
    /// anything but itself.
    fn strpos(whole: Text, part: Text) -> Integer;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_folds_to_a_part_of_what_the_whole_folds_to() {
        for text in ["ΟΔΟΣ 7", "Straße", "İstanbul", "BRAKE disc", "ÄÖÜ"] {
            let folded = fold(text);
            let characters: Vec<char> = text.chars().collect();
            for end in 0..=characters.len() {
                let part: String = characters[..end].iter().collect();
                assert!(folded.contains(&fold(&part)), "{part:?} of {text:?}");
            }
        }
    }

    #[test]
    fn words_are_taken_apart_at_space_and_what_is_never_stored_matches_nothing() {
        assert_eq!(words(Some("  Ada\tÄRGER ")), Some(vec!["ada".to_owned(), "ärger".to_owned()]));
        assert_eq!(words(None), Some(Vec::new()));
        for asked in ["a\0b", "a\u{1}b"] {
            assert_eq!(words(Some(asked)), None);
        }
    }
}
