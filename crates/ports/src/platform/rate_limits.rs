//! How often one client may do what is scarce, whichever copy of the shop it asks.

use std::time::Duration;

use async_trait::async_trait;
use domain::ClientNetwork;

use crate::StoreError;

/// How long one count is waited for, and lasts in the database at most. Without it a copy goes by its own.
pub const COUNT_WITHIN: Duration = Duration::from_millis(500);

/// A rate limit per client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// The sustained rate, in requests per minute.
    pub per_minute: u32,
    /// How many requests may come in one burst.
    pub burst: u32,
}

impl RateLimit {
    /// A sustained rate per second.
    #[must_use]
    pub const fn per_second(many: u32, burst: u32) -> Self {
        Self { per_minute: many.saturating_mul(60), burst }
    }

    /// The time between two requests at the sustained rate.
    #[must_use]
    pub fn interval(self) -> Duration {
        Duration::from_mins(1) / self.per_minute.max(1)
    }
}

/// What is limited. Each is counted for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limited {
    /// Rows that a client leaves behind without an account.
    Rows,
    /// E-mails to an address of the client's choice.
    Emails,
    /// Questions to another company's server.
    ProviderCalls,
    /// VINs that are read.
    Vins,
    /// Lines of the log.
    LogLines,
}

impl Limited {
    /// Each of them.
    pub const ALL: [Self; 5] = [Self::Rows, Self::Emails, Self::ProviderCalls, Self::Vins, Self::LogLines];

    /// As the table and the metrics call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Emails => "emails",
            Self::ProviderCalls => "provider_calls",
            Self::Vins => "vins",
            Self::LogLines => "log_lines",
        }
    }
}

/// Counts for all copies of the shop together (GCRA, the generic cell rate algorithm), by the database's clock.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SharedRateLimits: Send + Sync {
    /// Counts one request of a client. How long it has to wait if it may not be answered now; it is then not counted.
    async fn count(
        &self,
        limited: Limited,
        limit: RateLimit,
        client: ClientNetwork,
    ) -> Result<Option<Duration>, StoreError>;

    /// Deletes at most `max` counts that limit nobody any more, and returns how many there were.
    async fn forget(&self, max: u32) -> Result<u32, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_at_the_sustained_rate_come_at_even_intervals() {
        assert_eq!(RateLimit { per_minute: 10, burst: 30 }.interval(), Duration::from_secs(6));
        assert_eq!(RateLimit::per_second(200, 2_000).interval(), Duration::from_millis(5));
        assert_eq!(RateLimit { per_minute: 0, burst: 1 }.interval(), Duration::from_mins(1));
    }
}
