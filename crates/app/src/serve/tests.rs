//! The production shop as it is wired, with the testkit's Stripe behind it: the effect of Stripe's events in whatever
//! order and number they arrive.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use application::{App, Demanded, Failure, OpenPayment, PlaceOrder, ProductSelector, RefundOrder, SignUp, Unavailable};
use domain::notifications::delivery::{DeliveryState, Topic};
use domain::payments::refund::Withheld;
use domain::{
    Caller, Category, MinOrder, Money, OrderEventKind, OrderId, Password, ProductDetails, ProductId, Role, Stock, Text,
    UnitPrice,
};
use persistence::Database;
use ports::{AttentionItem, DeliveryQuery, EventMessage, Pagination};
use serde_json::{Value, json};
use testkit::TestDatabase;
use testkit::fake_stripe::{Account, FakeStripe, Keys, Outcome, Rates, Request, SeededRng, Trouble, signature};
use tokio::task::JoinSet;

use super::*;

mod takeovers;

/// A process can install only one recorder.
static METRICS: LazyLock<Metrics> = LazyLock::new(|| Metrics::collect().unwrap());

/// How many streams of events, over all lanes.
const STREAMS: u64 = 1_000;
/// How many streams run concurrently, each with a Stripe of its own.
const LINES: u64 = 4;
const SECRETS: [&str; 2] = ["whsec_in_use", "whsec_before"];
/// The kinds of events about a payment; each stream has all of them, true or not.
const KINDS: [&str; 6] = [
    "payment_intent.created",
    "payment_intent.processing",
    "payment_intent.payment_failed",
    "payment_intent.succeeded",
    "payment_intent.canceled",
    "charge.refunded",
];

/// How a payment ends at Stripe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Paid,
    PaidAfterProcessing,
    /// By an operator in Stripe's dashboard: only the events and the audit of Stripe's records report it.
    PaidAndSentBack,
    /// By a card whose owner disputes the charge.
    PaidAndDisputed,
    Cancelled,
    Open,
}

impl Ending {
    const ALL: [Self; 6] = [
        Self::Paid,
        Self::PaidAfterProcessing,
        Self::PaidAndSentBack,
        Self::PaidAndDisputed,
        Self::Cancelled,
        Self::Open,
    ];

    fn is_paid(self) -> bool {
        !matches!(self, Self::Cancelled | Self::Open)
    }
}

fn settings(database: &str, stripe: &str) -> Serve {
    let set = [
        ("DATABASE_URL", database),
        ("PUBLIC_URL", "http://127.0.0.1:8080"),
        ("ADMIN_SECOND_FACTOR", "optional"),
        ("TOKEN_SECRET", "0123456789abcdef0123456789abcdef"),
        ("STRIPE_SECRET_KEY", "sk_test_driveline"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_driveline"),
        ("STRIPE_WEBHOOK_SECRET", SECRETS[0]),
        ("STRIPE_WEBHOOK_SECRET_PREVIOUS", SECRETS[1]),
        ("STRIPE_API_BASE", stripe),
    ]
    .map(|(name, value)| (name, std::ffi::OsString::from(value)));
    crate::config::serve(&move |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()))
        .unwrap()
}

fn migrate(url: &str) {
    // The testkit calls from inside a runtime, which cannot wait for another one.
    std::thread::scope(|scope| {
        let migrating = scope.spawn(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(persistence::migrations::run(url)).unwrap()
        });
        assert!(!migrating.join().unwrap().is_empty());
    });
}

