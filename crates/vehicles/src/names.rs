//! What two spellings of a name have in common.

/// The small ASCII characters and digits of a name: `F-150` and `f 150` are both `f150`.
pub(crate) fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect()
}

/// The words of a text, in small characters, apart at everything but letters, digits and points within a number.
pub(crate) fn words(text: &str) -> Vec<String> {
    let apart = |sign: char| !sign.is_ascii_alphanumeric() && sign != '.';
    text.split(apart).map(|word| word.trim_matches('.').to_ascii_lowercase()).filter(|word| !word.is_empty()).collect()
}
