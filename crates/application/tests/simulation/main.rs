//! Simulation tests: the whole application, driven through random histories.
//!
//! A seed determines a history: customers, admins, timers, webhooks and restarts, with failures of the database and
//! Stripe. The use cases are the real ones. They run concurrently and yield at every call to a port, in an order that
//! the seed decides. Any of them may be cancelled between two calls. The invariants are checked after every step; once
//! everything has settled, the final invariants are checked too.
//!
//! ```sh
//! make test-simulation                         # the same histories every time
//! SIM_SEED=4711 make test-simulation           # one of them, with a trace
//! SIM_HISTORIES=1000000 make test-simulation   # more of them
//! ```
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod books;
mod bug;
mod checkout_moves;
mod checkouts;
mod history;
mod invariants;
mod planted;
mod prices;
mod provider;
mod shares;
mod shop;
mod stores;
mod terms;
mod world;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

use bug::Bug;
use history::Violation;

/// Number of histories unless `SIM_HISTORIES` is set.
const HISTORIES: u64 = 10_000;

/// Combined result of many histories.
#[derive(Default)]
struct Outcome {
    /// The lowest seed whose history violates an invariant, with the violation.
    first: Option<(u64, Violation)>,
    /// How often each kind of event happened in all histories.
    counts: BTreeMap<&'static str, u64>,
}

/// Runs histories on all cores until one has a violation that `counts`.
fn run_all(seeds: Range<u64>, bug: Option<Bug>, counts: impl Fn(&Violation) -> bool + Sync) -> Outcome {
    let next = AtomicU64::new(seeds.start);
    let outcome = Mutex::new(Outcome::default());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let beaten = outcome.lock().unwrap().first.as_ref().is_some_and(|(first, _)| *first < seed);
                    if seed >= seeds.end || beaten {
                        return;
                    }
                    let report = history::run(seed, bug, false);
                    let mut outcome = outcome.lock().unwrap();
                    for (what, times) in report.notes.counts {
                        *outcome.counts.entry(what).or_default() += times;
                    }
                    if let Some(violation) = report.violation.filter(&counts)
                        && outcome.first.as_ref().is_none_or(|(first, _)| seed < *first)
                    {
                        outcome.first = Some((seed, violation));
                    }
                }
            });
        }
    });
    outcome.into_inner().unwrap()
}

/// All histories of the application as it is, run once and shared by the tests that check them.
static ALL: LazyLock<Outcome> =
    LazyLock::new(|| run_all(0..env_number("SIM_HISTORIES").unwrap_or(HISTORIES), None, |_| true));

#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
fn env_number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a whole number, not {text}")))
}

#[test]
fn no_history_violates_an_invariant() {
    if let Some(seed) = env_number("SIM_SEED") {
        let report = history::run(seed, None, true);
        println!("{}", report.trace.join("\n"));
        assert_eq!(report.violation, None, "history {seed}");
        return;
    }
    if let Some((seed, violation)) = &ALL.first {
        let trace = history::run(*seed, None, true).trace;
        let last = &trace[trace.len().saturating_sub(60)..];
        panic!(
            "Violated: {}: {} (move {})\n{}\nFull trace: SIM_SEED={seed} make test-simulation",
            violation.invariant,
            violation.how,
            violation.at,
            last.join("\n"),
        );
    }
}

#[test]
fn a_seed_always_produces_the_same_history() {
    for seed in 0..20 {
        let (one, other) = (history::run(seed, None, true), history::run(seed, None, true));
        assert!(one.trace.len() > 100, "history {seed} has {} lines", one.trace.len());
        assert_eq!(one.trace, other.trace, "history {seed}");
    }
    assert_ne!(history::run(1, None, true).trace, history::run(2, None, true).trace);
}

/// What has to happen ten times at least.
const EVENTS: [&str; 76] = [
    "a reported payment was not confirmed",
    "a reported payment was confirmed",
    "a change conflicted",
    "a use case was cancelled",
    "an event must be retried",
    "an event was processed",
    "a bank decided a dispute",
    "a bank transfer was recorded",
    "a cancelled order's refund was decided",
    "a dispute was noted",
    "a payment came too late for its order",
    "a payment seemed to drift",
    "a payment was audited",
    "a payment was opened",
    "a payment was recorded",
    "a payment's amount was changed",
    "a payment mismatched",
    "a mismatched payment was refunded",
    "a payment was disputed",
    "a payment was unknown",
    "a refund failed",
    "an external refund was found",
    "a refund waited",
    "a refund was refused",
    "a refund was sent again",
    "a timer closed a payment",
    "a timer could not decide",
    "a timer sent a refund",
    "a timer settled a payment",
    "an expired order was kept",
    "an order was cancelled",
    "an order was cancelled before",
    "an expired order was cancelled",
    "an order was not cancelled",
    "an order was not refunded",
    "an order was not shipped",
    "an order was placed",
    "an order was placed again",
    "an order was refunded",
    "an order was refused",
    "an order was shipped",
    "an unsafe order was not shipped",
    "a late payment was refunded",
    "a payment was refunded at the dashboard",
    "no payment was opened",
    "an order was partly refunded",
    "Stripe did not answer",
    "the database failed",
    "the price had changed",
    "stock ran out",
    "a timer refunded a payment",
    "a checkout lapsed",
    "a checkout of one line became an order",
    "a checkout was cancelled",
    "a checkout was cancelled before",
    "a checkout was not cancelled",
    "a checkout was paid",
    "a checkout was placed",
    "a checkout was placed again",
    "a checkout was placed in part",
    "a checkout was refused",
    "a checkout waited for its freight",
    "a checkout's freight was set",
    "a key was used for another checkout",
    "a line of a checkout was cancelled",
    "a line was paid with its checkout",
    "a line was partly refunded",
    "a paid line was cancelled with a refund",
    "a payment came too late for its checkout",
    "a payment was opened for a checkout",
    "a payment waited for the freight",
    "a reported payment of a checkout was confirmed",
    "a reported payment of a checkout was not confirmed",
    "a share of a late payment was refunded",
    "an external refund was booked on a line",
    "the freight was not set",
];

/// Histories in which nothing happens would violate no invariant either.
#[test]
fn the_histories_go_everywhere() {
    let fewer =
        env_number("SIM_SEED").is_some() || env_number("SIM_HISTORIES").is_some_and(|histories| histories < HISTORIES);
    if fewer || ALL.first.is_some() {
        return;
    }
    for what in EVENTS {
        assert!(ALL.counts.get(what).is_some_and(|times| *times >= 10), "too rare: {what}, of {:#?}", ALL.counts);
    }
}
