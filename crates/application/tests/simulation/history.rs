//! A history: customers, timers, restarts and failures, all from one seed, against the real application.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use application::{
    App, Attention, Failure, OpenPayment, PlaceOrder, PlacedOrder, Ports, ProductSelector, RefundOrder, RestockProduct,
    SettlePayment, Unavailable,
};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    AccountId, Caller, Category, DisputeState, MinOrder, Money, Order, OrderId, Product, ProductDetails, ProductId,
    RefundCause, RefundState, Role, SessionId, Stock, Text, Timestamp, TransactionId, UnitPrice,
};
use ports::{
    AttentionItem, Fingerprint, IdempotencyKey, KeyDigest, MockAccountRepository, MockAccountTokenRepository,
    MockAccountTokens, MockCatalogLog, MockCatalogSearch, MockDeviceCookies, MockFitmentRepository,
    MockGarageRepository, MockImageHost, MockLoginAttempts, MockNewsletterRepository, MockNoteRepository, MockOutbox,
    MockOwnershipRepository, MockPartPages, MockPartRepository, MockPasswordHasher, MockProfileRepository,
    MockReturnRepository, MockReviewRepository, MockSalesRepository, MockSessionRepository, MockSessionSecrets,
    MockTokenIssuer, MockVinSeal, MockWebhookSecrets, MockWebhookSender, MockWebhookSubscriptions, PaymentEventKind,
    PriceBook, PriceEpoch, ProviderEvents, ReservationRules,
};
use testkit::fake_stripe::{Rates, SeededRng, Sending};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use uuid::Uuid;

use crate::bug::Bug;
use crate::invariants::{self, ACKNOWLEDGED_STAYS, REPEATS_REPLAY, UNSAFE_STAYS_UNSHIPPED};
use crate::provider::{EventReader, Stripe};
use crate::stores::{Stores, Time};
use crate::world::{Faults, Notes, World};

/// Maximum number of use cases in flight.
const MAX_IN_FLIGHT: usize = 4;
/// Maximum age of an unpaid order.
const RESERVATION_TTL: Duration = Duration::from_hours(24);
/// Minimum and maximum number of moves in a history.
const LENGTH: std::ops::Range<u64> = 40..121;
/// How often the timers run after the last move, before everything has to be settled.
const FINAL_ROUNDS: usize = 3;
/// Far more steps than any use case takes.
const MAX_STEPS: usize = 100_000;

/// The violation that ended a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The invariant that does not hold.
    pub(crate) invariant: String,
    /// The counterexample.
    pub(crate) how: String,
    /// Number of the move, from 1.
    pub(crate) at: u64,
}

/// Result of a history.
pub(crate) struct Report {
    pub(crate) violation: Option<Violation>,
    pub(crate) notes: Notes,
    /// The trace, one entry per line; empty unless requested.
    pub(crate) trace: Vec<String>,
}

/// Runs the history of a seed. The same seed always gives the same history.
pub(crate) fn run(seed: u64, bug: Option<Bug>, traced: bool) -> Report {
    let mut rng = SeededRng::new(seed, 20);
    let world = Arc::new(World::new(seed, faults(&mut rng), bug, traced));
    let tasks = Builder::new_current_thread().event_interval(1).build().unwrap();
    let mut history = History {
        shop: shop(&world),
        tasks,
        world,
        rng,
        running: Vec::new(),
        inbox: VecDeque::new(),
        moves: 0,
        seen: 0,
    };
    let ended = catch_unwind(AssertUnwindSafe(|| history.play()));
    let violation = match ended {
        Ok(Ok(())) => None,
        Ok(Err(violation)) => Some(violation),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            let how = said.unwrap_or("it did").to_owned();
            Some(Violation { invariant: "nothing panics".to_owned(), how, at: history.moves })
        }
    };
    let (notes, trace) = history.world.with(|state| (std::mem::take(&mut state.notes), state.take_trace()));
    Report { violation, notes, trace }
}

/// A fifth of the histories have no failures, to find bugs that need none; two fifths have very many.
fn faults(rng: &mut SeededRng) -> Faults {
    const TERRIBLE: Rates = Rates {
        hang_before: 0.03,
        hang_after: 0.08,
        hang_up_before: 0.02,
        hang_up_after: 0.05,
        slow: 0.1,
        too_many: 0.05,
        server_error: 0.08,
        amnesia: 0.04,
        bad_gateway: 0.03,
        unavailable: 0.03,
        spoilt: 0.08,
        linger: 0.3,
        webhook_twice: 0.2,
        webhook_late: 0.2,
        webhook_swapped: 0.2,
        webhook_lost: 0.3,
    };
    match rng.below(5) {
        0 => Faults { stripe: Rates::default(), database: 0.0 },
        1 | 2 => Faults { stripe: Rates::BAD_DAY, database: 0.005 },
        _ => Faults { stripe: TERRIBLE, database: 0.03 },
    }
}

