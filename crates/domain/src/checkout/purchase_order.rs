//! What a customer says about a whole checkout.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a checkout is to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// By card, before it ships.
    Card,
    /// On account, once an admin has approved it.
    Account,
}

/// Not the name of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be card or account")]
pub struct UnknownTerms;

impl Terms {
    /// The stable name, on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Account => "account",
        }
    }
}

impl FromStr for Terms {
    type Err = UnknownTerms;

    fn from_str(name: &str) -> Result<Self, UnknownTerms> {
        [Self::Card, Self::Account].into_iter().find(|terms| terms.as_str() == name).ok_or(UnknownTerms)
    }
}

/// The number of a checkout that customers and staff use, such as `P-1001`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckoutNumber(u64);

/// Not a valid checkout number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not a checkout's number")]
pub struct NotACheckoutNumber;

impl CheckoutNumber {
    /// Wraps a number of at least 1.
    ///
    /// # Errors
    /// [`NotACheckoutNumber`] below 1.
    pub fn new(number: i64) -> Result<Self, NotACheckoutNumber> {
        u64::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotACheckoutNumber)
    }
}

impl fmt::Display for CheckoutNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P-{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_by_their_names() {
        assert_eq!(("card".parse(), "account".parse()), (Ok(Terms::Card), Ok(Terms::Account)));
        assert_eq!((Terms::Card.as_str(), Terms::Account.as_str()), ("card", "account"));
        assert_eq!("cash".parse::<Terms>(), Err(UnknownTerms));
    }

    #[test]
    fn checkouts_are_numbered_from_one() {
        assert_eq!(CheckoutNumber::new(1).unwrap().to_string(), "P-1");
        assert_eq!(CheckoutNumber::new(0), Err(NotACheckoutNumber));
    }
}
