//! Numbers in the query: years and ids.

/// A whole number, with or without blanks around it.
///
/// # Errors
/// A sentence about the field if it is none.
pub(crate) fn number<T: std::str::FromStr>(sent: &str) -> Result<T, &'static str> {
    sent.trim().parse().map_err(|_| "must be a whole number")
}
