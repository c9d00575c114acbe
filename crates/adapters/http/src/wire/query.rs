//! Values in the query of an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as the value of a query parameter.
pub(crate) fn in_query(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_unreserved_characters_is_encoded() {
        assert_eq!(in_query("a&b=c d/\u{e9}-._~"), "a%26b%3Dc%20d%2F%C3%A9-._~");
    }
}
