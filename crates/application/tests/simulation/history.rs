//! A history: customers, timers, restarts and failures, all from one seed, against the real application.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use application::{
    App, Attention, Failure, OpenPayment, OpenPaymentRefused, PlaceOrder, PlacedOrder, ProductSelector, RefundOrder,
    RestockProduct, SettlePayment, Unavailable,
};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{
    Caller, DisputeState, Money, Order, OrderId, OrderState, Payable, Product, RefundCause, RefundState, Stock, Text,
    Timestamp,
};
use ports::{AttentionItem, Fingerprint, IdempotencyKey, KeyDigest, PaymentEventKind, ProviderEvents};
use testkit::fake_stripe::{Rates, SeededRng, Sending};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;

use crate::bug::Bug;
use crate::invariants::{self, ACKNOWLEDGED_STAYS, CAN_BE_PAID, REPEATS_REPLAY, UNSAFE_STAYS_UNSHIPPED};
use crate::provider::EventReader;
use crate::shop::{CUSTOMERS, RESERVATION_TTL, admin, customer, owner, shop};
use crate::terms::{self, unit_price};
use crate::world::{Faults, Notes, World};

/// Maximum number of use cases in flight.
const MAX_IN_FLIGHT: usize = 4;
/// Minimum and maximum number of moves in a history.
const LENGTH: std::ops::Range<u64> = 40..121;
/// How often the timers run after the last move, before everything has to be settled.
const FINAL_ROUNDS: usize = 3;
/// How often a customer tries again at the end.
const PATIENCE: usize = 4;
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

/// A use case in flight.
struct UseCase {
    name: String,
    future: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The Stripe event that it handles: if the use case is cancelled, Stripe gets no response.
    message: Option<Sending>,
}

/// A history that is being played.
pub(crate) struct History {
    pub(crate) shop: App,
    /// Runs the tasks that use cases spawn. It has one queue and no clock; each turn polls one task.
    tasks: Runtime,
    pub(crate) world: Arc<World>,
    pub(crate) rng: SeededRng,
    running: Vec<UseCase>,
    /// Events received from Stripe and not read yet.
    inbox: VecDeque<Sending>,
    moves: u64,
    /// The world's version at the last check.
    seen: u64,
}

