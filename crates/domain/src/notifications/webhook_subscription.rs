//! Somebody else's program that is told what happens here.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::notifications::delivery::Topic;
use crate::{Timestamp, WebhookSubscriptionId};

/// How many programs are told at most: every event is told to each.
pub const MAX_SUBSCRIPTIONS: u32 = 20;

/// A program that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSubscription {
    /// Which one.
    pub id: WebhookSubscriptionId,
    /// Where it listens.
    pub url: WebhookUrl,
    /// What it wants to know: each topic once, at least one.
    pub topics: Vec<Topic>,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when every call to it has failed; `None` if the latest succeeded, or none was made.
    pub failing_since: Option<Timestamp>,
    /// Since when it is not told any more, and why.
    pub disabled: Option<Disabled>,
}

/// That a program is not told any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// Since when.
    pub at: Timestamp,
    /// Why, for an admin to read.
    pub why: String,
}

/// Where a program listens: an `http(s)` address of at most 2,000 characters, without spaces or control characters. Whether
/// the shop calls such an address is for whoever makes the call to judge.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebhookUrl(String);

/// Not an address that anything could be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an http(s) address of at most {} characters", WebhookUrl::MAX)]
pub struct InvalidWebhookUrl;

impl WebhookUrl {
    /// The longest address, in characters.
    pub const MAX: usize = 2_000;

    /// The address itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebhookUrl {
    type Err = InvalidWebhookUrl;

    fn from_str(typed: &str) -> Result<Self, InvalidWebhookUrl> {
        let address = typed.trim();
        let lower = address.to_ascii_lowercase();
        let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
        let has_host = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
        let clean = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"'<>\\`".contains(c));
        if has_host && clean && address.chars().count() <= Self::MAX {
            Ok(Self(address.to_owned()))
        } else {
            Err(InvalidWebhookUrl)
        }
    }
}

impl fmt::Display for WebhookUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_are_taken_and_nothing_else_is() {
        for address in ["https://erp.example.com/hooks?shop=1", " HTTP://127.0.0.1:8080 ", "https://[::1]/x"] {
            assert_eq!(address.parse::<WebhookUrl>().unwrap().as_str(), address.trim());
        }
        let long = format!("https://erp.example.com/{}", "a".repeat(WebhookUrl::MAX));
        for address in [
            "",
            "erp.example.com",
            "ftp://erp.example.com",
            "https://",
            "https:///x",
            "/hooks",
            "https://a b",
            "https://a/\nb",
            &long,
        ] {
            assert_eq!(address.parse::<WebhookUrl>(), Err(InvalidWebhookUrl), "{address}");
        }
    }
}
