//! What the simulated shop stands on: one moment, one database, one Stripe, and a gate that every call to them passes.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::time::Duration;

use application::PlaceOrder;
use domain::{Caller, OrderId, Timestamp, TransactionId};
use testkit::fake_stripe::{Account, Dice, Endpoint, Keys, Rates};
use uuid::Uuid;

use crate::books::Books;
use crate::bug::Bug;

/// What has gone by since 1970 when a history begins.
const BEGINNING: Duration = Duration::from_hours(500_000);

/// How much goes wrong in a history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weather {
    /// With Stripe.
    pub(crate) stripe: Rates,
    /// With the database: how often, from 0 to 1, a call to it fails, half of them after it has acted.
    pub(crate) database: f64,
}

/// Everything that there is, behind one lock: a history takes turns anyway.
pub(crate) struct World(Mutex<State>);

/// Everything that there is.
pub(crate) struct State {
    /// What has gone by since 1970.
    pub(crate) now: Duration,
    /// The database.
    pub(crate) books: Books,
    /// The payment provider.
    pub(crate) stripe: Account,
    /// What people know.
    pub(crate) notes: Notes,
    /// The promise that is broken on purpose.
    pub(crate) bug: Option<Bug>,
    /// Grows with whatever may have changed something.
    pub(crate) version: u64,
    /// Who acts at this moment, for the trace.
    pub(crate) acting: String,
    luck: Dice,
    database_fails: f64,
    last_id: u128,
    trace: Option<Vec<String>>,
}

/// What people know, and what has been seen on the way.
#[derive(Default)]
pub(crate) struct Notes {
    /// Orders that their buyers were told of.
    pub(crate) acknowledged: BTreeSet<OrderId>,
    /// What was ordered under a key, so that it can be sent again.
    pub(crate) wishes: Vec<(Caller, PlaceOrder)>,
    /// What browsers were given to pay with.
    pub(crate) secrets: Vec<(OrderId, String)>,
    /// Which payments Stripe told the shop of as those of an order's attempt.
    pub(crate) opened: BTreeMap<(OrderId, u32), BTreeSet<TransactionId>>,
    /// Payments about whose amount Stripe's answer was wrong once.
    pub(crate) misquoted: BTreeSet<TransactionId>,
    /// Payments whose amount somebody changed at Stripe.
    pub(crate) tampered: BTreeSet<TransactionId>,
    /// What was sent back at Stripe's dashboard, of each payment, whether or not it arrived.
    pub(crate) elsewhere: BTreeMap<TransactionId, i64>,
    /// Messages of Stripe's that a payment succeeded.
    pub(crate) messages: BTreeMap<String, TransactionId>,
    /// Promises that a deed's own answer broke: which, and how.
    pub(crate) broken: Vec<(&'static str, String)>,
    /// How often things happened, to show that they do.
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

/// How a call to the database goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Luck {
    Good,
    FailsBefore,
    FailsAfter,
}

impl World {
    pub(crate) fn new(seed: u64, weather: Weather, bug: Option<Bug>, traced: bool) -> Self {
        let keys = Keys { secret: "sk_test_shop".to_owned(), publishable: "pk_test_browser".to_owned() };
        let mut stripe = Account::new(keys, "http://stripe.test", seed, weather.stripe);
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
            luck: Dice::new(seed, 10),
            database_fails: weather.database,
            last_id: 0,
            trace: traced.then(Vec::new),
        }))
    }

    /// Looks at everything, or changes it, in one go.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap())
    }

    /// Lets others go first: whoever polls the deed that calls decides when the call happens, or that it never does.
    pub(crate) async fn pass(&self, call: &str) {
        Turn { taken: false }.await;
        self.with(|state| state.tell(|| format!("  {call}")));
    }
}

impl State {
    /// The moment as the shop knows it.
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

    pub(crate) fn database_luck(&mut self) -> Luck {
        let (share, after) = (self.luck.share(), self.luck.below(2) == 1);
        match share < self.database_fails {
            false => Luck::Good,
            true if after => Luck::FailsAfter,
            true => Luck::FailsBefore,
        }
    }

    /// The banks decide on every dispute that is open; answers on how many.
    pub(crate) fn close_disputes(&mut self, won: bool) -> usize {
        let open: Vec<String> = self.stripe.open_disputes().map(str::to_owned).collect();
        for id in &open {
            let body: &[u8] = if won { br#"{"won": true}"# } else { br#"{"won": false}"# };
            self.stripe.desk("POST", &format!("/_fake/disputes/{id}/close"), "", body, self.now);
        }
        self.version += 1;
        open.len()
    }

    /// From now on nothing goes wrong by itself.
    pub(crate) fn calm_down(&mut self) {
        self.database_fails = 0.0;
        self.stripe.desk("POST", "/_fake/faults", "", br#"{"rates": {}}"#, self.now);
        self.stripe.desk("POST", "/_fake/balance", "", br#"{"empty": false}"#, self.now);
    }

    /// A line of the trace, if one is kept.
    pub(crate) fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let so_far = self.now.saturating_sub(BEGINNING).as_secs_f64();
            trace.push(format!("{so_far:>9.3} {:<14} {}", self.acting, line()));
        }
    }

    pub(crate) fn take_trace(&mut self) -> Vec<String> {
        self.trace.take().unwrap_or_default()
    }
}

/// Ready when it is asked for the second time, which it asks for at once: a deed may run several calls side by side.
struct Turn {
    taken: bool,
}

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.taken, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
