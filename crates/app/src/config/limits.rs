//! How much clients may do, and for how long.

use std::time::Duration;

use ports::RateLimit;
use ports::{FeedRules, ReservationRules};

use super::reader::EnvReader;

/// How many unpaid orders an account that never paid may have in `serve`.
const UNPAID_ORDERS_NEW: u32 = 20;
/// The upper bound of `UNPAID_ORDER_HOLD_HOURS`: a year.
const UNPAID_ORDER_TTL_MAX: u64 = 8_784;
/// How long a client may read none of its response before the connection is closed: nginx' default.
const WRITE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long requests wait for their worker before some are refused.
const QUEUE_DELAY: Duration = Duration::from_millis(100);
/// The upper bound of `QUEUE_DELAY_MS`.
const QUEUE_DELAY_MAX: u64 = 10_000;
/// The upper bound of `WRITE_TIMEOUT_SECONDS`.
const WRITE_TIMEOUT_MAX: u64 = 3_600;
/// How long an instance goes on serving after SIGTERM, unless `DRAIN_SECONDS` is set: long enough for a load balancer
/// to notice.
const DRAIN: Duration = Duration::from_secs(5);
/// The upper bound of `DRAIN_SECONDS`.
const DRAIN_MAX: u64 = 300;

/// The largest file of a feed in MiB, unless `FEED_MAX_MIB` is set.
const FEED_MIB: u64 = 512;
/// The upper bound of `FEED_MAX_MIB`.
const FEED_MIB_MAX: u64 = 8_192;
/// How many hundredths of a brand a feed archives unasked, unless `FEED_ARCHIVE_PERCENT` is set.
const FEED_ARCHIVE_PERCENT: u8 = 20;

impl EnvReader<'_> {
    pub(super) fn feeds(&mut self) -> FeedRules {
        let wanted = format!("a whole number of MiB from 1 to {FEED_MIB_MAX}");
        let mib = self
            .parsed("FEED_MAX_MIB", wanted, |typed| typed.parse().ok().filter(|mib| (1..=FEED_MIB_MAX).contains(mib)));
        let percent = self.parsed("FEED_ARCHIVE_PERCENT", "a whole number from 0 to 100", |typed| {
            typed.parse().ok().filter(|percent| *percent <= 100)
        });
        FeedRules {
            most_bytes: mib.unwrap_or(FEED_MIB) * 1_024 * 1_024,
            archive_percent: percent.unwrap_or(FEED_ARCHIVE_PERCENT),
        }
    }

    pub(super) fn rate(&mut self, what: &str, default: RateLimit) -> RateLimit {
        let per_second = self.many_requests(&format!("{what}_PER_SECOND"));
        let burst = self.many_requests(&format!("{what}_BURST"));
        let per_second = per_second.unwrap_or(default.per_minute / 60);
        // A lower rate without a burst of its own does not mean the large default burst.
        RateLimit::per_second(per_second, burst.unwrap_or_else(|| default.burst.min(per_second.saturating_mul(10))))
    }

    pub(super) fn rate_per_minute(&mut self, what: &str, default: RateLimit) -> RateLimit {
        let per_minute = self.many_requests(&format!("{what}_PER_MINUTE")).unwrap_or(default.per_minute);
        let burst = self.many_requests(&format!("{what}_BURST"));
        RateLimit { per_minute, burst: burst.unwrap_or_else(|| default.burst.min(per_minute.saturating_mul(3))) }
    }

    fn many_requests(&mut self, name: &str) -> Option<u32> {
        let number = |typed: &str| typed.parse().ok().filter(|number| *number > 0);
        self.parsed(name, "a whole number of requests, at least 1", number)
    }

    /// Zero if nothing is to be refused.
    pub(super) fn queue_delay(&mut self) -> Duration {
        let wanted = format!("a whole number of milliseconds up to {QUEUE_DELAY_MAX}");
        let milliseconds = self.parsed("QUEUE_DELAY_MS", wanted, |typed| {
            typed.parse().ok().filter(|milliseconds| *milliseconds <= QUEUE_DELAY_MAX)
        });
        milliseconds.map_or(QUEUE_DELAY, Duration::from_millis)
    }

    pub(super) fn write_timeout(&mut self) -> Duration {
        let wanted = format!("a whole number of seconds from 1 to {WRITE_TIMEOUT_MAX}");
        let seconds = self.parsed("WRITE_TIMEOUT_SECONDS", wanted, |typed| {
            typed.parse().ok().filter(|seconds| (1..=WRITE_TIMEOUT_MAX).contains(seconds))
        });
        seconds.map_or(WRITE_TIMEOUT, Duration::from_secs)
    }

    pub(super) fn reservations(&mut self) -> ReservationRules {
        fn up_to(most: u64) -> impl FnOnce(&str) -> Option<u64> {
            move |typed| typed.parse().ok().filter(|number| (1..=most).contains(number))
        }
        let wanted = format!("a whole number of hours from 1 to {UNPAID_ORDER_TTL_MAX}");
        let hours = self.parsed("UNPAID_ORDER_HOLD_HOURS", wanted, up_to(UNPAID_ORDER_TTL_MAX));
        let minutes_max = UNPAID_ORDER_TTL_MAX * 60;
        let wanted = format!("a whole number of minutes from 1 to {minutes_max}");
        let minutes = self.parsed("UNPAID_ORDER_HOLD_NEW_MINUTES", wanted, up_to(minutes_max));
        let wanted = format!("a whole number of orders from 1 to {}", i32::MAX);
        let most = self.parsed("UNPAID_ORDERS_NEW", wanted, |typed| {
            typed.parse().ok().filter(|most| (1..=i32::MAX.unsigned_abs()).contains(most))
        });
        ReservationRules {
            usual: hours.map_or(ReservationRules::UNLIMITED.usual, Duration::from_hours),
            new: minutes.map_or(ReservationRules::UNLIMITED.new, Duration::from_mins),
            most_new: Some(most.unwrap_or(UNPAID_ORDERS_NEW)),
        }
    }

    pub(super) fn drain(&mut self) -> Duration {
        let wanted = format!("a number of seconds from 0 to {DRAIN_MAX}");
        let seconds =
            self.parsed("DRAIN_SECONDS", wanted, |typed| typed.parse().ok().filter(|seconds| *seconds <= DRAIN_MAX));
        seconds.map_or(DRAIN, Duration::from_secs)
    }
}
