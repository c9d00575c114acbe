//! What the simulated shop runs on: one clock, one database, one Stripe, and one point at which every call to them
//! yields.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Duration;

use application::{PlaceCheckout, PlaceOrder};
use domain::{Caller, OrderId, Payable, Timestamp, TransactionId};
use testkit::fake_stripe::{Account, Endpoint, Keys, Rates, SeededRng};
use uuid::Uuid;

use crate::books::Books;
use crate::bug::Bug;

/// Time since 1970 when a history begins.
const BEGINNING: Duration = Duration::from_hours(500_000);

/// How often something fails in a history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Faults {
    /// Fault rates of Stripe.
    pub(crate) stripe: Rates,
    /// Share of database calls that fail, from 0 to 1; half of them fail after the transaction has committed.
    pub(crate) database: f64,
}

/// The whole simulated world, behind one lock: only one task runs at a time anyway.
pub(crate) struct World(Mutex<State>);

/// The state behind the lock.
pub(crate) struct State {
    /// Time since 1970.
    pub(crate) now: Duration,
    /// The database.
    pub(crate) books: Books,
    /// The payment provider.
    pub(crate) stripe: Account,
    /// What the clients know.
    pub(crate) notes: Notes,
    /// The planted bug.
    pub(crate) bug: Option<Bug>,
    /// Incremented by everything that may change the state.
    pub(crate) version: u64,
    /// The task that is running now, for the trace.
    pub(crate) acting: String,
    rng: SeededRng,
    database_fails: f64,
    last_id: u128,
    trace: Option<Vec<String>>,
}

/// What the clients know, and what happened so far.
#[derive(Default)]
pub(crate) struct Notes {
    /// Orders that were confirmed to their customers.
    pub(crate) acknowledged: BTreeSet<OrderId>,
    /// Orders sent under an idempotency key, to be sent again.
    pub(crate) commands: Vec<(Caller, PlaceOrder)>,
    /// Checkouts sent under an idempotency key, to be sent again.
    pub(crate) checkouts: Vec<(Caller, PlaceCheckout)>,
    /// The idempotency keys of checkouts that are being placed. A key is claimed by one request at a time.
    pub(crate) claimed: BTreeSet<[u8; 32]>,
    /// Client secrets that browsers received to pay with.
    pub(crate) secrets: Vec<(Payable, String)>,
    /// The payments that Stripe returned for each attempt to pay a sum for something.
    pub(crate) opened: BTreeMap<(Payable, u32, i64), BTreeSet<TransactionId>>,
    /// Payments whose amount Stripe once reported wrongly.
    pub(crate) misquoted: BTreeSet<TransactionId>,
    /// Payments whose amount was changed at Stripe.
    pub(crate) tampered: BTreeSet<TransactionId>,
    /// Amount refunded at Stripe's dashboard for each payment, whether or not it arrived.
    pub(crate) elsewhere: BTreeMap<TransactionId, i64>,
    /// Stripe's events that report a successful payment.
    pub(crate) messages: BTreeMap<String, TransactionId>,
    /// Invariants that a use case's own response violated: which, and how.
    pub(crate) broken: Vec<(&'static str, String)>,
    /// How often each kind of event happened, to show that all of them do.
    pub(crate) counts: BTreeMap<&'static str, u64>,
}

impl Notes {
    pub(crate) fn count(&mut self, what: &'static str) {
        self.add(what, 1);
    }

    pub(crate) fn add(&mut self, what: &'static str, times: u64) {
        *self.counts.entry(what).or_default() += times;
    }
}

/// How a database call ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    Good,
    FailsBefore,
    FailsAfter,
}

impl World {
    pub(crate) fn new(seed: u64, faults: Faults, bug: Option<Bug>, traced: bool) -> Self {
        let keys = Keys { secret: "sk_test_shop".to_owned(), publishable: "pk_test_browser".to_owned() };
        let mut stripe = Account::new(keys, "http://stripe.test", seed, faults.stripe);
        let endpoint = Endpoint { url: "http://shop.test/hook".to_owned(), secrets: vec!["whsec_test".to_owned()] };
        stripe.send_webhooks_to(Some(endpoint));
        Self(Mutex::new(State {
            now: BEGINNING,
            books: Books::default(),
            stripe,
            notes: Notes::default(),
            bug,
            version: 0,
            acting: String::new(),
            rng: SeededRng::new(seed, 10),
            database_fails: faults.database,
            last_id: 0,
            trace: traced.then(Vec::new),
        }))
    }

    /// Reads or changes the state under the lock.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap())
    }

    /// Yields to other tasks. The scheduler that polls the calling use case decides when the call happens, or that it
    /// never does.
    pub(crate) async fn pass(&self, call: &str) {
        YieldOnce { yielded: false }.await;
        self.with(|state| state.log(|| format!("  {call}")));
    }
}

impl State {
    /// The current time, as the shop reads it.
    pub(crate) fn timestamp(&self) -> Timestamp {
        Timestamp::from_microsecond(i64::try_from(self.now.as_micros()).unwrap()).unwrap()
    }

    pub(crate) fn fresh_id(&mut self) -> Uuid {
        self.last_id += 1;
        Uuid::from_u128(self.last_id)
    }

    pub(crate) fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    pub(crate) fn database_outcome(&mut self) -> CallOutcome {
        let (share, after) = (self.rng.share(), self.rng.below(2) == 1);
        match share < self.database_fails {
            false => CallOutcome::Good,
            true if after => CallOutcome::FailsAfter,
            true => CallOutcome::FailsBefore,
        }
    }

    /// Closes every open dispute with this outcome. Returns how many were open.
    pub(crate) fn close_disputes(&mut self, won: bool) -> usize {
        let open: Vec<String> = self.stripe.open_disputes().map(str::to_owned).collect();
        for id in &open {
            let body: &[u8] = if won { br#"{"won": true}"# } else { br#"{"won": false}"# };
            self.stripe.control("POST", &format!("/_fake/disputes/{id}/close"), "", body, self.now);
        }
        self.version += 1;
        open.len()
    }

    /// From here on there are no random failures.
    pub(crate) fn calm_down(&mut self) {
        self.database_fails = 0.0;
        self.stripe.control("POST", "/_fake/faults", "", br#"{"rates": {}}"#, self.now);
        self.stripe.control("POST", "/_fake/balance", "", br#"{"empty": false}"#, self.now);
    }

    /// Adds a line to the trace if tracing is on.
    pub(crate) fn log(&mut self, line: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let so_far = self.now.saturating_sub(BEGINNING).as_secs_f64();
            trace.push(format!("{so_far:>9.3} {:<14} {}", self.acting, line()));
        }
    }

    pub(crate) fn take_trace(&mut self) -> Vec<String> {
        self.trace.take().unwrap_or_default()
    }
}

/// Ready on the second poll. It wakes itself immediately, because a use case may run several calls concurrently.
struct YieldOnce {
    yielded: bool,
}

impl Future for YieldOnce {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
