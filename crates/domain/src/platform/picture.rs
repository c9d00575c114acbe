//! URLs of pictures.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An `http(s)` URL, or a path of this shop that starts with one slash; at most 2,000 characters.
///
/// Anything else (`javascript:`, `data:`, `//elsewhere`) would let anyone who edits a product run or load arbitrary
/// content on every visitor's page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PictureUrl(String);

/// Not a valid picture URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a link that starts with https:// or a path of this shop")]
pub struct InvalidPictureUrl;

impl PictureUrl {
    /// The maximum length, in characters.
    pub const MAX: usize = 2_000;

    /// The URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PictureUrl {
    type Err = InvalidPictureUrl;

    fn from_str(typed: &str) -> Result<Self, InvalidPictureUrl> {
        let address = typed.trim();
        let lower = address.to_ascii_lowercase();
        let host = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
        let remote = host.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
        let local = address.starts_with('/') && !address.starts_with("//");
        let clean = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"'<>\\`".contains(c));
        if (remote || local) && clean && address.chars().count() <= Self::MAX {
            Ok(Self(address.to_owned()))
        } else {
            Err(InvalidPictureUrl)
        }
    }
}

impl fmt::Display for PictureUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_urls_and_paths_of_this_shop_are_accepted() {
        for address in ["https://i.example/a.png", "HTTP://h/x", "/pictures/tyre-640.webp"] {
            assert_eq!(address.parse().map(|url: PictureUrl| url.to_string()).as_deref(), Ok(address));
        }
    }

    #[test]
    fn urls_that_could_run_code_or_load_from_elsewhere_are_refused() {
        for address in [
            "",
            "javascript:alert(1)",
            "data:image/png;base64,AA",
            "//evil.example/a.png",
            "pictures/a.png",
            "https://",
            "https:///a.png",
            "ftp://h/x",
            "/a\\b",
            "/a\"onerror=",
            "/a b",
            "/\\evil.example",
        ] {
            assert_eq!(address.parse::<PictureUrl>(), Err(InvalidPictureUrl), "{address:?}");
        }
    }
}
