//! Case folding, for searching and for sorting by name.

/// Folds case, one character at a time, so that a substring of a text folds to a substring of the folded text.
#[must_use]
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_substring_folds_to_a_substring_of_the_folded_text() {
        for text in ["ΟΔΟΣ 7", "Straße", "İstanbul", "BRAKE disc", "ÄÖÜ"] {
            let folded = fold(text);
            let characters: Vec<char> = text.chars().collect();
            for end in 0..=characters.len() {
                let part: String = characters[..end].iter().collect();
                assert!(folded.contains(&fold(&part)), "{part:?} of {text:?}");
            }
        }
    }
}