/// Prices of a shop without price lists.
fn without_lists() -> ports::MockPriceRepository {
    let mut prices = ports::MockPriceRepository::new();
    prices.expect_epoch().returning(|| Ok(PriceEpoch(1)));
    prices
        .expect_book()
        .returning(|| Ok(PriceBook { epoch: PriceEpoch(1), lists: HashMap::new(), accounts: HashMap::new() }));
    prices
}

/// The application with every port that a history needs. A call to any other port panics.
#[expect(clippy::too_many_lines, reason = "a line for each port")]
fn shop(world: &Arc<World>) -> App {
    let (stores, time) = (Arc::new(Stores(Arc::clone(world))), Arc::new(Time(Arc::clone(world))));
    App::new(&Ports {
        account_tokens: Arc::new(MockAccountTokens::new()),
        account_token_store: Arc::new(MockAccountTokenRepository::new()),
        accounts: Arc::new(MockAccountRepository::new()),
        catalog_log: Arc::new(MockCatalogLog::new()),
        checkouts: Arc::new(ports::MockCheckoutRepository::new()),
        clock: Arc::clone(&time) as _,
        device_cookies: Arc::new(MockDeviceCookies::new()),
        document_renderer: Arc::new(ports::MockDocumentRenderer::new()),
        documents: Arc::new(ports::MockDocumentRepository::new()),
        webhook_sender: Arc::new(MockWebhookSender::new()),
        webhook_secrets: Arc::new(MockWebhookSecrets::new()),
        webhook_subscriptions: Arc::new(MockWebhookSubscriptions::new()),
        google: None,
        login_attempts: Arc::new(MockLoginAttempts::new()),
        reservations: ReservationRules { usual: RESERVATION_TTL, new: RESERVATION_TTL, most_new: None },
        ids: Arc::clone(&time) as _,
        images: Arc::new(MockImageHost::new()),
        payment_attempts: Arc::clone(&stores) as _,
        email_sender: None,
        newsletter: Arc::new(MockNewsletterRepository::new()),
        notes: Arc::new(MockNoteRepository::new()),
        orders: Arc::clone(&stores) as _,
        outbox: Arc::new(MockOutbox::new()),
        ownership: Arc::new(MockOwnershipRepository::new()),
        passwords: Arc::new(MockPasswordHasher::new()),
        payment_events: Arc::clone(&stores) as _,
        payment_provider: Arc::new(Stripe(Arc::clone(world))),
        fitments: Arc::new(MockFitmentRepository::new()),
        part_pages: Arc::new(MockPartPages::new()),
        parts: Arc::new(MockPartRepository::new()),
        products: Arc::clone(&stores) as _,
        garage: Arc::new(MockGarageRepository::new()),
        carts: Arc::new(ports::MockCartRepository::new()),
        lists: Arc::new(ports::MockListRepository::new()),
        ordered_parts: Arc::new(ports::MockOrderedParts::new()),
        vins: Arc::new(MockVinSeal::new()),
        address_book: Arc::new(ports::MockAddressBook::new()),
        exemptions: Arc::new(ports::MockExemptions::new()),
        shipments: Arc::new(ports::MockShipmentRepository::new()),
        shipping_methods: Arc::new(ports::MockShippingMethods::new()),
        tax_rates: Arc::new(ports::MockTaxRates::new()),
        vat_check: Arc::new(ports::MockVatCheck::new()),
        profiles: Arc::new(MockProfileRepository::new()),
        prices: Arc::new(without_lists()),
        refunds: stores,
        returns: Arc::new(MockReturnRepository::new()),
        reviews: Arc::new(MockReviewRepository::new()),
        review_pause: None,
        search: Arc::new(MockCatalogSearch::new()),
        feeds: Arc::new(ports::MockFeedRepository::new()),
        feed_rules: ports::FeedRules { most_bytes: 0, archive_percent: 0 },
        feed_work: Arc::new(ports::MockFeedWork::new()),
        vehicle_names: Arc::new(ports::MockVehicleNames::new()),
        sales: Arc::new(MockSalesRepository::new()),
        search_engine: None,
        search_holder: Uuid::nil(),
        session_secrets: Arc::new(MockSessionSecrets::new()),
        shared_clock: time,
        sessions: Arc::new(MockSessionRepository::new()),
        tokens: Arc::new(MockTokenIssuer::new()),
        roles_need_proof: true,
    })
}

fn customer(number: u64) -> Caller {
    caller(number, Role::Customer)
}

fn admin() -> Caller {
    caller(9, Role::Admin)
}

fn caller(number: u64, role: Role) -> Caller {
    Caller {
        session: SessionId::new(Uuid::from_u128(u128::from(900 + number))),
        account: AccountId::new(Uuid::from_u128(u128::from(1_000 + number) << 64)),
        email: format!("account{number}@example.com").parse().unwrap(),
        role,
    }
}

/// Number of customers.
const CUSTOMERS: u64 = 3;