pub(crate) type Step = Result<(), Violation>;

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
            let (price, units) = (100 + self.rng.below(20_000), 100 + self.rng.below(600));
            self.world.with(|state| {
                let product = terms::product(number, price, units, state.timestamp());
                state.books.add_product(product);
            });
        }
        let percentage = terms::percentage();
        self.world.with(|state| state.books.percentages.insert(customer(0).account, percentage));
    }

    // --- scheduling --------------------------------------------------------------------------------------------------

    pub(crate) fn begin(&mut self, name: &str, use_case: impl Future<Output = ()> + Send + 'static) -> Step {
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
    pub(crate) fn poll_one(&mut self) -> Step {
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

    /// The connection of the request that began last breaks.
    pub(crate) fn cancel_last(&mut self) {
        if let Some(last) = self.running.len().checked_sub(1) {
            self.cancel_at(last);
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

    pub(crate) fn violation(&self, invariant: &str, how: String) -> Violation {
        Violation { invariant: invariant.to_owned(), how, at: self.moves }
    }

    /// A number below `end`, which must not be zero.
    pub(crate) fn index_below(&mut self, end: usize) -> usize {
        usize::try_from(self.rng.below(end as u64)).unwrap()
    }

    pub(crate) fn chance(&mut self, in_a_hundred: u64) -> bool {
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
        if self.chance(30) {
            return self.next_move_of_checkouts();
        }
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
            89..91 => self.audit(),
            91..94 => self.handle_attention(false),
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
        let caller = customer(self.rng.below(CUSTOMERS));
        let unit = self
            .world
            .with(|state| state.books.rules_for(caller.account, product).unit(u32::try_from(quantity).unwrap()));
        let cents = unit.money().cents() * quantity;
        let shown = if self.chance(4) { cents + 1 } else { cents };
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
                .and_then(|key| world.with(|state| state.books.placed_under(caller.account, key)).ok().flatten());
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

    pub(crate) fn some_order_that(&mut self, fits: impl Fn(&Order) -> bool) -> Option<Order> {
        let orders: Vec<Order> = self.world.with(|state| {
            state.books.orders.values().map(|row| &row.order).filter(|order| fits(order)).cloned().collect()
        });
        // Mostly one of the latest orders: old ones have usually ended.
        let reach = if self.chance(75) { orders.len().min(3) } else { orders.len() };
        (reach > 0).then(|| orders[orders.len() - 1 - self.index_below(reach)].clone())
    }

    pub(crate) fn caller_for(&mut self, order: &Order) -> Caller {
        if self.chance(95) { owner(order) } else { customer(self.rng.below(CUSTOMERS)) }
    }

    fn open_payment(&mut self) -> Step {
        let Some(order) = self.some_order() else { return Ok(()) };
        let caller = self.caller_for(&order);
        let total = order.due().dollars();
        let command = match self.rng.below(10) {
            0 => OpenPayment { payable: None, shown_total: Some(total) },
            1 => OpenPayment { payable: Some(Payable::Order(order.id)), shown_total: Some(total) },
            _ => OpenPayment { payable: Some(Payable::Order(order.id)), shown_total: None },
        };
        for _ in 0..if self.chance(20) { 2 } else { 1 } {
            self.send_opening(caller.clone(), command.clone())?;
        }
        Ok(())
    }

    pub(crate) fn send_opening(&mut self, caller: Caller, command: OpenPayment) -> Step {
        let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
        let (chosen, received) = (command.payable, !self.chance(10));
        let of_checkout = matches!(chosen, Some(Payable::Checkout(_)));
        self.begin(&format!("open a payment for {chosen:?}"), async move {
            let answer = shop.payments.open_payment(&caller, command).await;
            world.with(|state| {
                state.version += 1;
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match &answer {
                    Ok(_) if of_checkout => "a payment was opened for a checkout",
                    Ok(_) => "a payment was opened",
                    Err(Failure::Refused(OpenPaymentRefused::AwaitsFreight)) => "a payment waited for the freight",
                    Err(Failure::Refused(OpenPaymentRefused::PaidTogether { .. })) => {
                        "a line was paid with its checkout"
                    }
                    Err(_) => "no payment was opened",
                });
                // Without an order id, the response may be for another order of the same customer with the same
                // total.
                if let (Ok(secret), Some(payable), true) = (answer, chosen, received) {
                    state.notes.secrets.push((payable, secret.0));
                }
            });
        })
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
        if self.chance(60) { self.report(payable, payment) } else { Ok(()) }
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
            _ => self.report(paid_for, payment),
        }
    }

    pub(crate) fn report_paid(&mut self, order: OrderId, transaction: String) -> Step {
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
        self.cancel_order(caller, &order)
    }

    pub(crate) fn cancel_order(&mut self, caller: Caller, order: &Order) -> Step {
        let (shop, world, order) = (self.shop.clone(), Arc::clone(&self.world), order.clone());
        self.begin(&format!("cancel {}", order.id), async move {
            let answer = shop.orders.cancel_order(&caller, order.id).await;
            world.with(|state| {
                state.log(|| format!("  {answer:?}"));
                state.notes.count(match answer {
                    Ok(true) if order.checkout().is_some() => "a line of a checkout was cancelled",
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
        let order = match self.rng.below(10) {
            0..3 => self.some_order_that(|order| paid(order) && order.checkout().is_some()),
            3..7 => self.some_order_that(paid),
            _ => self.some_order(),
        };
        let Some(order) = order else { return Ok(()) };
        let due = order.due().cents();
        let some = 1 + i64::try_from(self.rng.below(due.unsigned_abs())).unwrap();
        let amount = self.chance(40).then(|| Money::from_cents(some).unwrap());
        // Sometimes two admins do it at once.
        for _ in 0..if self.chance(25) { 2 } else { 1 } {
            let command = RefundOrder { amount, ..RefundOrder::default() };
            let (shop, world, id) = (self.shop.clone(), Arc::clone(&self.world), order.id);
            self.begin(&format!("refund {id} {amount:?}"), async move {
                let answer = shop.payments.refund_order(&admin(), id, command).await;
                world.with(|state| {
                    state.log(|| format!("  {answer:?}"));
                    let what = if answer.is_ok() { "an order was refunded" } else { "an order was not refunded" };
                    state.notes.count(what);
                });
            })?;
        }
        Ok(())
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
        let new_price = 100 + self.rng.below(20_000);
        if self.chance(15) {
            return self.begin("replace a product's tiers", async move {
                let _ = shop.pricing.set_tiers(&admin(), product, &terms::tiers(new_price)).await;
            });
        }
        // Sometimes more expensive than any card can be charged.
        let cents = if self.chance(5) { 3_000_000 } else { new_price };
        let arriving = Stock::new(i64::try_from(self.rng.below(250)).unwrap()).unwrap();
        let idempotency_key = self.chance(50).then(|| idempotency_key(u8::try_from(200 + self.rng.below(8)).unwrap()));
        let command = RestockProduct { product, arriving, price: unit_price(cents), seen_price: None, idempotency_key };
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

    /// Now that nothing fails, everything that is unpaid can be paid, whatever has happened to it before.
    fn open_what_is_due(&mut self) -> Step {
        let unpaid = |order: &&Order| order.state == OrderState::Placed;
        let orders: Vec<Order> = self
            .world
            .with(|state| state.books.orders.values().map(|row| &row.order).filter(unpaid).cloned().collect());
        for order in orders {
            let payable = order.checkout().map_or(Payable::Order(order.id), Payable::Checkout);
            let command = OpenPayment { payable: Some(payable), shown_total: None };
            let (shop, world) = (self.shop.clone(), Arc::clone(&self.world));
            self.begin(&format!("open a payment for {payable}"), async move {
                let mut answer = shop.payments.open_payment(&owner(&order), command.clone()).await;
                // A failure may linger for some calls.
                for _ in 0..PATIENCE {
                    if matches!(answer, Err(Failure::Unavailable(_))) {
                        answer = shop.payments.open_payment(&owner(&order), command.clone()).await;
                    }
                }
                world.with(|state| {
                    state.log(|| format!("  {answer:?}"));
                    match answer {
                        Ok(secret) => state.notes.secrets.push((payable, secret.0)),
                        Err(Failure::Unavailable(error)) => {
                            state.notes.broken.push((CAN_BE_PAID, format!("{payable}: {error:?}")));
                        }
                        Err(_) => {}
                    }
                });
            })?;
        }
        Ok(())
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
        if self.chance(50) {
            // What a call that was cut off keeps busy at Stripe is over by then.
            self.pass_time(Duration::from_mins(2));
            self.open_what_is_due()?;
            self.finish_all()?;
        }
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

/// An idempotency key with the fingerprint of the one request that is sent under it.
fn idempotency_key(n: u8) -> IdempotencyKey {
    IdempotencyKey { key: KeyDigest([n; 32]), fingerprint: Fingerprint([n; 32]) }
}

/// Whether an order's payment is disputed at Stripe, or was refunded outside the shop so that less is left of it than the
/// order's share, whatever became of the other orders' shares.
fn is_unsafe(state: &crate::world::State, order: OrderId) -> bool {
    let Some(row) = state.books.orders.get(&order) else { return false };
    let Some(payment) = row.order.state.paid_by() else { return false };
    let at_stripe = state.stripe.payments().find(|known| known.id == payment.as_str());
    let ours = state.books.refunds_of(order);
    let ours = ours.iter().filter(|refund| refund.payment == *payment && refund.cause != RefundCause::Elsewhere);
    let ours: i64 = ours.map(|refund| refund.amount.cents()).sum();
    at_stripe.is_some_and(|known| known.disputed || known.taken - known.sent_back < row.order.due().cents() - ours)
}
