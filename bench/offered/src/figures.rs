//! What came back.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::connection::{Answer, Due};

/// The longest time that is measured, in microseconds.
const LONGEST: u64 = 60_000_000;

/// What came back in one phase.
pub(crate) struct Figures {
    begun: Instant,
    kinds: Vec<String>,
    of_kind: Vec<RefCell<OfKind>>,
    by_second: RefCell<Vec<OfSecond>>,
    last: Cell<Instant>,
}

/// A refusal that takes so long, in microseconds, was given because the shop no longer waited: it may have been done all the same.
const UNDECIDED: u64 = 2_000_000;

struct OfKind {
    accepted: u64,
    /// By what it was: a status, with `bare` if it does not say when to come again, or why there was none.
    others: BTreeMap<String, u64>,
    took: Histogram<u64>,
    refused_after: Histogram<u64>,
}

/// What was due in one second.
struct OfSecond {
    took: Histogram<u64>,
    refused_after: Histogram<u64>,
    /// By how much the load itself was late: all figures of this second are too high by that.
    late: Duration,
}

impl OfSecond {
    fn new() -> Self {
        Self { took: histogram(), refused_after: histogram(), late: Duration::ZERO }
    }
}

fn histogram() -> Histogram<u64> {
    // Cannot fail with these bounds; without a limit it grows as it has to.
    Histogram::new_with_max(LONGEST, 3).unwrap_or_else(|_| unreachable!("the bounds are constants"))
}

impl Figures {
    pub(crate) fn new(begun: Instant, kinds: Vec<String>) -> Self {
        let none = || OfKind { accepted: 0, others: BTreeMap::new(), took: histogram(), refused_after: histogram() };
        let of_kind = kinds.iter().map(|_| RefCell::new(none())).collect();
        Self { begun, kinds, of_kind, by_second: RefCell::default(), last: Cell::new(begun) }
    }

    pub(crate) fn answered(&self, due: &Due, answer: Answer) {
        let now = Instant::now();
        self.last.set(now);
        let micros = u64::try_from((now - due.at).as_micros()).unwrap_or(LONGEST).min(LONGEST);
        let mut kind = self.of_kind[due.kind].borrow_mut();
        if (200..400).contains(&answer.status) {
            kind.accepted += 1;
            kind.took.saturating_record(micros);
            self.in_second(due.at, |second| second.took.saturating_record(micros));
            return;
        }
        let bare = if answer.says_when { "" } else { " bare" };
        *kind.others.entry(format!("{}{bare}", answer.status)).or_default() += 1;
        kind.refused_after.saturating_record(micros);
        self.in_second(due.at, |second| second.refused_after.saturating_record(micros));
    }

    /// The load woke up so late.
    pub(crate) fn late(&self, by: Duration) {
        self.in_second(Instant::now(), |second| second.late = second.late.max(by));
    }

    fn in_second(&self, at: Instant, note: impl FnOnce(&mut OfSecond)) {
        let nth = usize::try_from((at - self.begun).as_secs()).unwrap_or(usize::MAX);
        let mut by_second = self.by_second.borrow_mut();
        while by_second.len() <= nth {
            by_second.push(OfSecond::new());
        }
        note(&mut by_second[nth]);
    }

    pub(crate) fn broken(&self, kind: usize, why: &str) {
        self.last.set(Instant::now());
        *self.of_kind[kind].borrow_mut().others.entry(why.to_owned()).or_default() += 1;
    }

    /// Waits until nothing has come back for a while.
    pub(crate) async fn settled(&self, at_most: Duration) {
        let until = Instant::now() + at_most;
        while Instant::now() < until && self.last.get().elapsed() < Duration::from_millis(500) {
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// As a line of JSON; times are milliseconds.
    pub(crate) fn in_words(&self, name: &str, rate: f64) -> Value {
        let ms = |histogram: &Histogram<u64>, quantile: f64| {
            f64::from(u32::try_from(histogram.value_at_quantile(quantile)).unwrap_or(u32::MAX)) / 1_000.0
        };
        let kinds: serde_json::Map<String, Value> = self
            .kinds
            .iter()
            .zip(&self.of_kind)
            .map(|(name, kind)| {
                let kind = kind.borrow();
                let said = json!({
                    "accepted": kind.accepted, "others": kind.others,
                    "p50": ms(&kind.took, 0.5), "p99": ms(&kind.took, 0.99), "max": ms(&kind.took, 1.0),
                    "refusedP50": ms(&kind.refused_after, 0.5), "refusedP99": ms(&kind.refused_after, 0.99),
                    "refusedMax": ms(&kind.refused_after, 1.0),
                    "undecided": kind.refused_after.count_between(UNDECIDED, LONGEST),
                });
                (name.clone(), said)
            })
            .collect();
        let mut all = histogram();
        let by_second = self.by_second.borrow();
        for second in &*by_second {
            all.add(&second.took).unwrap_or_default();
        }
        let seconds: Vec<Value> = by_second
            .iter()
            .map(|second| {
                json!({
                    "accepted": second.took.len(), "p99": ms(&second.took, 0.99),
                    "refused": second.refused_after.len(), "refusedP99": ms(&second.refused_after, 0.99),
                    "late": second.late.as_millis(),
                })
            })
            .collect();
        json!({
            "phase": name, "rate": rate, "p50": ms(&all, 0.5), "p99": ms(&all, 0.99), "kinds": kinds, "seconds": seconds,
        })
    }
}