fn owner(order: &Order) -> Caller {
    (0..CUSTOMERS).map(customer).find(|customer| customer.account == order.customer).unwrap()
}

/// A use case in flight.
struct UseCase {
    name: String,
    future: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The Stripe event that it handles: if the use case is cancelled, Stripe gets no response.
    message: Option<Sending>,
}

struct History {
    shop: App,
    /// Runs the tasks that use cases spawn. It has one queue and no clock; each turn polls one task.
    tasks: Runtime,
    world: Arc<World>,
    rng: SeededRng,
    running: Vec<UseCase>,
    /// Events received from Stripe and not read yet.
    inbox: VecDeque<Sending>,
    moves: u64,
    /// The world's version at the last check.
    seen: u64,
}

type Step = Result<(), Violation>;

impl History {
    fn play(&mut self) -> Step {
        self.add_products();
        for _ in 0..LENGTH.start + self.rng.below(LENGTH.end - LENGTH.start) {
            self.moves += 1;
            self.world.with(|state| {
                let number = self.moves;
                state.acting = format!("move {number}");
            });
            self.next_move()?;
            self.check(false)?;
            for _ in 0..self.rng.below(16) {
                self.poll_one()?;
            }
            self.maybe_cancel();
        }
        self.finish()
    }

    fn add_products(&mut self) {
        for number in 0..2 + self.rng.below(2) {
            let cents = 100 + self.rng.below(20_000);
            let units = 50 + self.rng.below(400);
            let id = ProductId::new(Uuid::from_u128(u128::from(500 + number) << 64));
            let details = ProductDetails::new(
                Text::new(&format!("Brake disc {number}")).unwrap(),
                Text::new("A pair.").unwrap(),
                Category::Brakes,
                "/pictures/brake-disc-640.webp".parse().unwrap(),
                price(cents),
                MinOrder::effective(50).unwrap(),
                Stock::new(i64::try_from(units).unwrap()).unwrap(),
            );
            let product = Product { id, details, created_at: self.world.with(|state| state.timestamp()) };
            self.world.with(|state| state.books.add_product(product));
        }
    }

    // --- scheduling --------------------------------------------------------------------------------------------------

    fn begin(&mut self, name: &str, use_case: impl Future<Output = ()> + Send + 'static) -> Step {
        self.begin_with(name, None, use_case)
    }

    fn begin_with(
        &mut self,
        name: &str,
        message: Option<Sending>,
        use_case: impl Future<Output = ()> + Send + 'static,
    ) -> Step {
        while self.running.len() >= MAX_IN_FLIGHT {
            self.poll_one()?;
        }
        self.world.with(|state| state.log(|| name.to_owned()));
        let name = format!("{} {}", self.moves, name.split(' ').next().unwrap_or_default());
        self.running.push(UseCase { name, future: Box::pin(use_case), message });
        Ok(())
    }

    /// Polls one of the use cases in flight, or a task that one of them spawned, up to its next call.
    fn poll_one(&mut self) -> Step {
        let tasks = usize::from(self.tasks.metrics().num_alive_tasks() > 0);
        if self.running.len() + tasks == 0 {
            return Ok(());
        }
        let place = self.index_below(self.running.len() + tasks);
        if let Some(use_case) = self.running.get_mut(place) {
            let _inside = self.tasks.enter();
            self.world.with(|state| state.acting.clone_from(&use_case.name));
            if use_case.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(()) {
                self.running.remove(place);
            }
        } else {
            self.world.with(|state| "a task".clone_into(&mut state.acting));
            self.tasks.block_on(yield_now());
        }
        self.check(false)
    }

    fn finish_all(&mut self) -> Step {
        for _ in 0..MAX_STEPS {
            if self.running.is_empty() {
                return Ok(());
            }
            self.poll_one()?;
        }
        Err(self.violation("every use case ends", format!("{} in flight", self.running.len())))
    }

    /// A request's connection breaks, or the process restarts: the use cases in flight are dropped.
    fn maybe_cancel(&mut self) {
        match self.rng.below(100) {
            0..4 if !self.running.is_empty() => {
                let place = self.index_below(self.running.len());
                self.cancel_at(place);
            }
            4..6 => {
                while !self.running.is_empty() {
                    self.cancel_at(0);
                }
            }
            _ => {}
        }
    }

    fn cancel_at(&mut self, place: usize) {
        let use_case = self.running.remove(place);
        self.world.with(|state| {
            state.acting.clone_from(&use_case.name);
            state.log(|| "  is cancelled".to_owned());
            state.notes.count("a use case was cancelled");
            if let Some(message) = &use_case.message {
                let now = state.now;
                state.stripe.webhook_came_to(message, None, now);
            }
        });
    }

    fn check(&mut self, in_the_end: bool) -> Step {
        let version = self.world.with(|state| state.version);
        if version == self.seen && !in_the_end {
            return Ok(());
        }
        self.seen = version;
        self.world
            .with(|state| invariants::check(state, in_the_end))
            .map_err(|(invariant, how)| self.violation(invariant, how))
    }

