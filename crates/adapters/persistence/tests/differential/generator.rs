//! Generates the calls of customers, admins, a provider and timers, all from one seed.

use std::sync::Arc;
use std::time::Duration;

use domain::orders::event::MoneyBack;
use domain::orders::order::{Change, EventMeta};
use domain::{
    Account, AccountId, Actor, Category, Contact, Dispute, DisputeState, Edit, EventId, MinOrder, Money, Order,
    OrderEventKind, OrderId, Payable, Product, ProductDetails, ProductEdit, ProductId, ProviderRefund, Quantity,
    Refund, RefundCause, RefundId, RefundState, Role, Stock, Text, Timestamp, TransactionId, UnitPrice,
};
use ports::{
    AccountRepository, Acknowledged, CheckSooner, Clock, Editing, Ended, Fingerprint, IdempotencyKey, Ids, KeyDigest,
    NewAccount, NewOrder, NewProduct, NewRefund, PaymentAttempt, PaymentRef, PriceBasis, ProductRepository,
    ReservationRules, Restocking, StoredCheckout, Waits,
};
use testkit::fake_stripe::SeededRng;
use uuid::Uuid;

use crate::books::Books;
use crate::calls::Call;
use crate::clock::Clocked;
use crate::stores::Time;
use crate::world::World;

/// Time since 1970 when a seed begins, in microseconds.
const BEGINNING: u64 = 1_800_000_000_000_000;
const SECOND: u64 = 1_000_000;
/// Polling intervals of a payment.
const WAITS: Waits = Waits { share: 8, least: Duration::from_secs(5), most: Duration::from_hours(1) };

pub(crate) struct CallGenerator {
    pub(crate) rng: SeededRng,
    world: Arc<World>,
    /// Microseconds since 1970.
    now: u64,
    time: Time,
    pub(crate) customers: Vec<Account>,
    pub(crate) products: Vec<Product>,
    pub(crate) payments: Vec<PaymentAttempt>,
    events: u64,
    /// Snapshots that were read earlier and not again.
    old_orders: Vec<Order>,
    old_refunds: Vec<Refund>,
    pub(crate) old_checkouts: Vec<StoredCheckout>,
}

pub(crate) fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

pub(crate) fn key(n: u64) -> IdempotencyKey {
    let byte = u8::try_from(n).unwrap();
    IdempotencyKey { key: KeyDigest([byte; 32]), fingerprint: Fingerprint([byte; 32]) }
}

/// A key of an order or of a checkout, sometimes one that belongs to another request.
pub(crate) fn reused(key: IdempotencyKey, is_reused: bool) -> IdempotencyKey {
    if is_reused { IdempotencyKey { fingerprint: Fingerprint([255; 32]), ..key } } else { key }
}

impl CallGenerator {
    /// Customers and products on both sides: one product with plenty of stock, one with little, and one too expensive
    /// for any card.
    pub(crate) async fn new(seed: u64, world: Arc<World>, postgres: &Clocked) -> Self {
        let mut generator = Self {
            rng: SeededRng::new(seed, 20),
            time: Time(Arc::clone(&world)),
            world,
            now: BEGINNING,
            customers: Vec::new(),
            products: Vec::new(),
            payments: Vec::new(),
            events: 0,
            old_orders: Vec::new(),
            old_refunds: Vec::new(),
            old_checkouts: Vec::new(),
        };
        postgres.set(generator.pass_time());
        for email in ["ada@example.com", "ben@example.com", "cleo@example.com"] {
            let account = generator.account(email);
            let new = NewAccount { account: account.clone(), password: None };
            AccountRepository::add(&postgres.database, &new).await.unwrap();
            generator.customers.push(account);
        }
        for (price, units) in [(12_999, 100_000), (500, 300), (3_000_000, 1_000)] {
            let product = generator.product(price, units);
            let new = NewProduct { product: product.clone(), by: Actor::Shop, idempotency_key: None };
            ProductRepository::add(&postgres.database, &new).await.unwrap();
            generator.world.with(|state| state.books.add_product(product.clone()));
            generator.products.push(product);
        }
        generator
    }

