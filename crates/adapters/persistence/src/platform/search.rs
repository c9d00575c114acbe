//! Search keys and search words.

use diesel::sql_types::{Integer, Text};
use domain::fold;

/// Separates the parts of a search key. Stored text never contains it, so nothing matches across parts.
const BETWEEN: char = '\u{1}';

/// The search key of an entity, from the parts that are searched.
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

/// The folded words of a search. `None` if nothing can match: neither of the two characters is ever stored, and
/// Postgres does not even accept a NUL.
pub(crate) fn words(search: Option<&str>) -> Option<Vec<String>> {
    let search = search.unwrap_or_default();
    if search.contains(['\0', BETWEEN]) {
        return None;
    }
    Some(search.split_whitespace().map(fold).collect())
}

diesel::define_sql_function! {
    /// Position of the second text in the first, from 1; 0 if it does not occur. Unlike LIKE, it has no wildcards.
    fn strpos(whole: Text, part: Text) -> Integer;
}

diesel::define_sql_function! {
    /// The smaller of two numbers.
    fn least(one: Integer, other: Integer) -> Integer;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_whitespace_and_characters_never_stored_match_nothing() {
        assert_eq!(words(Some("  Ada\tÄRGER ")), Some(vec!["ada".to_owned(), "ärger".to_owned()]));
        assert_eq!(words(None), Some(Vec::new()));
        for search in ["a\0b", "a\u{1}b"] {
            assert_eq!(words(Some(search)), None);
        }
    }
}