    fn violation(&self, invariant: &str, how: String) -> Violation {
        Violation { invariant: invariant.to_owned(), how, at: self.moves }
    }

    /// A number below `end`, which must not be zero.
    fn index_below(&mut self, end: usize) -> usize {
        usize::try_from(self.rng.below(end as u64)).unwrap()
    }

    fn chance(&mut self, in_a_hundred: u64) -> bool {
        self.rng.below(100) < in_a_hundred
    }

    fn pass_time(&mut self, by: Duration) {
        self.world.with(|state| {
            state.now += by;
            let now = state.now;
            state.stripe.catch_up(now);
            state.version += 1;
        });
    }

    // --- moves -------------------------------------------------------------------------------------------------------

    fn next_move(&mut self) -> Step {
        let pause = self.rng.below(4_000);
        self.pass_time(Duration::from_millis(pause));
        match self.rng.below(100) {
            0..15 => self.place(),
            15..30 => self.open_payment(),
            30..45 => self.pay_by_card(),
            45..53 => self.report_payment(),
            53..59 => self.cancel(),
            59..62 => self.ship(),
            62..67 => self.refund(),
            67..70 => self.manage_stock(),
            70..72 => self.check_timeline(),
            72..79 => self.deliver_events(),
            79..84 => self.reconcile(),
            84..87 => self.pay_back(),
            87..89 => self.expire(),
            89..92 => self.audit(),
            92..94 => self.handle_attention(false),
            94 => {
                self.tamper();
                Ok(())
            }
            95 => {
                self.act_at_dashboard();
                Ok(())
            }
            _ => {
                let by = [11, 60, 600, 6 * 3_600, 25 * 3_600][self.index_below(5)];
                self.pass_time(Duration::from_secs(by));
                Ok(())
            }
        }
    }

    fn place(&mut self) -> Step {
        let commands = self.world.with(|state| state.notes.commands.clone());
        if !commands.is_empty() && self.chance(25) {
            let (caller, command) = commands[self.index_below(commands.len())].clone();
            return self.send(caller, command);
        }
        let products: Vec<Product> = self.world.with(|state| state.books.for_sale().collect());
        if products.is_empty() {
            return Ok(());
        }
        let product = &products[self.index_below(products.len())];
        let quantity = i64::try_from(40 + self.rng.below(110)).unwrap();
        let cents = product.details.price.money().cents() * quantity;
        let shown = if self.chance(4) { cents + 1 } else { cents };
        let caller = customer(self.rng.below(CUSTOMERS));
        let selector = if self.chance(80) {
            ProductSelector::ById(product.id)
        } else {
            let (name, category, img) =
                (product.details.name.as_str().to_owned(), product.details.category, product.details.img.clone());
            ProductSelector::ByAttributes { name, category, img }
        };
        let idempotency_key = self.chance(60).then(|| idempotency_key(u8::try_from(self.rng.below(200)).unwrap()));
        // Two different requests under one key never come this far: the idempotency store refuses the second.
        let used =
            |(other, command): &(Caller, PlaceOrder)| *other == caller && command.idempotency_key == idempotency_key;
        let idempotency_key = idempotency_key.filter(|_| !commands.iter().any(used));
        let command = PlaceOrder {
            selector,
            quantity,
            shown_total: self.chance(70).then(|| Money::from_cents(shown).unwrap().dollars()),
            name: Text::new("Nia").unwrap(),
            email: None,
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane").unwrap(),
            vehicle: None,
            idempotency_key,
            holds_claim: true,
        };
        if command.idempotency_key.is_some() {
            self.world.with(|state| state.notes.commands.push((caller.clone(), command.clone())));
        }
        self.send(caller, command)
    }