fn details() -> ProductDetails {
    ProductDetails::new(
        Text::new("Vented Disc").unwrap(),
        Text::new("Cast, machined and balanced.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        UnitPrice::new(Money::from_cents(12_900).unwrap()).unwrap(),
        MinOrder::effective(50).unwrap(),
        Stock::new(1_000_000).unwrap(),
    )
}

/// An instance of the shop, the Stripe behind it, and a customer.
struct Lane {
    shop: App,
    provider_events: Arc<dyn ports::ProviderEvents>,
    stripe: FakeStripe,
    customer: Caller,
    product: ProductId,
    rng: SeededRng,
}

impl Lane {
    async fn open(number: u64, url: &str, database: &Database, metrics: &Metrics) -> Self {
        let stripe = FakeStripe::start(testkit::fake_stripe::Settings::default()).await.unwrap();
        let (http, adapters) = outside(settings(url, stripe.base())).unwrap();
        let ports = wiring::ports(database, &adapters, &http).unwrap();
        let app = wiring::app_state(database, &ports, adapters, http, metrics, Lifecycle::starting());
        let customer = Self::sign_up(&app.shop, &format!("buyer.{number}@example.com")).await;
        let product = app.shop.catalog.add_product(&Self::as_admin(&customer), details(), None).await.unwrap();
        let provider_events = app.provider_events.unwrap();
        Self { shop: app.shop, provider_events, stripe, customer, product, rng: SeededRng::new(number, 0) }
    }

    async fn sign_up(shop: &App, email: &str) -> Caller {
        let command = SignUp {
            name: Text::new("Robin Vale").unwrap(),
            email: email.parse().unwrap(),
            password: Password::choose("a long walk home").unwrap(),
            from: std::net::Ipv4Addr::LOCALHOST.into(),
        };
        let signed_in = shop.signing_in.sign_up(command).await.unwrap();
        shop.signing_in.caller_by_cookie(&signed_in.secret, Demanded::FIRST_FACTOR).await.unwrap().unwrap()
    }

    fn as_admin(customer: &Caller) -> Caller {
        Caller { role: Role::Admin, ..customer.clone() }
    }

    /// Calls Stripe with the account's secret key.
    fn ask(&self, method: &str, path: &str, query: &str, form: &str) -> Value {
        let request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            authorization: Some("Bearer sk_test_driveline".to_owned()),
            body: form.into(),
            ..Request::default()
        };
        match self.stripe.with(|account, now| account.call(&request, now)) {
            Outcome::Answer(answer, _) => serde_json::from_str(&answer.body).unwrap(),
            other => panic!("{method} {path}: {other:?}"),
        }
    }

    /// All events that Stripe has so far.
    fn events(&self) -> Vec<String> {
        let listed = self.ask("GET", "/v1/events", "limit=100", "");
        listed["data"].as_array().unwrap().iter().map(Value::to_string).collect()
    }

    fn shuffle(&mut self, events: &mut [String]) {
        for place in (1..events.len()).rev() {
            let other = usize::try_from(self.rng.below(place as u64 + 1)).unwrap();
            events.swap(place, other);
        }
    }

    /// Each event between `least` and three times.
    fn repeat(&mut self, events: Vec<String>, least: u64) -> Vec<String> {
        let mut repeated: Vec<String> = events
            .into_iter()
            .flat_map(|event| {
                let copies = least + self.rng.below(4 - least);
                std::iter::repeat_n(event, usize::try_from(copies).unwrap())
            })
            .collect();
        self.shuffle(&mut repeated);
        repeated
    }

    /// Delivers events to the shop, up to three concurrently. One that it cannot handle now is sent again, as Stripe
    /// does it.
    async fn deliver(&mut self, events: Vec<String>) {
        let mut bag = events;
        while !bag.is_empty() {
            let some = bag.split_off(bag.len().saturating_sub(3));
            let mut under_way = JoinSet::new();
            for event in some {
                let (shop, provider_events) = (self.shop.clone(), Arc::clone(&self.provider_events));
                let secret = SECRETS[usize::try_from(self.rng.below(2)).unwrap()].to_owned();
                under_way.spawn(async move {
                    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
                    let signed = signature(&[secret], now, event.as_bytes());
                    let headers = [("stripe-signature", signed.as_str())].into();
                    let message = EventMessage { body: event.as_bytes(), headers };
                    let handled = shop.payments.handle_payment_event(provider_events.as_ref(), &message).await;
                    (handled, event)
                });
            }
            while let Some(ended) = under_way.join_next().await {
                match ended.unwrap() {
                    (Ok(()), _) => {}
                    (Err(Failure::Unavailable(Unavailable::Contended)), event) => bag.push(event),
                    (Err(error), event) => panic!("{error:?} from {event}"),
                }
            }
        }
    }

    async fn deliver_some(&mut self) {
        let events = self.events();
        let some = self.repeat(events, 0);
        self.deliver(some).await;
    }

    /// An order, and the payment that was opened for it at a Stripe that knows no other.
    async fn open_payment(&self, seed: u64) -> (OrderId, String) {
        let keys = Keys { secret: "sk_test_driveline".into(), publishable: "pk_test_driveline".into() };
        let base = self.stripe.base().to_owned();
        self.stripe.with(|account, _| *account = Account::new(keys, &base, seed, Rates::default()));
        let command = PlaceOrder {
            selector: ProductSelector::ById(self.product),
            quantity: 50,
            shown_total: None,
            name: Text::new("Robin Vale").unwrap(),
            email: None,
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane, Detroit").unwrap(),
            vehicle: None,
            idempotency_key: None,
            holds_claim: true,
        };
        let order = self.shop.orders.place_order(&self.customer, command).await.unwrap().id;
        let opening = OpenPayment { payable: Some(domain::Payable::Order(order)), shown_total: None };
        let secret = self.shop.payments.open_payment(&self.customer, opening).await.unwrap().0;
        (order, secret.split("_secret").next().unwrap().to_owned())
    }

    /// One order's payment from beginning to end, with events all along the way. Returns how it ended.
    async fn stream(&mut self, seed: u64) -> (OrderId, Ending) {
        self.rng = SeededRng::new(seed, 1);
        let (order, payment) = self.open_payment(seed).await;
        let confirm = format!("/v1/payment_intents/{payment}/confirm");
        for _ in 0..self.rng.below(3) {
            self.ask("POST", &confirm, "", "payment_method=pm_card_visa_chargeDeclined");
            self.deliver_some().await;
        }
        let ending = Ending::ALL[usize::try_from(self.rng.below(6)).unwrap()];
        if ending == Ending::PaidAfterProcessing {
            let a_while = Duration::from_millis(500);
            self.stripe.with(|account, _| account.order(Trouble::Linger(a_while), ""));
            self.ask("POST", &confirm, "", "payment_method=pm_card_visa");
            self.deliver_some().await;
            self.stripe.advance(a_while);
        } else if ending.is_paid() {
            let disputed = ending == Ending::PaidAndDisputed;
            let card = if disputed { "pm_card_createDispute" } else { "pm_card_visa" };
            self.ask("POST", &confirm, "", &format!("payment_method={card}"));
        } else if ending == Ending::Cancelled {
            self.ask("POST", &format!("/v1/payment_intents/{payment}/cancel"), "", "");
        }
        if ending == Ending::PaidAndSentBack {
            self.deliver_some().await;
            self.ask("POST", "/v1/refunds", "", &format!("payment_intent={payment}"));
        }
        let mut all = self.events();
        all.extend(KINDS.iter().enumerate().map(|(nth, kind)| {
            json!({
                "id": format!("evt_{payment}_{nth}"), "object": "event", "type": kind,
                "data": {"object": {"id": payment, "object": "payment_intent"}},
            })
            .to_string()
        }));
        let all = self.repeat(all, 1);
        self.deliver(all).await;
        self.expect_end(order, &payment, ending).await;
        (order, ending)
    }

    async fn expect_end(&self, order: OrderId, payment: &str, ending: Ending) {
        let found = self.shop.orders.order(&self.customer, order).await.unwrap();
        let settled_by = found.state.transaction().map(ToString::to_string);
        let timeline = self.shop.orders.timeline(&self.customer, order).await.unwrap();
        let happened: Vec<&OrderEventKind> = timeline.iter().map(|event| &event.kind).collect();
        if ending.is_paid() {
            assert!(found.is_paid(), "{ending:?}");
            assert_eq!(settled_by.as_deref(), Some(payment), "{ending:?}");
            let is_reported = match ending {
                // The first event may arrive last: the shop asks, and records what it finds.
                Ending::PaidAndSentBack => matches!(
                    happened.as_slice(),
                    [OrderEventKind::Ordered { .. }, OrderEventKind::Paid { .. }, OrderEventKind::PartlyRefunded(_)]
                        | [
                            OrderEventKind::Ordered { .. },
                            OrderEventKind::PartlyRefunded(_),
                            OrderEventKind::Paid { .. }
                        ]
                ),
                Ending::PaidAndDisputed => matches!(
                    happened.as_slice(),
                    [OrderEventKind::Ordered { .. }, OrderEventKind::Paid { .. }, OrderEventKind::Disputed { .. }]
                        | [
                            OrderEventKind::Ordered { .. },
                            OrderEventKind::Disputed { .. },
                            OrderEventKind::Paid { .. }
                        ]
                ),
                _ => matches!(happened.as_slice(), [OrderEventKind::Ordered { .. }, OrderEventKind::Paid { .. }]),
            };
            assert!(is_reported, "{ending:?}: {happened:?}");
            let shipped = self.shop.orders.ship_order(&Self::as_admin(&self.customer), order).await;
            match ending {
                Ending::PaidAndSentBack => {
                    assert!(matches!(shipped, Err(Failure::Refused(Withheld::RefundedElsewhere))), "{shipped:?}");
                }
                Ending::PaidAndDisputed => {
                    assert!(matches!(shipped, Err(Failure::Refused(Withheld::Disputed))), "{shipped:?}");
                }
                _ => assert!(matches!(shipped, Ok(true)), "{shipped:?}"),
            }
        } else {
            assert_eq!(settled_by, None, "{ending:?}");
            assert!(matches!(happened.as_slice(), [OrderEventKind::Ordered { .. }]), "{ending:?}: {happened:?}");
        }
    }

    /// The orders for which a receipt is to be sent, in no particular order, one entry per receipt.
    async fn receipts(&self) -> Vec<OrderId> {
        let query = DeliveryQuery { state: DeliveryState::Waiting, page: Pagination::whole() };
        let page = self.shop.notifications.deliveries(&Self::as_admin(&self.customer), &query).await.unwrap();
        assert_eq!(page.next, None);
        let receipts = page.items.into_iter().filter(|delivery| delivery.topic == Topic::OrderPaid);
        receipts.filter_map(|delivery| delivery.order).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_shuffled_and_repeated_streams_of_events_end_as_the_payments_did() {
    let test = TestDatabase::fresh(migrate);
    let database = Database::connect(test.url(), 8, Duration::from_secs(10)).await.unwrap();
    let metrics = METRICS.clone();
    let mut lanes = JoinSet::new();
    for number in 0..LINES {
        let mut lane = Lane::open(number, test.url(), &database, &metrics).await;
        lanes.spawn(async move {
            let mut ended = Vec::new();
            for nth in 0..STREAMS / LINES {
                // No account may open more than thirty payments in a short time.
                if nth % 25 == 24 {
                    let email = format!("buyer.{number}.{nth}@example.com");
                    lane.customer = Lane::sign_up(&lane.shop, &email).await;
                }
                ended.push(lane.stream(number * STREAMS + nth).await);
            }
            (lane, ended)
        });
    }
    let mut paid = HashSet::new();
    let mut seen = HashSet::new();
    let mut receipts = Vec::new();
    while let Some(lane) = lanes.join_next().await {
        let (lane, ended) = lane.unwrap();
        seen.extend(ended.iter().map(|(_, ending)| format!("{ending:?}")));
        paid.extend(ended.into_iter().filter(|(_, ending)| ending.is_paid()).map(|(order, _)| order));
        receipts = lane.receipts().await;
    }
    assert_eq!(seen.len(), Ending::ALL.len());
    assert_eq!(receipts.len(), paid.len(), "one receipt for each");
    assert_eq!(receipts.into_iter().collect::<HashSet<_>>(), paid);
    assert_eq!(testkit::invariants(test.url()), Vec::<String>::new());
}

/// An order of the customer that a card has paid.
async fn paid_with(lane: &mut Lane, seed: u64, card: &str) -> (OrderId, String) {
    let (order, payment) = lane.open_payment(seed).await;
    lane.ask("POST", &format!("/v1/payment_intents/{payment}/confirm"), "", &format!("payment_method={card}"));
    let events = lane.events();
    lane.deliver(events).await;
    (order, payment)
}

async fn kinds(lane: &Lane, order: OrderId) -> Vec<&'static str> {
    let timeline = lane.shop.orders.timeline(&Lane::as_admin(&lane.customer), order).await.unwrap();
    timeline
        .iter()
        .map(|event| match event.kind {
            OrderEventKind::Ordered { .. } => "ordered",
            OrderEventKind::FreightSet { .. } => "freight_set",
            OrderEventKind::Paid { .. } => "paid",
            OrderEventKind::Shipped { .. } => "shipped",
            OrderEventKind::PartShipped { .. } => "part_shipped",
            OrderEventKind::Cancelled => "cancelled",
            OrderEventKind::Refunded { .. } => "refunded",
            OrderEventKind::PartlyRefunded(_) => "partly_refunded",
            OrderEventKind::RefundFailed(_) => "refund_failed",
            OrderEventKind::Overpaid { .. } => "overpaid",
            OrderEventKind::Disputed { .. } => "disputed",
            OrderEventKind::DisputeClosed { .. } => "dispute_closed",
            OrderEventKind::ReturnRequested { .. } => "return_requested",
            OrderEventKind::ReturnAccepted { .. } => "return_accepted",
            OrderEventKind::ReturnDeclined { .. } => "return_declined",
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_refund_is_owed_again_and_needs_attention() {
    let test = TestDatabase::fresh(migrate);
    let database = Database::connect(test.url(), 8, Duration::from_secs(10)).await.unwrap();
    let mut lane = Lane::open(1, test.url(), &database, &METRICS).await;
    let admin = Lane::as_admin(&lane.customer);
    let (order, _) = paid_with(&mut lane, 1, "pm_card_refundFail").await;
    assert!(lane.shop.payments.refund_order(&admin, order, RefundOrder::default()).await.unwrap());
    assert_eq!(kinds(&lane, order).await, ["ordered", "paid", "cancelled", "refunded"]);
    lane.stripe.advance(Duration::from_secs(6));
    let events = lane.events();
    lane.deliver(events).await;
    assert_eq!(kinds(&lane, order).await, ["ordered", "paid", "cancelled", "refunded", "refund_failed"]);
    let attention = lane.shop.payments.attention(&admin).await.unwrap();
    let [AttentionItem::Refund(failed)] = &*attention.iter().map(|one| one.matter.clone()).collect::<Vec<_>>() else {
        panic!("{attention:?}")
    };
    assert_eq!(lane.shop.payments.money_tally().await.unwrap().failed, 1);

    // A retry is sent under another key, and fails again; then an admin makes a bank transfer.
    lane.shop.payments.retry_refund(&admin, failed.id).await.unwrap();
    assert_eq!(lane.ask("GET", "/v1/refunds", "", "")["data"].as_array().unwrap().len(), 2);
    lane.stripe.advance(Duration::from_secs(6));
    let events = lane.events();
    lane.deliver(events).await;
    lane.shop.payments.record_bank_transfer(&admin, failed.id, Text::new("SEPA 4711").unwrap()).await.unwrap();
    assert_eq!(
        kinds(&lane, order).await,
        ["ordered", "paid", "cancelled", "refunded", "refund_failed", "refunded", "refund_failed", "refunded"]
    );
    assert!(lane.shop.payments.attention(&admin).await.unwrap().is_empty());
    assert_eq!(testkit::invariants(test.url()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_in_the_dashboard_and_disputes_are_found_without_an_event() {
    let test = TestDatabase::fresh(migrate);
    let database = Database::connect(test.url(), 8, Duration::from_secs(10)).await.unwrap();
    let mut lane = Lane::open(1, test.url(), &database, &METRICS).await;
    let (sent_back, payment) = paid_with(&mut lane, 1, "pm_card_visa").await;
    assert_eq!(lane.shop.payments.audit_payments().await.unwrap().agreed, 1);
    lane.ask("POST", "/v1/refunds", "", &format!("payment_intent={payment}&amount=500"));
    test.execute("UPDATE orders SET next_audit_at = '-infinity'");
    let audited = lane.shop.payments.audit_payments().await.unwrap();
    assert_eq!((audited.drifted, audited.drift), (1, 1));
    let tally = lane.shop.payments.money_tally().await.unwrap();
    assert_eq!((tally.elsewhere, tally.disputed), (1, 0));
    assert_eq!(kinds(&lane, sent_back).await, ["ordered", "paid", "partly_refunded"]);
    let admin = Lane::as_admin(&lane.customer);
    let shipped = lane.shop.orders.ship_order(&admin, sent_back).await;
    assert!(matches!(shipped, Err(Failure::Refused(Withheld::RefundedElsewhere))), "{shipped:?}");
    // The rest of it is refunded too, and the order is closed.
    assert!(lane.shop.payments.refund_order(&admin, sent_back, RefundOrder::default()).await.unwrap());
    assert_eq!(kinds(&lane, sent_back).await, ["ordered", "paid", "partly_refunded", "cancelled", "refunded"]);
    assert_eq!(lane.shop.payments.money_tally().await.unwrap(), ports::MoneyTally::default());

    let (disputed, payment) = paid_with(&mut lane, 2, "pm_card_visa").await;
    let path = format!("/_fake/payment_intents/{payment}/dispute");
    lane.stripe.with(|account, now| account.control("POST", &path, "", b"", now));
    let shipped = lane.shop.orders.ship_order(&admin, disputed).await;
    assert!(matches!(shipped, Err(Failure::Refused(Withheld::Disputed))), "{shipped:?}");
    assert_eq!(kinds(&lane, disputed).await, ["ordered", "paid", "disputed"]);
    assert_eq!(lane.shop.payments.money_tally().await.unwrap().disputed, 1);
    assert_eq!(testkit::invariants(test.url()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_stripe_temporarily_does_not_know_stays_open_and_keeps_its_order() {
    let test = TestDatabase::fresh(migrate);
    let database = Database::connect(test.url(), 8, Duration::from_secs(10)).await.unwrap();
    let lane = Lane::open(1, test.url(), &database, &METRICS).await;
    let command = PlaceOrder {
        selector: ProductSelector::ById(lane.product),
        quantity: 50,
        shown_total: None,
        name: Text::new("Robin Vale").unwrap(),
        email: None,
        phone: Text::new("555 0100").unwrap(),
        address: Text::new("1 Workshop Lane, Detroit").unwrap(),
        vehicle: None,
        idempotency_key: None,
        holds_claim: true,
    };
    let order = lane.shop.orders.place_order(&lane.customer, command).await.unwrap().id;
    let opening = OpenPayment { payable: Some(domain::Payable::Order(order)), shown_total: None };
    let secret = lane.shop.payments.open_payment(&lane.customer, opening).await.unwrap().0;
    let payment = secret.split("_secret").next().unwrap().to_owned();
    for _ in 0..4 {
        lane.stripe.with(|account, _| account.order(Trouble::Amnesia, ""));
    }
    assert_eq!(lane.shop.payments.reconcile_payments().await.unwrap().unclear, 1);
    assert_eq!(lane.shop.payments.money_tally().await.unwrap().unknown, 1);
    assert!(
        lane.shop.orders.cancel_order(&lane.customer, order).await.is_err(),
        "it is unknown whether the order is paid"
    );
    test.execute("UPDATE orders SET lapse_at = now() - interval '1 hour'");
    assert_eq!(lane.shop.orders.expire_orders().await.unwrap().cancelled, 0);
    lane.stripe.with(|account, _| while account.forget_a_trouble() {});
    lane.ask("POST", &format!("/v1/payment_intents/{payment}/confirm"), "", "payment_method=pm_card_visa");
    test.execute("UPDATE payment_intents SET next_look_at = '-infinity'");
    assert_eq!(lane.shop.payments.reconcile_payments().await.unwrap().settled, 1);
    assert_eq!(kinds(&lane, order).await, ["ordered", "paid"]);
    assert_eq!(lane.shop.payments.money_tally().await.unwrap().unknown, 0);
}
