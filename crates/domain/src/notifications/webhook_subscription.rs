//! Webhook subscriptions: other programs that are notified of events.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::notifications::delivery::Topic;
use crate::{Timestamp, WebhookSubscriptionId};

/// The maximum number of subscriptions: every event is sent to each of them.
pub const MAX_SUBSCRIPTIONS: u32 = 20;

/// A program that receives events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSubscription {
    /// The subscription's id.
    pub id: WebhookSubscriptionId,
    /// The URL that events are sent to.
    pub url: WebhookUrl,
    /// The topics that it receives, without duplicates; at least one.
    pub topics: Vec<Topic>,
    /// When the subscription was created.
    pub created_at: Timestamp,
    /// Since when every call has failed; `None` if the latest call succeeded, or none was made.
    pub failing_since: Option<Timestamp>,
    /// Set if the subscription no longer receives events.
    pub disabled: Option<Disabled>,
}

/// Since when and why a subscription is disabled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disabled {
    /// When it was disabled.
    pub at: Timestamp,
    /// The reason, for an admin to read.
    pub why: String,
}

/// A webhook's URL: an `http(s)` URL of at most 2,000 characters, without spaces or control characters. Whether the
/// shop may call that address is checked by the adapter that makes the call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WebhookUrl(String);

/// Not a valid webhook URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an http(s) address of at most {} characters", WebhookUrl::MAX)]
pub struct InvalidWebhookUrl;

impl WebhookUrl {
    /// The maximum length, in characters.
    pub const MAX: usize = 2_000;

    /// The URL.
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
    fn only_http_urls_are_accepted() {
        for address in ["https://erp.example.com/hooks?shop=1", " HTTP://127.0.0.1:8080 ", "https://[::1]/x"] {
            let url: WebhookUrl = address.parse().unwrap();
            assert_eq!((url.as_str(), url.to_string().as_str()), (address.trim(), address.trim()));
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
