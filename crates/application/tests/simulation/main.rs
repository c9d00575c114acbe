//! The whole application, driven through histories that nobody would think of.
//!
//! A seed makes a history: buyers, admins, timers, messages and restarts, on a day on which the database and Stripe fail
//! as the seed will have it. Deeds are the real ones. They run side by side and take turns at every call to the world
//! outside, in an order that the seed decides too; any of them may be cut off between two calls and never go on. After
//! every turn the invariants are checked, and once all is quiet, that everything has come right.
//!
//! ```sh
//! make test-simulation                         # the same histories every time
//! SIM_SEED=4711 make test-simulation           # one of them, told line by line
//! SIM_HISTORIES=1000000 make test-simulation   # more of them
//! ```
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod books;
mod bug;
mod history;
mod invariants;
mod planted;
mod provider;
mod stores;
mod world;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

use bug::Bug;
use history::Violation;

/// How many histories there are if nobody says otherwise.
const HISTORIES: u64 = 10_000;

/// What many histories came to.
#[derive(Default)]
struct Outcome {
    /// The lowest seed whose history is broken, and how.
    first: Option<(u64, Violation)>,
    /// How often things happened, in all of them.
    counts: BTreeMap<&'static str, u64>,
}

/// Runs histories on all cores, until one is broken in a way that `counts`.
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
                    let told = history::run(seed, bug, false);
                    let mut outcome = outcome.lock().unwrap();
                    for (what, times) in told.notes.counts {
                        *outcome.counts.entry(what).or_default() += times;
                    }
                    if let Some(violation) = told.violation.filter(&counts)
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

/// All histories of the application as it is, run once for the tests that look at them.
static ALL: LazyLock<Outcome> =
    LazyLock::new(|| run_all(0..told("SIM_HISTORIES").unwrap_or(HISTORIES), None, |_| true));

#[expect(clippy::disallowed_methods, reason = "how far a test goes is no setting of the shop")]
fn told(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a whole number, not {text}")))
}

#[test]
fn no_history_breaks_a_promise() {
    if let Some(seed) = told("SIM_SEED") {
        let told = history::run(seed, None, true);
        println!("{}", told.trace.join("\n"));
        assert_eq!(told.violation, None, "history {seed}");
        return;
    }
    if let Some((seed, violation)) = &ALL.first {
        let trace = history::run(*seed, None, true).trace;
        let last = &trace[trace.len().saturating_sub(60)..];
        panic!(
            "It is not true that {}: {} (move {})\n{}\nThe whole of it: SIM_SEED={seed} make test-simulation",
            violation.invariant,
            violation.how,
            violation.at,
            last.join("\n"),
        );
    }
}

#[test]
fn a_seed_tells_the_same_history_every_time() {
    for seed in 0..20 {
        let (one, other) = (history::run(seed, None, true), history::run(seed, None, true));
        assert!(one.trace.len() > 100, "history {seed} has {} lines", one.trace.len());
        assert_eq!(one.trace, other.trace, "history {seed}");
    }
    assert_ne!(history::run(1, None, true).trace, history::run(2, None, true).trace);
}

/// Histories in which nothing happens would break no promise either.
#[test]
fn the_histories_go_everywhere() {
    let fewer = told("SIM_SEED").is_some() || told("SIM_HISTORIES").is_some_and(|histories| histories < HISTORIES);
    if fewer || ALL.first.is_some() {
        return;
    }
    for what in [
        "a browser's word was not enough",
        "a browser's word was true",
        "a change came too late",
        "a deed was cut off",
        "a message has to come again",
        "a message was heard",
        "a bank decided",
        "a bank transfer was recorded",
        "a called-off order's refund was decided",
        "a dispute was noted",
        "a payment came too late for its order",
        "a payment seemed to drift",
        "a payment was audited",
        "a payment was opened",
        "a payment was recorded",
        "a payment was tampered with",
        "a payment did not fit",
        "a payment that did not fit was sent back",
        "a payment was disputed",
        "a payment was unknown",
        "a refund came back",
        "a refund past the shop was found",
        "a refund waited",
        "a refund was refused",
        "a refund was sent again",
        "a timer closed a payment",
        "a timer could not tell",
        "a timer sent a refund",
        "a timer settled a payment",
        "an old order was kept",
        "an order was cancelled",
        "an order was cancelled before",
        "an order was given up",
        "an order was not cancelled",
        "an order was not refunded",
        "an order was not shipped",
        "an order was placed",
        "an order was placed again",
        "an order was refunded",
        "an order was refused",
        "an order was shipped",
        "goods stayed",
        "late money was sent back",
        "money went back at the dashboard",
        "no payment was opened",
        "some of an order was refunded",
        "Stripe did not answer",
        "the database failed",
        "the price had changed",
        "too few were left",
    ] {
        assert!(ALL.counts.get(what).is_some_and(|times| *times >= 10), "too seldom: {what}, of {:#?}", ALL.counts);
    }
}