    /// Moves the clock by a second or up to 40 days.
    pub(crate) fn pass_time(&mut self) -> Timestamp {
        let longest = match self.rng.below(20) {
            0 => 40 * 24 * 3_600 * SECOND,
            1 | 2 => 24 * 3_600 * SECOND,
            3..=5 => 3_600 * SECOND,
            6..=9 => 60 * SECOND,
            _ => SECOND,
        };
        self.now += 1 + self.rng.below(longest);
        let now = Duration::from_micros(self.now);
        self.world.with(|state| state.now = now);
        self.moment()
    }

    pub(crate) fn moment(&self) -> Timestamp {
        self.time.now()
    }

    pub(crate) fn id(&self) -> Uuid {
        self.time.fresh()
    }

    pub(crate) fn meta(&mut self) -> EventMeta {
        EventMeta { event: EventId::new(self.id()), by: Actor::Shop, at: self.moment() }
    }

    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.rng.below(many) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let place = self.rng.below(u64::try_from(from.len()).unwrap().max(1));
        from.get(usize::try_from(place).unwrap()).cloned()
    }

    pub(crate) fn books<T>(&self, books: impl FnOnce(&Books) -> T) -> T {
        self.world.with(|state| books(&state.books))
    }

    fn account(&mut self, email: &str) -> Account {
        Account {
            id: AccountId::new(self.id()),
            email: email.parse().unwrap(),
            display_name: Text::new("Customer").unwrap(),
            photo_url: None,
            role: Role::Customer,
            created_at: self.moment(),
            email_verified_at: None,
            proved_at: None,
        }
    }

    fn product(&mut self, price: i64, units: i64) -> Product {
        let details = ProductDetails::new(
            Text::new("Ventilated brake disc").unwrap(),
            Text::new("A pair, drilled and vented.").unwrap(),
            Category::Brakes,
            "/pictures/brake-disc-640.webp".parse().unwrap(),
            UnitPrice::new(cents(price)).unwrap(),
            MinOrder::effective(50).unwrap(),
            Stock::new(units).unwrap(),
        );
        Product { id: ProductId::new(self.id()), details, created_at: self.moment() }
    }

    /// A random order, as it is now or as it was earlier.
    fn order(&mut self) -> Option<Order> {
        if self.one_in(5)
            && let Some(old) = self.pick(&self.old_orders.clone())
        {
            return Some(old);
        }
        let orders: Vec<Order> = self.books(|books| books.orders.values().map(|row| row.order.clone()).collect());
        let order = self.pick(&orders)?;
        self.old_orders.push(order.clone());
        Some(order)
    }

    /// A random refund, as it is now or as it was earlier.
    fn refund(&mut self) -> Option<Refund> {
        if self.one_in(5)
            && let Some(old) = self.pick(&self.old_refunds.clone())
        {
            return Some(old);
        }
        let refunds: Vec<Refund> = self.books(|books| books.refunds.values().map(|row| row.refund.clone()).collect());
        let refund = self.pick(&refunds)?;
        self.old_refunds.push(refund.clone());
        Some(refund)
    }

    pub(crate) fn payment_id(&mut self) -> TransactionId {
        format!("pi_{:08}", self.id().as_u128()).parse().unwrap()
    }

    pub(crate) fn payment(&mut self) -> Option<PaymentAttempt> {
        self.pick(&self.payments.clone())
    }

    pub(crate) fn event(&mut self) -> String {
        if self.events > 0 && self.one_in(3) {
            let before = self.rng.below(self.events);
            return format!("evt_{before}");
        }
        self.events += 1;
        format!("evt_{}", self.events)
    }

    pub(crate) fn limit(&mut self) -> u32 {
        if self.one_in(2) { 100 } else { 1 + u32::try_from(self.rng.below(3)).unwrap() }
    }

    /// The next call.
    pub(crate) fn next_call(&mut self) -> Call {
        loop {
            let call = match self.rng.below(54) {
                0..=4 => Some(self.place()),
                5..=8 => self.change().map(|change| Call::Apply(Box::new(change))),
                9..=11 => self.provider_event(),
                12..=14 => self.attach(),
                15..=17 => self.move_payment(),
                18..=20 => Some(self.timer()),
                21..=23 => self.begin_refund(),
                24..=27 => self.move_refund(),
                28 | 29 => self.dispute(),
                30 => self.acknowledge(),
                31 => Some(self.restock()),
                32 if self.one_in(20) => self.pick(&self.products.clone()).map(|product| Call::Archive(product.id)),
                33 if self.one_in(10) => self.pick(&self.products.clone()).map(|product| Call::Restore(product.id)),
                34 => Some(self.edit()),
                36.. => self.buy_together(),
                _ => Some(self.read_call()),
            };
            if let Some(call) = call {
                return call;
            }
        }
    }

    fn place(&mut self) -> Call {
        let customer = self.pick(&self.customers.clone()).unwrap();
        let shown = self.pick(&self.products.clone()).unwrap();
        // Sometimes with an outdated price.
        let price = match self.books(|books| books.product(shown.id)) {
            Some(product) if !self.one_in(8) => product.details.price,
            _ => shown.details.price,
        };
        let product = Product {
            details: ProductDetails { price, available: Stock::new(1_000_000).unwrap(), ..shown.details },
            ..shown
        };
        let quantity = Quantity::new(50 + i64::try_from(self.rng.below(40)).unwrap()).unwrap();
        let contact = Contact {
            name: Text::new("Customer").unwrap(),
            email: customer.email.clone(),
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane").unwrap(),
        };
        let id = OrderId::new(self.id());
        let order = Order::place(id, customer.id, contact, &product, quantity, price, self.moment()).unwrap();
        let event = order.placed(EventId::new(self.id()), Actor::Account { id: customer.id, email: customer.email });
        let idempotency_key = self.one_in(3).then(|| key(self.rng.below(8)));
        let idempotency_key = idempotency_key.map(|key| reused(key, self.one_in(4)));
        let most_new = (!self.one_in(3)).then_some(4);
        let reservations = ReservationRules { usual: Duration::from_hours(24), new: Duration::from_hours(1), most_new };
        let basis = PriceBasis { list: price, epoch: self.books(Books::epoch) };
        Call::Place(Box::new(NewOrder { order, event, basis, idempotency_key, holds_claim: true, reservations }))
    }

    /// A change that the domain allows for an order, possibly from an outdated snapshot.
    fn change(&mut self) -> Option<Change> {
        let order = self.order()?;
        let meta = self.meta();
        // Nobody pays or ships what waits for its freight.
        let is_known = order.item.charges().is_some();
        match self.rng.below(3) {
            1 => order.cancel(meta).ok(),
            _ if !is_known => None,
            0 => order.ship(meta).ok(),
            _ => self.settle(order, meta),
        }
    }

    fn settle(&mut self, order: Order, meta: EventMeta) -> Option<Change> {
        let open = self.books(|books| books.open_for(Payable::Order(order.id)));
        let payment = open.map_or_else(|| self.payment_id(), |open| open.id);
        order.settle(payment, meta).ok()
    }

    fn provider_event(&mut self) -> Option<Call> {
        let event = self.event();
        match self.rng.below(6) {
            0 => Some(Call::Remember(event, self.moment())),
            1 => Some(Call::IsKnown(event)),
            2 if self.one_in(2) => {
                let before = self.moment().checked_sub(Duration::from_hours(self.rng.below(48))).unwrap();
                Some(Call::Forget(before, self.limit()))
            }
            _ => {
                let order = self.order().filter(|order| order.item.charges().is_some())?;
                let meta = self.meta();
                self.settle(order, meta).map(|change| Call::ApplyReceived(event, Box::new(change)))
            }
        }
    }

    fn attach(&mut self) -> Option<Call> {
        let order = self.order()?;
        let id = match self.payment() {
            Some(known) if self.one_in(4) => known.id,
            _ => self.payment_id(),
        };
        let payment = PaymentAttempt::of_order(id, order.id, order.due());
        self.payments.push(payment.clone());
        Some(Call::Attach(payment))
    }

    fn move_payment(&mut self) -> Option<Call> {
        let id = self.payment()?.id;
        Some(match self.rng.below(8) {
            0..=2 => {
                let ended = self.how_it_ended(&id);
                Call::Close(id, ended)
            }
            3 => Call::CheckSooner(id, CheckSooner::Asked),
            4 => Call::CheckSooner(id, CheckSooner::Confirmed),
            5 => Call::NoteKnown(id, self.one_in(2)),
            6 => Call::NoteMismatch(id),
            _ => Call::NoteAgreement(id, self.one_in(3)),
        })
    }

    /// What the application would record: the invariants hold only if it is so.
    fn how_it_ended(&self, id: &TransactionId) -> Ended {
        self.books(|books| {
            let pays = |order: &Order| order.state.paid_by() == Some(id) && !order.is_cancelled();
            if books.orders.values().any(|row| pays(&row.order)) {
                Ended::Settled
            } else if books.refunds.values().any(|row| row.refund.payment == *id) {
                Ended::SentBack
            } else {
                Ended::Cancelled
            }
        })
    }

    fn timer(&mut self) -> Call {
        match self.rng.below(4) {
            0 => Call::LeaseLapsed(self.limit()),
            1 => Call::LeaseDuePaymentAttempts(WAITS, self.limit()),
            2 => Call::LeaseSettled(WAITS, self.limit()),
            _ => Call::LeaseDueRefunds(self.limit()),
        }
    }

    fn begin_refund(&mut self) -> Option<Call> {
        let order = self.order()?;
        let total = order.due();
        let paid = order.state.transaction().cloned();
        let meta = self.meta();
        let some = cents(1 + i64::try_from(self.rng.below(total.cents().cast_unsigned())).unwrap());
        let (cause, payment, amount, change) = match self.rng.below(6) {
            0 | 1 => (RefundCause::Admin, paid?, some, None),
            2 => {
                let left = domain::payments::refund::left_of(total, &self.books(|books| books.refunds_of(order.id)));
                let change = order.clone().cancel_with_refund(meta).ok()?;
                (RefundCause::OrderCancelled, paid?, left, Some(change))
            }
            3 if order.is_cancelled() && paid.is_none() => {
                let known = self.books(|books| books.of_order(order.id).next().map(|row| row.opened.clone()))?;
                (RefundCause::Late, known.id.clone(), known.share_of(order.id)?, None)
            }
            4 => {
                let transaction = self.payment_id();
                paid?;
                let overpaid = OrderEventKind::Overpaid { transaction: transaction.clone(), amount: total };
                (RefundCause::Overpaid, transaction, total, order.clone().note(overpaid, meta))
            }
            _ => (RefundCause::Elsewhere, paid?, some, None),
        };
        let elsewhere = cause == RefundCause::Elsewhere;
        let refund = Refund {
            id: RefundId::new(self.id()),
            order: order.id,
            payment,
            amount,
            cause,
            state: if elsewhere { RefundState::Succeeded } else { RefundState::Due },
            provider_id: elsewhere.then(|| self.provider_refund()),
            attempt: 1,
            tries: 0,
            failure: None,
            note: None,
            by: Actor::Shop,
            created_at: self.moment(),
            changed_at: self.moment(),
        };
        let change =
            if elsewhere { order.note(OrderEventKind::PartlyRefunded(back(&refund)), self.meta()) } else { change };
        let idempotency_key = (cause == RefundCause::Admin && self.one_in(2)).then(|| key(self.rng.below(2)));
        Some(Call::BeginRefund(Box::new(NewRefund { refund, brought: total, idempotency_key, change })))
    }

    /// A provider's id of a refund that was not made by the shop; sometimes one that is already known.
    fn provider_refund(&mut self) -> domain::ProviderRefundId {
        let known: Vec<_> = self.books(|books| {
            let elsewhere = books.refunds.values().filter(|row| row.refund.cause == RefundCause::Elsewhere);
            elsewhere.filter_map(|row| row.refund.provider_id.clone()).collect()
        });
        let fresh = format!("re_{}", self.id().as_u128()).parse().unwrap();
        if self.one_in(3) { self.pick(&known).unwrap_or(fresh) } else { fresh }
    }

    fn move_refund(&mut self) -> Option<Call> {
        let before = self.refund()?;
        let at = self.moment();
        let why = || Text::new("expired_or_canceled_card").ok();
        let after = match self.rng.below(8) {
            0..=3 => {
                let state = self.pick(&[RefundState::Pending, RefundState::Succeeded, RefundState::Failed]).unwrap();
                let fresh = format!("re_{}", self.id().as_u128()).parse().unwrap();
                let id = before.provider_id.clone().unwrap_or(fresh);
                let reported = ProviderRefund { id, amount: before.amount, state, refund: None, failure: why() };
                before.updated_by(&reported, at)
            }
            4 if before.state == RefundState::Due => Some(before.refused(why(), at)),
            5 if before.state == RefundState::Due => {
                let left = if self.one_in(2) { Money::ZERO } else { cents(before.amount.cents() / 2) };
                Some(before.cut_to(left, at))
            }
            6 => before.again(Actor::Shop, at),
            _ => before.by_bank_transfer(Text::new("Transfer 7").unwrap(), Actor::Shop, at),
        }?;
        let change = self.money_moved(&before, &after);
        let wait = Duration::from_secs(self.rng.below(100));
        let change = change.map(Box::new);
        Some(Call::MoveRefund { before: Box::new(before), after: Box::new(after), change, wait })
    }

    /// The change of an order that a refund's step causes.
    fn money_moved(&mut self, before: &Refund, after: &Refund) -> Option<Change> {
        let order = self.books(|books| books.orders.get(&after.order).map(|row| row.order.clone()))?;
        match (before.state.stands(), after.state.stands()) {
            (false, true) => {
                let whole = order.clone().refund(after.payment.clone(), self.meta());
                let meta = self.meta();
                whole.ok().or_else(|| order.note(OrderEventKind::PartlyRefunded(back(after)), meta))
            }
            (true, false) if after.state == RefundState::Failed => Some(order.refund_failed(back(after), self.meta())),
            _ => None,
        }
    }

    fn dispute(&mut self) -> Option<Call> {
        let order = self.order()?;
        let transaction = order.state.paid_by()?.clone();
        let payment = PaymentRef { id: transaction.clone(), order: order.id };
        let id: domain::DisputeId = format!("dp_{}_{}", order.id.uuid().as_u128(), self.rng.below(2)).parse().unwrap();
        let known = self.books(|books| books.disputes.get(&id).map(|row| row.dispute.state));
        let before = if self.one_in(6) { Some(DisputeState::Open) } else { known };
        let state = self.pick(&DisputeState::ALL).unwrap();
        let dispute = Dispute { id: id.clone(), amount: order.due(), state, reason: Text::new("fraudulent").ok() };
        let kind = if state == DisputeState::Open {
            OrderEventKind::Disputed { transaction, dispute: id, amount: order.due() }
        } else {
            OrderEventKind::DisputeClosed { transaction, dispute: id, won: state == DisputeState::Won }
        };
        let meta = self.meta();
        let change = order.note(kind, meta).map(Box::new);
        Some(Call::NoteDispute { payment, before, dispute, change })
    }

    fn acknowledge(&mut self) -> Option<Call> {
        let disputes: Vec<_> = self.books(|books| books.disputes.keys().cloned().collect());
        let what = match self.pick(&disputes) {
            Some(dispute) if self.one_in(2) => Acknowledged::Dispute(dispute),
            _ => Acknowledged::Refund(self.refund()?.id),
        };
        Some(Call::Acknowledge(what))
    }

    fn restock(&mut self) -> Call {
        let product = self.pick(&self.products.clone()).unwrap();
        let arriving = match self.rng.below(6) {
            0 => 999_990,
            1 => 0,
            _ => i64::try_from(self.rng.below(60)).unwrap(),
        };
        // The price stays on its side of the limit for cards.
        let price = product.details.price.money().cents() + i64::try_from(self.rng.below(2)).unwrap();
        Call::Restock(Restocking {
            product: if self.one_in(10) { ProductId::new(self.id()) } else { product.id },
            arriving: Stock::new(arriving).unwrap(),
            price: UnitPrice::new(cents(price)).unwrap(),
            seen_price: self.one_in(3).then_some(product.details.price),
            by: Actor::Shop,
            at: self.moment(),
            idempotency_key: self.one_in(3).then(|| key(self.rng.below(8))),
        })
    }

    fn edit(&mut self) -> Call {
        let product = self.pick(&self.products.clone()).unwrap();
        let mut number = || Edit::Set(Some(Text::new(&format!("BD-{}", self.rng.below(3))).unwrap()));
        let (wanted, seen) = (number(), number());
        // The price stays on its side of the limit for cards.
        let price = product.details.price.money().cents() + i64::try_from(self.rng.below(2)).unwrap();
        let price = self.one_in(3).then(|| UnitPrice::new(cents(price)).unwrap());
        Call::Edit(Box::new(Editing {
            product: if self.one_in(10) { ProductId::new(self.id()) } else { product.id },
            wanted: ProductEdit { part_number: wanted, price, ..ProductEdit::default() },
            seen: ProductEdit { part_number: if self.one_in(2) { seen } else { Edit::Keep }, ..ProductEdit::default() },
            by: Actor::Shop,
            at: self.moment(),
        }))
    }

    fn read_call(&mut self) -> Call {
        let order = self.order();
        let (payment, customer) = (self.payment(), self.pick(&self.customers.clone()).unwrap());
        match (self.rng.below(12), order, payment) {
            (0, Some(order), _) => Call::UnpaidWithTotal(customer.id, order.item.total),
            (1, Some(order), _) => {
                let of = self.refund().map_or(order.id, |refund| refund.order);
                Call::BegunUnder(of, key(self.rng.below(2)))
            }
            (2, Some(order), _) => Call::Timeline(order.id),
            (3, Some(order), _) => Call::OpenFor(Payable::Order(order.id)),
            (4, Some(order), _) => Call::Undecided(order.id),
            (5, _, Some(payment)) => Call::DisputesOf(payment.reference(payment.shares[0].order)),
            (6, ..) => Call::Disagreements,
            (7, ..) => Call::Attention(self.limit()),
            (8, ..) => Call::FindPaymentAttempt(self.payment_id()),
            (9, ..) => {
                let product = self.pick(&self.products.clone()).unwrap();
                Call::Matching(product.details.name.as_str().to_owned(), product.details.category, product.details.img)
            }
            _ => Call::PlacedUnder(customer.id, reused(key(self.rng.below(8)), self.one_in(3))),
        }
    }

    /// Every read call, for everything that exists.
    pub(crate) fn all_reads(&mut self) -> Vec<Call> {
        let (orders, payments, refunds) = self.books(|books| {
            let orders: Vec<Order> = books.orders.values().map(|row| row.order.clone()).collect();
            let payments: Vec<TransactionId> = books.payment_attempts.keys().cloned().collect();
            (orders, payments, books.refunds.keys().copied().collect::<Vec<_>>())
        });
        let mut all = vec![Call::Disagreements, Call::Attention(1_000), Call::Tally];
        all.extend(self.products.iter().map(|product| Call::FindProduct(product.id)));
        for order in orders {
            let id = order.id;
            let payable = Payable::Order(id);
            all.extend([Call::FindOrder(id), Call::Timeline(id), Call::OpenFor(payable), Call::Attempts(payable)]);
            all.extend([
                Call::Undecided(id),
                Call::RefundsOf(id),
                Call::UnpaidWithTotal(order.customer, order.item.total),
            ]);
            if let Some(paid) = order.state.transaction() {
                all.push(Call::DisputesOf(PaymentRef { id: paid.clone(), order: id }));
            }
        }
        all.extend(self.reads_of_checkouts());
        all.extend(payments.iter().cloned().map(Call::RefundsOfPayment));
        all.extend(payments.into_iter().map(Call::FindPaymentAttempt));
        all.extend(refunds.into_iter().map(Call::FindRefund));
        all
    }
}

fn back(refund: &Refund) -> MoneyBack {
    MoneyBack { transaction: refund.payment.clone(), refund: refund.id, amount: refund.amount }
}