    fn send(&mut self, caller: Caller, command: PlaceOrder) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        let received = !self.chance(10);
        let name = format!(
            "place {} for {}, key {:?}",
            command.quantity,
            caller.email,
            command.idempotency_key.map(|key| key.key.0[0])
        );
        self.begin(&name, async move {
            let first = command
                .idempotency_key
                .and_then(|key| world.with(|state| state.books.placed_under(caller.account, key)));
            let answer = shop.orders.place_order(&caller, command).await;
            world.with(|state| {
                state.version += 1;
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match &answer {
                    Ok(_) if first.is_some() => "an order was placed again",
                    Ok(_) => "an order was placed",
                    Err(Failure::Refused(PlaceRefused::Stock(TakeRefused::NotEnough { .. }))) => "stock ran out",
                    Err(Failure::Refused(PlaceRefused::PriceChanged { .. })) => "the price had changed",
                    Err(_) => "an order was refused",
                });
                let same = match (&answer, first) {
                    (_, None) | (Err(Failure::Unavailable(Unavailable::Store(_))), _) => true,
                    (Ok(placed), Some(first)) => placed.id == first,
                    (Err(_), Some(_)) => false,
                };
                if !same {
                    state.notes.broken.push((REPEATS_REPLAY, format!("{first:?} was, now {answer:?}")));
                }
                if let (Ok(PlacedOrder { id, .. }), true) = (answer, received) {
                    state.notes.acknowledged.insert(id);
                }
            });
        })
    }

    fn some_order(&mut self) -> Option<Order> {
        self.some_order_that(|_| true)
    }

    fn some_order_that(&mut self, fits: impl Fn(&Order) -> bool) -> Option<Order> {
        let orders: Vec<Order> = self.world.with(|state| {
            state.books.orders.values().map(|row| &row.order).filter(|order| fits(order)).cloned().collect()
        });
        // Mostly one of the latest orders: old ones have usually ended.
        let reach = if self.chance(75) { orders.len().min(3) } else { orders.len() };
        (reach > 0).then(|| orders[orders.len() - 1 - self.index_below(reach)].clone())
    }

    fn caller_for(&mut self, order: &Order) -> Caller {
        if self.chance(95) { owner(order) } else { customer(self.rng.below(CUSTOMERS)) }
    }

    fn open_payment(&mut self) -> Step {
        let Some(order) = self.some_order() else { return Ok(()) };
        let caller = self.caller_for(&order);
        let total = order.item.total.dollars();
        let command = match self.rng.below(10) {
            0 => OpenPayment { payable: None, shown_total: Some(total) },
            1 => OpenPayment { payable: Some(domain::Payable::Order(order.id)), shown_total: Some(total) },
            _ => OpenPayment { payable: Some(domain::Payable::Order(order.id)), shown_total: None },
        };
        for _ in 0..if self.chance(20) { 2 } else { 1 } {
            let (shop, world, caller, command) =
                (self.shop.clone(), Arc::clone(&self.world), caller.clone(), command.clone());
            let (chosen, received) = (command.payable, !self.chance(10));
            self.begin(&format!("open a payment for {}", order.id), async move {
                let answer = shop.payments.open_payment(&caller, command).await;
                world.with(|state| {
                    state.version += 1;
                    state.log(|| format!("  {answer:?}"));
                    state.notes.count(if answer.is_ok() { "a payment was opened" } else { "no payment was opened" });
                    // Without an order id, the response may be for another order of the same customer with the same
                    // total.
                    if let (Ok(secret), Some(order), true) = (answer, chosen, received) {
                        state.notes.secrets.push((order, secret.0));
                    }
                });
            })?;
        }
        Ok(())
    }

    /// The browser tries to pay. Stripe's response decides whether it does.
    fn pay_by_card(&mut self) -> Step {
        const CARDS: [&str; 12] = [
            "pm_card_visa",
            "pm_card_visa",
            "pm_card_visa",
            "pm_card_mastercard",
            "pm_card_mastercard",
            "pm_card_createDispute",
            "pm_card_pendingRefund",
            "pm_card_refundFail",
            "pm_card_visa_chargeDeclined",
            "pm_card_authenticationRequired",
            "pm_card_authenticationRequired",
            "pm_card_threeDSecureRequiredChargeDeclined",
        ];
        let secrets = self.world.with(|state| state.notes.secrets.clone());
        if secrets.is_empty() {
            return Ok(());
        }
        let reach = secrets.len().min(4);
        let (payable, secret) = secrets[secrets.len() - 1 - self.index_below(reach)].clone();
        let payment = secret.split("_secret_").next().unwrap().to_owned();
        let card = CARDS[self.index_below(CARDS.len())];
        let proven = self.chance(80);
        let asks = card.contains("uthenticationRequired") || card.contains("threeDSecure");
        let stays = !self.chance(15);
        self.world.with(|state| {
            state.log(|| format!("pay {payment} with {card}"));
            let body = format!("client_secret={secret}&payment_method={card}&use_stripe_sdk=true");
            state.call_stripe("pk_test_browser", &format!("/v1/payment_intents/{payment}/confirm"), &body);
            if asks && stays {
                let proof = if proven { "authenticate" } else { "fail_authentication" };
                let path = format!("/_fake/payment_intents/{payment}/{proof}");
                let now = state.now;
                state.stripe.control("POST", &path, "", b"", now);
                state.log(|| format!("  {proof}"));
            }
        });
        match payable.order() {
            Some(order) if self.chance(60) => self.report_paid(order, payment),
            _ => Ok(()),
        }
    }

    fn report_payment(&mut self) -> Step {
        let secrets = self.world.with(|state| state.notes.secrets.clone());
        let (Some(order), false) = (self.some_order(), secrets.is_empty()) else { return Ok(()) };
        let (paid_for, secret) = secrets[self.index_below(secrets.len())].clone();
        let payment = secret.split("_secret_").next().unwrap().to_owned();
        match self.rng.below(10) {
            0 => self.report_paid(order.id, "pi_madeup".to_owned()),
            // A customer pays for a cheap order and claims that it was for an expensive one.
            1..4 => self.report_paid(order.id, payment),
            _ => paid_for.order().map_or(Ok(()), |order| self.report_paid(order, payment)),
        }
    }

    fn report_paid(&mut self, order: OrderId, transaction: String) -> Step {
        let Some(row) = self.world.with(|state| state.books.orders.get(&order).map(|row| row.order.clone())) else {
            return Ok(());
        };
        let caller = self.caller_for(&row);
        let hint = SettlePayment { order, product: self.chance(50).then(|| order.to_string()), transaction };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("settle {order} by {}", hint.transaction), async move {
            let answer = shop.payments.settle_payment(&caller, hint).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(if answer.is_ok() {
                    "a reported payment was confirmed"
                } else {
                    "a reported payment was not confirmed"
                });
            });
        })
    }

    /// A customer reads an order that was confirmed to them.
    fn check_timeline(&mut self) -> Step {
        let Some(order) = self.some_order() else { return Ok(()) };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        let acknowledged = world.with(|state| state.notes.acknowledged.contains(&order.id));
        self.begin(&format!("read {}", order.id), async move {
            let found = shop.orders.timeline(&owner(&order), order.id).await;
            world.with(|state| {
                state.log(|| format!("  {} entries", found.as_ref().map_or(0, Vec::len)));
                let there = match &found {
                    Ok(timeline) => matches!(timeline.first(), Some(first) if first.order == order.id),
                    Err(error) => matches!(error, Failure::Unavailable(_)),
                };
                if acknowledged && !there {
                    state.notes.broken.push((ACKNOWLEDGED_STAYS, format!("{}: {found:?}", order.id)));
                }
            });
        })
    }

    fn cancel(&mut self) -> Step {
        let Some(order) = self.some_order() else { return Ok(()) };
        let caller = if self.chance(25) { admin() } else { self.caller_for(&order) };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("cancel {}", order.id), async move {
            let answer = shop.orders.cancel_order(&caller, order.id).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match answer {
                    Ok(true) => "an order was cancelled",
                    Ok(false) => "an order was cancelled before",
                    Err(_) => "an order was not cancelled",
                });
            });
        })
    }

    fn ship(&mut self) -> Step {
        let Some(order) = self.some_order() else { return Ok(()) };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("ship {}", order.id), async move {
            let unsafe_before = world.with(|state| is_unsafe(state, order.id));
            let answer = shop.orders.ship_order(&admin(), order.id).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match &answer {
                    Ok(_) => "an order was shipped",
                    Err(Failure::Refused(_)) => "an unsafe order was not shipped",
                    Err(_) => "an order was not shipped",
                });
                // If it was unsafe before and is unsafe now, it was unsafe when the shop asked.
                if matches!(answer, Ok(true)) && unsafe_before && is_unsafe(state, order.id) {
                    state.notes.broken.push((UNSAFE_STAYS_UNSHIPPED, order.id.to_string()));
                }
            });
        })
    }

    fn refund(&mut self) -> Step {
        let paid = |order: &Order| order.is_paid() && !order.is_cancelled();
        let order = if self.chance(70) { self.some_order_that(paid) } else { self.some_order() };
        let Some(order) = order else { return Ok(()) };
        let total = order.item.total.cents();
        let some = 1 + i64::try_from(self.rng.below(total.unsigned_abs())).unwrap();
        let amount = self.chance(40).then(|| Money::from_cents(some).unwrap());
        let command = RefundOrder { amount, ..RefundOrder::default() };
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin(&format!("refund {} {amount:?}", order.id), async move {
            let answer = shop.payments.refund_order(&admin(), order.id, command).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(if answer.is_ok() { "an order was refunded" } else { "an order was not refunded" });
            });
        })
    }

    /// An admin handles what needs attention; at the end, all of it.
    fn handle_attention(&mut self, to_all: bool) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        let (again, skip) = (!to_all && self.chance(50), usize::try_from(self.rng.below(3)).unwrap());
        self.begin("handle attention", async move {
            let Ok(all) = shop.payments.attention(&admin()).await else { return };
            for Attention { matter, .. } in all.into_iter().skip(if to_all { 0 } else { skip }) {
                let answer = match &matter {
                    AttentionItem::Mismatched(payment) => {
                        shop.payments.send_back_mismatched(&admin(), &payment.id).await
                    }
                    AttentionItem::Refund(refund) if refund.cause == RefundCause::Elsewhere => {
                        shop.payments.acknowledge_refund(&admin(), refund.id).await
                    }
                    AttentionItem::Refund(refund) if refund.state != RefundState::Failed => Ok(()),
                    AttentionItem::Refund(refund) if again => shop.payments.retry_refund(&admin(), refund.id).await,
                    AttentionItem::Refund(refund) => {
                        let reference = Text::new("SEPA 4711").unwrap();
                        shop.payments.record_bank_transfer(&admin(), refund.id, reference).await
                    }
                    AttentionItem::Disputed { dispute, .. } if dispute.state == DisputeState::Lost => {
                        shop.payments.acknowledge_dispute(&admin(), dispute.id.clone()).await
                    }
                    AttentionItem::Disputed { .. } | AttentionItem::Return(_) => Ok(()),
                };
                world.with(|state| state.log(|| format!("  {matter:?}: {answer:?}")));
            }
        })
    }

    /// Someone acts at Stripe's dashboard, or a bank decides a dispute.
    fn act_at_dashboard(&mut self) {
        let secrets = self.world.with(|state| state.notes.secrets.clone());
        if secrets.is_empty() {
            return;
        }
        let payment = secrets[self.index_below(secrets.len())].1.split("_secret_").next().unwrap().to_owned();
        let (what, won, share) = (self.rng.below(6), self.chance(50), self.rng.below(100_000));
        self.world.with(|state| {
            let now = state.now;
            state.version += 1;
            let taken = state.stripe.payments().find(|known| known.id == payment).map_or(0, |known| known.taken);
            match what {
                0..3 if taken > 0 => {
                    let body = if won { "{}".to_owned() } else { format!("{{\"amount\": {}}}", 1 + share) };
                    let path = format!("/_fake/payment_intents/{payment}/refund");
                    let answer = state.stripe.control("POST", &path, "", body.as_bytes(), now);
                    if answer.status == 200 {
                        let refund: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
                        let amount = refund["amount"].as_i64().unwrap();
                        *state.notes.elsewhere.entry(payment.parse().unwrap()).or_default() += amount;
                        state.notes.count("a payment was refunded at the dashboard");
                    }
                }
                3 if taken > 0 => {
                    let path = format!("/_fake/payment_intents/{payment}/dispute");
                    if state.stripe.control("POST", &path, "", b"{}", now).status == 200 {
                        state.notes.count("a payment was disputed");
                    }
                }
                4 => {
                    if state.close_disputes(won) > 0 {
                        state.notes.count("a bank decided a dispute");
                    }
                }
                _ => {
                    let body = if won { br#"{"empty": true}"#.as_slice() } else { br#"{"empty": false}"# };
                    state.stripe.control("POST", "/_fake/balance", "", body, now);
                }
            }
            state.log(|| format!("act at the dashboard on {payment}: {what}"));
        });
    }

    fn manage_stock(&mut self) -> Step {
        let shop = self.shop.clone();
        let archived = self.world.with(|state| state.books.archived().next());
        if let Some(product) = archived
            && self.chance(20)
        {
            return self.begin("restore a product", async move {
                let _ = shop.catalog.restore_product(&admin(), product).await;
            });
        }
        let products: Vec<Product> = self.world.with(|state| state.books.for_sale().collect());
        if products.is_empty() {
            return Ok(());
        }
        let product = products[self.index_below(products.len())].id;
        if self.chance(5) {
            return self.begin("archive a product", async move {
                let _ = shop.catalog.archive_product(&admin(), product).await;
            });
        }
        // Sometimes more expensive than any card can be charged.
        let cents = if self.chance(5) { 3_000_000 } else { 100 + self.rng.below(20_000) };
        let arriving = Stock::new(i64::try_from(self.rng.below(250)).unwrap()).unwrap();
        let idempotency_key = self.chance(50).then(|| idempotency_key(u8::try_from(200 + self.rng.below(8)).unwrap()));
        let command = RestockProduct { product, arriving, price: price(cents), seen_price: None, idempotency_key };
        self.begin("restock a product", async move {
            let _ = shop.catalog.restock_product(&admin(), command).await;
        })
    }

    /// Someone changes the amount of an open payment at Stripe's dashboard.
    fn tamper(&mut self) {
        let secrets = self.world.with(|state| state.notes.secrets.clone());
        if secrets.is_empty() {
            return;
        }
        let payment = secrets[self.index_below(secrets.len())].1.split("_secret_").next().unwrap().to_owned();
        let amount = 50 + self.rng.below(100_000);
        self.world.with(|state| {
            let amount_of = |state: &crate::world::State| {
                state.stripe.payments().find(|known| known.id == payment).map(|known| known.amount)
            };
            let before = amount_of(state);
            state.log(|| format!("tamper with {payment}"));
            state.call_stripe("sk_test_shop", &format!("/v1/payment_intents/{payment}"), &format!("amount={amount}"));
            if amount_of(state) != before {
                state.notes.tampered.insert(payment.parse().unwrap());
                state.notes.count("a payment's amount was changed");
            }
        });
    }

    // --- timers and messages -----------------------------------------------------------------------------------------

    fn deliver_events(&mut self) -> Step {
        self.world.with(|state| {
            let now = state.now;
            self.inbox.extend(state.stripe.take_webhooks(now));
        });
        while let Some(message) = self.inbox.pop_front() {
            let event = EventReader.verify(&EventReader::message(&message.body), Timestamp::UNIX_EPOCH).unwrap();
            match event.kind.clone() {
                PaymentEventKind::Succeeded(payment) => {
                    self.world.with(|state| state.notes.messages.insert(event.id.clone(), payment));
                }
                // Most of Stripe's events are irrelevant to the shop; delivering some of them is enough.
                PaymentEventKind::Irrelevant if !self.chance(10) => {
                    self.world.with(|state| {
                        let now = state.now;
                        state.stripe.webhook_came_to(&message, Some(200), now);
                    });
                    continue;
                }
                PaymentEventKind::Irrelevant | PaymentEventKind::MoneyMoved(_) => {}
            }
            let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
            let sending = message.clone();
            self.begin_with(&format!("deliver {:?}", event.kind), Some(message), async move {
                let answer =
                    shop.payments.handle_payment_event(&EventReader, &EventReader::message(&sending.body)).await;
                world.with(|state| {
                    state.log(|| format!("  {answer:?}"));
                    state.notes.count(if answer.is_ok() {
                        "an event was processed"
                    } else {
                        "an event must be retried"
                    });
                    let now = state.now;
                    state.stripe.webhook_came_to(&sending, Some(if answer.is_ok() { 200 } else { 503 }), now);
                });
            })?;
        }
        Ok(())
    }

    fn reconcile(&mut self) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin("reconcile", async move {
            let answer = shop.payments.reconcile_payments().await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                if let Ok(done) = answer {
                    state.notes.add("a timer settled a payment", done.settled.into());
                    state.notes.add("a timer refunded a payment", done.sent_back.into());
                    state.notes.add("a timer closed a payment", done.closed.into());
                    state.notes.add("a timer could not decide", done.unclear.into());
                }
            });
        })
    }

    fn pay_back(&mut self) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin("pay back", async move {
            let answer = shop.payments.pay_back().await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                if let Ok(done) = answer {
                    state.notes.add("a timer sent a refund", done.sent.into());
                    state.notes.add("a refund waited", done.waiting.into());
                }
            });
        })
    }

    fn expire(&mut self) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin("expire", async move {
            let answer = shop.orders.expire_orders().await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                if let Ok(done) = answer {
                    state.notes.add("an expired order was cancelled", done.cancelled.into());
                    state.notes.add("an expired order was kept", done.not_cancelled.into());
                }
            });
        })
    }

    fn audit(&mut self) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        self.begin("audit", async move {
            let answer = shop.payments.audit_payments().await;
            let _ = shop.payments.forget_old_payment_events().await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                if let Ok(done) = answer {
                    state.notes.add("a payment was audited", done.agreed.into());
                    state.notes.add("a payment seemed to drift", done.drifted.into());
                }
            });
        })
    }

    /// No more requests and no more failures; only the timers continue.
    fn finish(&mut self) -> Step {
        self.moves += 1;
        self.world.with(|state| {
            "the end".clone_into(&mut state.acting);
            state.calm_down();
            state.close_disputes(false);
            state.log(|| "all settled".to_owned());
        });
        if self.chance(50) {
            while !self.running.is_empty() {
                self.cancel_at(0);
            }
        }
        self.finish_all()?;
        for pause in [Duration::from_secs(15), RESERVATION_TTL, Duration::from_hours(7), Duration::from_hours(7)] {
            self.pass_time(pause);
            for _ in 0..FINAL_ROUNDS {
                self.pass_time(Duration::from_secs(12));
                self.deliver_events()?;
                self.reconcile()?;
                self.pay_back()?;
                self.expire()?;
                self.finish_all()?;
                self.handle_attention(true)?;
                self.finish_all()?;
            }
            self.audit()?;
            self.finish_all()?;
        }
        self.check(true)
    }
}

fn price(cents: u64) -> UnitPrice {
    UnitPrice::new(Money::from_cents(i64::try_from(cents).unwrap()).unwrap()).unwrap()
}

/// An idempotency key with the fingerprint of the one request that is sent under it.
fn idempotency_key(n: u8) -> IdempotencyKey {
    IdempotencyKey { key: KeyDigest([n; 32]), fingerprint: Fingerprint([n; 32]) }
}

/// Whether an order's payment is disputed at Stripe, or was refunded outside the shop.
fn is_unsafe(state: &crate::world::State, order: OrderId) -> bool {
    let payment: Option<TransactionId> =
        state.books.orders.get(&order).and_then(|row| row.order.state.paid_by().cloned());
    payment.is_some_and(|payment| {
        let at_stripe = state.stripe.payments().find(|known| known.id == payment.as_str());
        let ours = state.books.refunds_of(order);
        let ours = ours.iter().filter(|refund| refund.payment == payment && refund.cause != RefundCause::Elsewhere);
        let ours: i64 = ours.map(|refund| refund.amount.cents()).sum();
        at_stripe.is_some_and(|known| known.disputed || known.sent_back > ours)
    })
}
