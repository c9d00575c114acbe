//! Customer profiles.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Edit, Text};

/// An `http(s)` URL of at most 500 characters, safe to use as a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link(String);

/// Not a URL that may be used as a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an http(s) address")]
pub struct InvalidLink;

impl Link {
    /// The maximum length, in characters.
    pub const MAX: usize = 500;

    /// The URL.
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

/// The More info card of a profile. Every field is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Where the customer studies or studied.
    pub study_in: Option<Text<200>>,
    /// Where the customer lives.
    pub lives_in: Option<Text<200>>,
    /// A telephone number, as entered.
    pub phone: Option<Text<40>>,
    /// The customer's Facebook page.
    pub facebook: Option<Link>,
    /// The customer's LinkedIn page.
    pub linkedin: Option<Link>,
    /// The customer's GitHub page.
    pub github: Option<Link>,
}

/// A partial update of a profile.
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
    fn only_http_links_are_accepted() {
        for address in ["https://github.com/octo", " HTTP://[2001:db8::1]/Octo "] {
            let link: Link = address.parse().unwrap();
            assert_eq!(link.as_str(), address.trim());
            assert_eq!(link.to_string(), address.trim());
        }
        for address in [
            "",
            "javascript:alert(1)",
            "github.com/octo",
            "https://",
            "https:///octo",
            "ftp://h",
            "https://a b",
            "/profile",
        ] {
            assert_eq!(address.parse::<Link>(), Err(InvalidLink), "{address:?}");
        }
    }
}
