//! Limits on how often one client may call.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use actix_web::HttpRequest;
use actix_web::web::Data;
use domain::ClientNetwork;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};

use crate::app_state::{RateLimit, Settings};
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

/// The rate limits, each counted per client.
pub(crate) struct RateLimiters {
    changes: RateLimiter,
    reads: RateLimiter,
    strangers_rows: RateLimiter,
    emails: RateLimiter,
    reports: RateLimiter,
    vins: RateLimiter,
    provider_calls: RateLimiter,
}

impl RateLimiters {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            changes: RateLimiter::new(settings.rate),
            reads: RateLimiter::new(settings.read_rate),
            strangers_rows: RateLimiter::new(settings.strangers_rows_rate),
            emails: RateLimiter::new(settings.email_rate),
            reports: RateLimiter::new(REPORT_RATE),
            vins: RateLimiter::new(VIN_RATE),
            provider_calls: RateLimiter::new(if settings.demo { settings.rate } else { PROVIDER_RATE }),
        }
    }
}

impl RateLimiters {
    /// The limit of its own that a budget has.
    fn of(&self, budget: Budget) -> Option<&RateLimiter> {
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
pub(crate) fn check_route_limits(route: &RouteSpec, request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    let Some(limiter) = route.budget().and_then(|budget| limiters.of(budget)) else { return Ok(()) };
    limiter.check(client_network(request, settings))
}

/// Counts a response that is to be stored for an unauthenticated client.
///
/// # Errors
/// 429 past the limit.
pub(crate) fn check_stored_responses(request: &HttpRequest, settings: &Settings) -> Result<(), Problem> {
    let Some(limiters) = request.app_data::<Data<RateLimiters>>() else { return Ok(()) };
    limiters.strangers_rows.check(client_network(request, settings))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

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
}
