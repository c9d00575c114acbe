//! What a customer tells about themselves.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Edit, Text};

/// An `http(s)` address, at most 500 characters, safe to put behind a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link(String);

/// Not an address that a link may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an http(s) address")]
pub struct InvalidLink;

impl Link {
    /// The longest address, in characters.
    pub const MAX: usize = 500;

    /// The address itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Link {
    type Err = InvalidLink;

    fn from_str(typed: &str) -> Result<Self, InvalidLink> {
        let address = typed.trim();
        let lower = address.to_ascii_lowercase();
        let host = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
        let has_host = host.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
        let clean = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\`".contains(c));
        if has_host && clean && address.chars().count() <= Self::MAX {
            Ok(Self(address.to_owned()))
        } else {
            Err(InvalidLink)
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The More info card of a profile. Every field may be absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Where they study or studied.
    pub study_in: Option<Text<200>>,
    /// Where they live.
    pub lives_in: Option<Text<200>>,
    /// A telephone number, as typed.
    pub phone: Option<Text<40>>,
    /// A link to their page there.
    pub facebook: Option<Link>,
    /// A link to their page there.
    pub linkedin: Option<Link>,
    /// A link to their page there.
    pub github: Option<Link>,
}

/// An edit of a profile: the fields that were sent, and no others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileEdit {
    /// See [`Profile::study_in`].
    pub study_in: Edit<Text<200>>,
    /// See [`Profile::lives_in`].
    pub lives_in: Edit<Text<200>>,
    /// See [`Profile::phone`].
    pub phone: Edit<Text<40>>,
    /// See [`Profile::facebook`].
    pub facebook: Edit<Link>,
    /// See [`Profile::linkedin`].
    pub linkedin: Edit<Link>,
    /// See [`Profile::github`].
    pub github: Edit<Link>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_web_and_nowhere_else() {
        assert!("https://github.com/octo".parse::<Link>().is_ok());
        for address in ["", "javascript:alert(1)", "github.com/octo", "https://", "ftp://h", "https://a b", "/profile"]
        {
            assert_eq!(address.parse::<Link>(), Err(InvalidLink), "{address:?}");
        }
    }
}
