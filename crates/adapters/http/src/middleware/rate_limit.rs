//! Limits on how often one client may call.
//!
//! Each copy of the shop counts all calls for itself: that protects its own processors, and is not worth a question to the database
//! each time. What is scarce about a route is counted by all copies together besides.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::HttpRequest;
use actix_web::web::Data;
use domain::ClientNetwork;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use ports::{COUNT_WITHIN, Limited, RateLimit, SharedRateLimits, error_chain};
use tokio::time::timeout;

use crate::app_state::{AppState, Settings};
use crate::budget::Budget;
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::route::RouteSpec;

/// After this many checks a limiter drops the clients that have been idle for long.
const SWEEP_EVERY: u32 = 4_096;
/// Limit on the defects that one client may report. A page reports five at most, and each is a line of the log.
const REPORT_RATE: RateLimit = RateLimit { per_minute: 10, burst: 20 };
/// Limit on the VINs that one client may have read: enough for a workshop, too few to try them all.
const VIN_RATE: RateLimit = RateLimit { per_minute: 60, burst: 120 };

/// Limit on the questions to a provider that one client may cause: an office can log in at once, but not for long. A demo's
/// provider is a sandbox.
const PROVIDER_RATE: RateLimit = RateLimit { per_minute: 120, burst: 200 };
/// Requests that one copy alone has counted.
const UNCOUNTED: &str = "rate_limits_uncounted_total";
/// At most one line of the log in this time says so, for each limit.
const SAID_EVERY: Duration = Duration::from_secs(10);

/// Limits how often one client may call.
struct RateLimiter {
    clients: DefaultKeyedRateLimiter<ClientNetwork>,
    checks: AtomicU32,
}

impl RateLimiter {
    fn new(rate: RateLimit) -> Self {
        let at_least_one = |n: u32| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(at_least_one(rate.per_minute)).allow_burst(at_least_one(rate.burst));
        Self { clients: DefaultKeyedRateLimiter::keyed(quota), checks: AtomicU32::new(0) }
    }

    fn check(&self, client: ClientNetwork) -> Result<(), Problem> {
        if self.checks.fetch_add(1, Ordering::Relaxed).is_multiple_of(SWEEP_EVERY) {
            self.clients.retain_recent();
        }
        self.clients.check_key(&client).map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            Problem::rate_limited(wait)
        })
    }
}

/// Limits how often one client may call, at all copies of the shop together.
struct SharedRateLimiter {
    /// What this copy has let in. It costs nothing, and spares the database a client who floods.
    own: RateLimiter,
    limited: Limited,
    limit: RateLimit,
    /// When a line of the log last said that the count does not work.
    said: Mutex<Option<Instant>>,
}

impl SharedRateLimiter {
    fn new(limited: Limited, limit: RateLimit) -> Self {
        Self { own: RateLimiter::new(limit), limited, limit, said: Mutex::default() }
    }

    async fn check(&self, client: ClientNetwork, shared: &dyn SharedRateLimits) -> Result<(), Problem> {
        self.own.check(client)?;
        match timeout(COUNT_WITHIN, shared.count(self.limited, self.limit, client)).await {
            Ok(Ok(None)) => Ok(()),
            Ok(Ok(Some(wait))) => Err(Problem::rate_limited(wait)),
            Ok(Err(error)) => {
                self.is_uncounted(&error_chain(&error));
                Ok(())
            }
            Err(elapsed) => {
                self.is_uncounted(&elapsed.to_string());
                Ok(())
            }
        }
    }

    /// A request was let in by this copy's own count. A line of the log for each would be another way to flood it.
    fn is_uncounted(&self, why: &str) {
        metrics::counter!(UNCOUNTED, "limited" => self.limited.name()).increment(1);
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_none_or(|at| at.elapsed() > SAID_EVERY) {
            *said = Some(Instant::now());
            tracing::warn!(why, limited = self.limited.name(), "a limit of all copies cannot be counted");
        }
    }
}

/// Describes the metric, and begins the counters at zero: of one that appears with its first event, no rise is seen.
pub(crate) fn count_from_zero() {
    metrics::describe_counter!(
        UNCOUNTED,
        "Requests that one copy alone has counted against a limit that all share, because the database did not in time."
    );
    for limited in Limited::ALL {
        metrics::counter!(UNCOUNTED, "limited" => limited.name()).increment(0);
    }
}

/// The rate limits, each counted per client.
pub(crate) struct RateLimiters {
    changes: RateLimiter,
    reads: RateLimiter,
    strangers_rows: SharedRateLimiter,
    emails: SharedRateLimiter,
    reports: SharedRateLimiter,
    vins: SharedRateLimiter,
    provider_calls: SharedRateLimiter,
}

impl RateLimiters {
    pub(crate) fn new(settings: &Settings) -> Self {
        let provider_rate = if settings.demo { settings.rate } else { PROVIDER_RATE };
        Self {
            changes: RateLimiter::new(settings.rate),
            reads: RateLimiter::new(settings.read_rate),
            strangers_rows: SharedRateLimiter::new(Limited::Rows, settings.strangers_rows_rate),
            emails: SharedRateLimiter::new(Limited::Emails, settings.email_rate),
            reports: SharedRateLimiter::new(Limited::LogLines, REPORT_RATE),
            vins: SharedRateLimiter::new(Limited::Vins, VIN_RATE),
            provider_calls: SharedRateLimiter::new(Limited::ProviderCalls, provider_rate),
        }
    }

    /// The limit of its own that a budget has.
    const fn of(&self, budget: Budget) -> Option<&SharedRateLimiter> {
        match budget {
            Budget::Row => Some(&self.strangers_rows),
            Budget::Email => Some(&self.emails),
            Budget::Provider => Some(&self.provider_calls),
            Budget::Vin => Some(&self.vins),
            Budget::LogLine => Some(&self.reports),
            Budget::Reading | Budget::Change | Budget::Hash | Budget::Secret => None,
        }
    }

    /// Counts a reading request against its client's limit.
    ///
    /// # Errors
    /// 429 past it.
    pub(crate) fn check_read(&self, request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
        self.reads.check(client_network(request, settings))
    }
}

/// Counts a request against its client's limit.
///
/// # Errors
/// 429 past it.
pub(crate) fn check_rate(request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    let limiter = if request.method().is_safe() { &limiters.reads } else { &limiters.changes };
    limiter.check(client_network(request, settings))
}

/// Counts a request against the limit of its own that its route may have.
///
/// # Errors
/// 429 past it.
pub(crate) async fn check_route_limits(
    route: &RouteSpec,
    request: &HttpRequest,
    app: &AppState,
) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    let Some(limiter) = route.budget().and_then(|budget| limiters.of(budget)) else { return Ok(()) };
    limiter.check(client_network(request, &app.settings), &*app.rate_limits).await
}

/// Counts a response that is to be stored for an unauthenticated client.
///
/// # Errors
/// 429 past the limit.
pub(crate) async fn check_stored_responses(request: &HttpRequest, app: &AppState) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    limiters.strangers_rows.check(client_network(request, &app.settings), &*app.rate_limits).await
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use actix_web::http::StatusCode;
    use ports::{MockSharedRateLimits, StoreError};

    use super::*;

    fn client(number: u32) -> ClientNetwork {
        ClientNetwork::of(IpAddr::V4(Ipv4Addr::from(number)))
    }

    #[test]
    fn each_limiter_forgets_idle_clients() {
        // A client is forgotten once all of its burst is available again: here after a millisecond.
        let fast = RateLimit { per_minute: 60_000, burst: 1 };
        let limiters = [fast; 4].map(RateLimiter::new);
        for number in 0..2_000 {
            for limiter in &limiters {
                assert!(limiter.check(client(number)).is_ok());
            }
        }
        std::thread::sleep(Duration::from_millis(20));
        // The same client, so that only the sweep changes how many there are.
        for _ in 0..SWEEP_EVERY {
            for limiter in &limiters {
                let _ = limiter.check(client(0));
            }
        }
        for limiter in &limiters {
            assert_eq!(limiter.clients.len(), 1);
        }
    }

    /// A count of all copies that answers each time in the same way.
    fn counting(answer: fn() -> Result<Option<Duration>, StoreError>) -> MockSharedRateLimits {
        let mut shared = MockSharedRateLimits::new();
        shared.expect_count().returning(move |_, _, _| answer());
        shared
    }

    const TWO: RateLimit = RateLimit { per_minute: 1, burst: 2 };

    #[tokio::test]
    async fn a_client_who_has_spent_its_burst_elsewhere_waits_as_long_as_the_count_says() {
        let limiter = SharedRateLimiter::new(Limited::Emails, TWO);
        let shared = counting(|| Ok(Some(Duration::from_secs(42))));
        let refused = limiter.check(client(1), &shared).await.unwrap_err();
        let response = actix_web::ResponseError::error_response(&refused);
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers().get("retry-after").unwrap(), "42");
    }

    #[tokio::test]
    async fn a_client_who_floods_one_copy_is_not_counted_by_the_others() {
        let limiter = SharedRateLimiter::new(Limited::Emails, TWO);
        let mut shared = MockSharedRateLimits::new();
        shared.expect_count().times(2).returning(|_, _, _| Ok(None));
        let mut let_in = 0;
        for _ in 0..50 {
            let_in += u32::from(limiter.check(client(1), &shared).await.is_ok());
        }
        assert_eq!(let_in, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn without_the_count_of_all_copies_a_copy_goes_by_its_own() {
        struct Hangs;

        #[async_trait::async_trait]
        impl SharedRateLimits for Hangs {
            async fn count(&self, _: Limited, _: RateLimit, _: ClientNetwork) -> Result<Option<Duration>, StoreError> {
                std::future::pending().await
            }

            async fn forget(&self, _: u32) -> Result<u32, StoreError> {
                Ok(0)
            }
        }

        let away = counting(|| Err(StoreError::Unavailable("gone".into())));
        let broken = counting(|| Err(StoreError::Internal("no such table".into())));
        for shared in [&away as &dyn SharedRateLimits, &broken, &Hangs] {
            let limiter = SharedRateLimiter::new(Limited::Emails, TWO);
            let begun = tokio::time::Instant::now();
            for nth in 0..3 {
                assert_eq!(limiter.check(client(1), shared).await.is_ok(), nth < 2);
            }
            assert!(begun.elapsed() <= 2 * COUNT_WITHIN + Duration::from_millis(10), "{:?}", begun.elapsed());
        }
    }
}
