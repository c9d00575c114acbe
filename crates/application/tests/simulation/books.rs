//! The shop's database, in memory: what each transaction of the repositories does, atomically.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::catalog::stock::TakeRefused;
use domain::orders::assigned::StoreAssigned;
use domain::orders::order::Change;
use domain::orders::refusals::PlaceRefused;
use domain::payments::payment::is_chargeable;
use domain::{
    AccountId, CheckoutId, Dispute, DisputeId, DisputeState, EditRefused, Ladder, ListTerms, Money, Order, OrderEvent,
    OrderEventKind, OrderId, OrderState, Payable, Payment, PaymentShare, Percent, PriceRules, Product, ProductId,
    Quantity, Refund, RefundCause, RefundId, RefundState, Stock, Timestamp, TransactionId, UnitPrice,
};
use ports::{
    Acknowledged, Applied, Attached, AttentionItem, CheckSooner, Editing, Ended, IdempotencyKey, MoneyTally, NewOrder,
    NewRefund, PaymentAttempt, PaymentRef, PriceBasis, PriceEpoch, REFUND_LEASE, REFUND_OVERDUE, REFUND_WAIT,
    REFUND_WAIT_MOST, REFUND_WATCH, RefundBegun, Restocking, Waits,
};

use crate::bug::Bug;
use crate::checkouts::CheckoutRow;

/// The tables.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) stock: BTreeMap<ProductId, StockRow>,
    pub(crate) ledger: Vec<Entry>,
    pub(crate) orders: BTreeMap<OrderId, Row>,
    pub(crate) checkouts: BTreeMap<CheckoutId, CheckoutRow>,
    /// What the price lists of some customers take off.
    pub(crate) percentages: BTreeMap<AccountId, Percent>,
    /// How often the tiers of a product were replaced.
    tier_changes: i64,
    pub(crate) payment_attempts: BTreeMap<TransactionId, PaymentAttemptRow>,
    /// Provider events that were processed, and when.
    pub(crate) received: BTreeMap<String, Timestamp>,
    restockings: Vec<IdempotencyKey>,
    pub(crate) refunds: BTreeMap<RefundId, RefundRow>,
    pub(crate) disputes: BTreeMap<DisputeId, DisputeRow>,
    /// When each paid order is audited next.
    audits: BTreeMap<OrderId, Timestamp>,
}

/// A refund on record.
pub(crate) struct RefundRow {
    pub(crate) refund: Refund,
    idempotency_key: Option<IdempotencyKey>,
    next_try: Option<Timestamp>,
    acknowledged: bool,
}

/// A dispute on record.
pub(crate) struct DisputeRow {
    pub(crate) dispute: Dispute,
    pub(crate) payment: PaymentRef,
    since: Timestamp,
    acknowledged: bool,
}

/// A product and its units.
pub(crate) struct StockRow {
    product: Product,
    /// Signed, as the column is: a bug can write what a rule forbids.
    pub(crate) available: i64,
    pub(crate) archived: bool,
}

impl StockRow {
    /// The product as a query returns it.
    pub(crate) fn read(&self) -> Product {
        let mut product = self.product.clone();
        product.details.available = Stock::new(self.available).unwrap_or(Stock::NONE);
        product
    }
}

/// Why units came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Received,
    Ordered,
    Cancelled,
}

/// A line of the stock ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) product: ProductId,
    pub(crate) units: i64,
    pub(crate) why: Why,
    pub(crate) order: Option<OrderId>,
}

/// An order and its timeline.
pub(crate) struct Row {
    pub(crate) order: Order,
    /// The id as sent to Stripe.
    pub(crate) id: String,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    /// What a unit cost its customer at that quantity when it was placed.
    pub(crate) priced: UnitPrice,
    /// With their numbers.
    pub(crate) timeline: Vec<(usize, OrderEvent)>,
    /// When the shop next tries to cancel the order, and how often it has tried.
    lapses: (Timestamp, u32),
}

/// A payment on record.
#[expect(clippy::struct_excessive_bools, reason = "these are a table's columns")]
pub(crate) struct PaymentAttemptRow {
    pub(crate) opened: PaymentAttempt,
    pub(crate) closed: bool,
    ended: Option<Ended>,
    polled: bool,
    next_poll: Timestamp,
    asked_at: Timestamp,
    pub(crate) unknown: bool,
    mismatched: Option<Timestamp>,
    pub(crate) drifted: bool,
    /// Whether it came too late for what it was to pay, and was recorded as closed: no browser has its secret.
    pub(crate) late: bool,
}

pub(crate) enum Placed {
    As(OrderId),
    Refused(PlaceRefused),
    /// Another request used the idempotency key.
    KeyReused,
}

/// The key belongs to another request.
#[derive(Debug)]
pub(crate) struct KeyReused;

/// Whether something was created under this key. A key has one request: another body is refused.
pub(crate) fn is_under(known: Option<IdempotencyKey>, asked: IdempotencyKey) -> Result<bool, KeyReused> {
    match known.filter(|known| known.key == asked.key) {
        Some(known) if known.fingerprint != asked.fingerprint => Err(KeyReused),
        found => Ok(found.is_some()),
    }
}

pub(crate) enum Restocked {
    Done,
    Unknown,
    PriceChanged(UnitPrice),
    TooMuch,
}

impl Books {
    pub(crate) fn add_product(&mut self, product: Product) {
        let (id, units) = (product.id, i64::from(product.details.available.get()));
        self.ledger.push(Entry { product: id, units, why: Why::Received, order: None });
        self.stock.insert(id, StockRow { product, available: units, archived: false });
    }

    pub(crate) fn product(&self, id: ProductId) -> Option<Product> {
        self.stock.get(&id).filter(|stock| !stock.archived).map(StockRow::read)
    }

    pub(crate) fn for_sale(&self) -> impl Iterator<Item = Product> {
        self.stock.values().filter(|stock| !stock.archived).map(StockRow::read)
    }

    pub(crate) fn archived(&self) -> impl Iterator<Item = ProductId> {
        self.stock.values().filter(|stock| stock.archived).map(|stock| stock.product.id)
    }

    pub(crate) fn restock(&mut self, command: &Restocking) -> Restocked {
        if command.idempotency_key.is_some_and(|key| self.restockings.contains(&key)) {
            return Restocked::Done;
        }
        let Some(row) = self.stock.get_mut(&command.product).filter(|row| !row.archived) else {
            return Restocked::Unknown;
        };
        if command.seen_price.is_some_and(|seen| seen != row.product.details.price) {
            return Restocked::PriceChanged(row.product.details.price);
        }
        let units = i64::from(command.arriving.get());
        // Units that orders may still return must fit too.
        let returnable = |row: &&Row| {
            let order = &row.order;
            order.item.product == command.product && !order.is_cancelled() && !order.is_shipped()
        };
        let out: i64 =
            self.orders.values().filter(returnable).map(|row| i64::from(row.order.item.quantity.get())).sum();
        if units > 0 && row.available + out + units > i64::from(Quantity::MAX) {
            return Restocked::TooMuch;
        }
        row.available += units;
        row.product.details.price = command.price;
        self.ledger.push(Entry { product: command.product, units, why: Why::Received, order: None });
        self.restockings.extend(command.idempotency_key);
        Restocked::Done
    }

    pub(crate) fn archive(&mut self, id: ProductId) -> bool {
        let row = self.stock.get_mut(&id).filter(|row| !row.archived);
        row.is_some_and(|row| !std::mem::replace(&mut row.archived, true))
    }

    pub(crate) fn restore(&mut self, id: ProductId) -> Option<bool> {
        self.stock.get_mut(&id).map(|row| std::mem::replace(&mut row.archived, false))
    }

    pub(crate) fn edit(&mut self, editing: &Editing) -> Result<bool, EditRefused> {
        let Some(row) = self.stock.get_mut(&editing.product).filter(|row| !row.archived) else {
            return Err(EditRefused::Unknown);
        };
        let Ok(edited) = row.product.details.edited(&editing.wanted, &editing.seen) else {
            return Err(EditRefused::Changed { now: Box::new(row.read()) });
        };
        let is_new = edited != row.product.details;
        row.product.details = edited;
        Ok(is_new)
    }

    /// The order that a customer placed under an idempotency key.
    pub(crate) fn placed_under(&self, customer: AccountId, key: IdempotencyKey) -> Result<Option<OrderId>, KeyReused> {
        for row in self.orders.values().filter(|row| row.order.customer == customer) {
            if is_under(row.idempotency_key, key)? {
                return Ok(Some(row.order.id));
            }
        }
        Ok(None)
    }

    pub(crate) fn place(&mut self, new: &NewOrder, now: Timestamp, bug: Option<Bug>) -> Placed {
        if let Some(key) = new.idempotency_key.filter(|_| bug != Some(Bug::ForgetsKeys)) {
            match self.placed_under(new.order.customer, key) {
                Ok(None) => {}
                Ok(Some(first)) => return Placed::As(first),
                Err(KeyReused) => return Placed::KeyReused,
            }
            if !matches!(self.checkout_under(new.order.customer, key), Ok(None)) {
                return Placed::KeyReused;
            }
        }
        if let Some(refused) = self.obstacle(new, bug) {
            return Placed::Refused(refused);
        }
        let own = || self.orders_of(new.order.customer);
        let on_account = |order: &Order| !is_chargeable(order.item.total);
        if let Some(most) = new.reservations.most_new
            && !self.has_paid(new.order.customer)
        {
            // A checkout is limited by itself.
            let reserving = || own().filter(|order| reserves_stock(order) && order.checkout().is_none());
            let second = on_account(&new.order) && reserving().any(on_account);
            if reserving().count() >= most as usize || second {
                return Placed::Refused(PlaceRefused::TooManyUnpaid { most });
            }
        }
        self.insert(new, now);
        Placed::As(new.order.id)
    }

    /// What stands in the way of an order by what its product is now.
    pub(crate) fn obstacle(&self, new: &NewOrder, bug: Option<Bug>) -> Option<PlaceRefused> {
        let item = &new.order.item;
        let Some(goods) = self.stock.get(&item.product).filter(|goods| !goods.archived) else {
            return Some(PlaceRefused::Gone);
        };
        let list = goods.product.details.price;
        if new.basis != (PriceBasis { list, epoch: self.epoch() }) {
            return Some(item.price_changed(list));
        }
        if goods.available < i64::from(item.quantity.get()) && bug != Some(Bug::SellsWhatIsGone) {
            return Some(TakeRefused::NotEnough { left: goods.read().details.available }.into());
        }
        None
    }

    /// Takes the units of an order from stock and records it.
    pub(crate) fn insert(&mut self, new: &NewOrder, now: Timestamp) {
        let (item, customer, id) = (&new.order.item, new.order.customer, new.order.id);
        let is_usual = self.has_paid(customer) || !is_chargeable(item.total);
        let ttl = if is_usual { new.reservations.usual } else { new.reservations.new };
        let (product, units) = (item.product, i64::from(item.quantity.get()));
        let mut priced = item.unit_price;
        if let Some(goods) = self.stock.get_mut(&product) {
            goods.available -= units;
            priced = rules_for(&self.percentages, customer, &goods.product).unit(item.quantity.get());
        }
        self.ledger.push(Entry { product, units: -units, why: Why::Ordered, order: Some(id) });
        let assigned = StoreAssigned { reserved_until: Some(later(now, ttl)), ..StoreAssigned::default() };
        let order = Order { assigned, ..new.order.clone() };
        let row = Row {
            timeline: vec![(1, order.placed(new.event.id, new.event.by.clone()))],
            order,
            id: id.to_string(),
            idempotency_key: new.idempotency_key,
            priced,
            lapses: (later(now, ttl), 0),
        };
        self.orders.insert(id, row);
    }

    fn orders_of(&self, customer: AccountId) -> impl Iterator<Item = &Order> {
        self.orders.values().map(|row| &row.order).filter(move |order| order.customer == customer)
    }

    /// Whether an account has ever paid for an order.
    pub(crate) fn has_paid(&self, customer: AccountId) -> bool {
        self.orders_of(customer).any(|order| order.state.transaction().is_some())
    }

    /// Whether an account has an unpaid order that is a line of a checkout.
    pub(crate) fn has_unpaid_checkout(&self, customer: AccountId) -> bool {
        self.orders_of(customer).any(|order| reserves_stock(order) && order.checkout().is_some())
    }

    /// By what a customer's price of a product is computed.
    pub(crate) fn rules_for(&self, customer: AccountId, product: &Product) -> PriceRules {
        rules_for(&self.percentages, customer, product)
    }

    pub(crate) fn epoch(&self) -> PriceEpoch {
        PriceEpoch(1 + self.tier_changes)
    }

    pub(crate) fn set_tiers(&mut self, product: ProductId, ladder: &Ladder) -> bool {
        // Every try counts as a change, as it does in the database.
        self.tier_changes += 1;
        let row = self.stock.get_mut(&product).filter(|row| !row.archived);
        row.map(|row| row.product.details.ladder = ladder.clone()).is_some()
    }

    pub(crate) fn apply(&mut self, change: &Change, bug: Option<Bug>) -> Applied {
        let id = change.after.id;
        let Some(row) = self.orders.get_mut(&id) else { return Applied::Conflict };
        if row.order.state != change.before && bug != Some(Bug::AppliesBlindly) {
            return Applied::Conflict;
        }
        row.order.state = change.after.state.clone();
        row.order.shipped_units = change.after.shipped_units;
        if matches!(change.event.kind, OrderEventKind::FreightSet { .. }) {
            row.order.item.purchase.clone_from(&change.after.item.purchase);
        }
        let last = row.timeline.iter().map(|(number, _)| *number).max().unwrap_or(0);
        row.timeline.push((last + 1, change.event.clone()));
        if change.event.kind == OrderEventKind::Cancelled {
            let (product, units) = (row.order.item.product, i64::from(row.order.item.quantity.get()));
            let payments = self.payment_attempts.values().filter(|row| row.opened.share_of(id).is_some()).count();
            let times = match bug {
                Some(Bug::ReturnsTwice) => 2,
                Some(Bug::ReturnsForEachPayment) => payments.max(1),
                _ => 1,
            };
            for _ in 0..times {
                if let Some(stock) = self.stock.get_mut(&product) {
                    stock.available += units;
                }
                self.ledger.push(Entry { product, units, why: Why::Cancelled, order: Some(id) });
            }
        }
        Applied::Written
    }

    /// All changes and the event in one transaction; none of them if an order has changed or the event was processed.
    pub(crate) fn apply_all(
        &mut self,
        changes: &[Change],
        event: Option<&(String, Timestamp)>,
        bug: Option<Bug>,
    ) -> Applied {
        let is_known = event.is_some_and(|(event, _)| self.received.contains_key(event));
        let is_same =
            |change: &Change| self.orders.get(&change.after.id).is_some_and(|row| row.order.state == change.before);
        if is_known || !changes.iter().all(is_same) {
            return Applied::Conflict;
        }
        let only_the_first = match changes.first().map(|change| &change.event.kind) {
            Some(OrderEventKind::Paid { .. }) => bug == Some(Bug::SettlesOnlyTheFirst),
            Some(OrderEventKind::Cancelled) => bug == Some(Bug::CancelsOnlyTheFirst),
            _ => false,
        };
        for change in changes.iter().take(if only_the_first { 1 } else { changes.len() }) {
            self.apply(change, bug);
        }
        if let Some((event, at)) = event {
            self.received.insert(event.clone(), *at);
        }
        Applied::Written
    }

    /// The change and the event in one transaction; neither if the event has been processed since.
    pub(crate) fn apply_received(&mut self, event: &str, change: &Change, at: Timestamp, bug: Option<Bug>) -> Applied {
        if self.received.contains_key(event) && bug != Some(Bug::RemembersTooSoon) {
            return Applied::Conflict;
        }
        let applied = self.apply(change, bug);
        if applied == Applied::Written {
            self.received.insert(event.to_owned(), at);
        }
        applied
    }

    pub(crate) fn attach(&mut self, intent: &PaymentAttempt, now: Timestamp, bug: Option<Bug>) -> Attached {
        let has_another = bug != Some(Bug::OpensBesides) && self.has_another_open(intent);
        let is_payable = intent.shares.iter().all(|share| self.has_due(share, bug)) && !has_another;
        if !is_payable && intent.payable.order().is_some() {
            return Attached::Refused;
        }
        if !is_payable || self.open_for(intent.payable).is_none() {
            let mut opened = intent.clone();
            if bug == Some(Bug::ForgetsFreightInShares) {
                for share in &mut opened.shares {
                    share.amount = self.orders.get(&share.order).map_or(share.amount, |row| row.order.item.total);
                }
            }
            let fresh = || PaymentAttemptRow {
                opened,
                // A checkout's payment that comes too late is recorded as closed, and nobody knows yet how it ended.
                closed: !is_payable,
                ended: None,
                polled: false,
                next_poll: now,
                asked_at: now,
                unknown: false,
                mismatched: None,
                drifted: false,
                late: !is_payable,
            };
            self.payment_attempts.entry(intent.id.clone()).or_insert_with(fresh);
        }
        match self.open_for(intent.payable) {
            Some(open) if open.id == intent.id => Attached::Open,
            Some(open) => Attached::Another(open.id),
            None => Attached::Refused,
        }
    }

    fn has_due(&self, share: &PaymentShare, bug: Option<Bug>) -> bool {
        let is_due = |row: &Row| {
            let order = &row.order;
            let is_open = order.state.payment() == Payment::Unpaid && !order.is_cancelled();
            let is_known = order.item.charges().is_some() || bug == Some(Bug::PaysBeforeFreight);
            is_open && is_known && order.due() == share.amount
        };
        self.orders.get(&share.order).is_some_and(is_due)
    }

    /// Whether a line of the checkout has an open payment of its own, or the checkout of the order one.
    fn has_another_open(&self, intent: &PaymentAttempt) -> bool {
        let shares_with = |row: &&PaymentAttemptRow| {
            !row.closed
                && row.opened.payable != intent.payable
                && intent.shares.iter().any(|share| {
                    let checkout = self.orders.get(&share.order).and_then(|row| row.order.checkout());
                    row.opened.payable == Payable::Order(share.order)
                        || checkout.is_some_and(|checkout| row.opened.payable == Payable::Checkout(checkout))
                })
        };
        self.payment_attempts.values().any(|row| shares_with(&row))
    }

    pub(crate) fn open_for(&self, payable: Payable) -> Option<PaymentAttempt> {
        self.of_payable(payable).find(|row| !row.closed).map(|row| row.opened.clone())
    }

    pub(crate) fn of_payable(&self, payable: Payable) -> impl Iterator<Item = &PaymentAttemptRow> {
        self.payment_attempts.values().filter(move |row| row.opened.payable == payable)
    }

    /// The payments that have a share for an order.
    pub(crate) fn of_order(&self, order: OrderId) -> impl Iterator<Item = &PaymentAttemptRow> {
        self.payment_attempts.values().filter(move |row| row.opened.share_of(order).is_some())
    }

    pub(crate) fn undecided(&self, order: OrderId) -> Vec<PaymentAttempt> {
        self.of_order(order).filter(|row| !row.closed || row.ended.is_none()).map(|row| row.opened.clone()).collect()
    }

    pub(crate) fn close(&mut self, id: &TransactionId, ended: Ended) {
        if let Some(row) = self.payment_attempts.get_mut(id)
            && row.ended.is_none()
        {
            row.closed = true;
            row.ended = Some(ended);
        }
    }

    pub(crate) fn check_sooner(&mut self, id: &TransactionId, why: CheckSooner, now: Timestamp) {
        if let Some(row) = self.payment_attempts.get_mut(id).filter(|row| !row.closed) {
            row.asked_at = now;
            row.next_poll = match why {
                CheckSooner::Confirmed => Timestamp::MIN,
                CheckSooner::Asked => row.next_poll.min(later(now, Duration::from_secs(5))),
            };
        }
    }

    pub(crate) fn note_known(&mut self, id: &TransactionId, known: bool) {
        if let Some(row) = self.payment_attempts.get_mut(id) {
            row.unknown = !known;
        }
    }

    pub(crate) fn note_mismatch(&mut self, id: &TransactionId, now: Timestamp) {
        if let Some(row) = self.payment_attempts.get_mut(id) {
            row.mismatched.get_or_insert(now);
        }
    }

    pub(crate) fn lease_due(
        &mut self,
        waits: Waits,
        now: Timestamp,
        limit: u32,
        bug: Option<Bug>,
    ) -> Vec<PaymentAttempt> {
        let only_once = bug == Some(Bug::LooksOnlyOnce);
        let mut due: Vec<&mut PaymentAttemptRow> = self
            .payment_attempts
            .values_mut()
            .filter(|row| !row.closed && row.next_poll <= now && !(only_once && row.polled))
            .collect();
        due.sort_by_key(|row| (row.next_poll, row.opened.id.clone()));
        due.into_iter()
            .take(limit as usize)
            .map(|row| {
                row.polled = true;
                row.next_poll = later(now, waits.at(since(row.asked_at, now)));
                row.opened.clone()
            })
            .collect()
    }

    pub(crate) fn lease_settled(&mut self, waits: Waits, now: Timestamp, limit: u32) -> Vec<PaymentRef> {
        let Self { orders, audits, .. } = self;
        let mut due: Vec<(Timestamp, PaymentRef)> = orders
            .values()
            .filter(|row| !row.order.is_cancelled())
            .filter_map(|row| {
                let Payment::Paid { transaction, .. } = row.order.state.payment() else { return None };
                let next = audits.get(&row.order.id).copied().unwrap_or(Timestamp::MIN);
                let settled = PaymentRef { id: transaction, order: row.order.id };
                (next <= now).then_some((next, settled))
            })
            .collect();
        due.sort_by_key(|(next, settled)| (*next, settled.order));
        due.truncate(limit as usize);
        let mut leased: BTreeMap<TransactionId, OrderId> = BTreeMap::new();
        for (_, settled) in due {
            // With a line of a checkout all others that the same payment settled; of all of them the first is returned.
            let is_alone = orders.get(&settled.order).is_none_or(|row| row.order.checkout().is_none());
            let with_it = orders
                .values()
                .filter(|row| row.order.id == settled.order || (!is_alone && row.order.checkout().is_some()));
            for row in with_it {
                let Payment::Paid { transaction, at } = row.order.state.payment() else { continue };
                if transaction == settled.id {
                    audits.insert(row.order.id, later(now, waits.at(since(at, now))));
                    leased
                        .entry(transaction)
                        .and_modify(|order| *order = row.order.id.min(*order))
                        .or_insert(row.order.id);
                }
            }
        }
        leased.into_iter().map(|(id, order)| PaymentRef { id, order }).collect()
    }

    // --- refunds and disputes ----------------------------------------------------------------------------------------

    pub(crate) fn refunds_of_payment(&self, payment: &TransactionId) -> Vec<Refund> {
        self.refunds.values().map(|row| &row.refund).filter(|refund| refund.payment == *payment).cloned().collect()
    }

    pub(crate) fn refunds_of(&self, order: OrderId) -> Vec<Refund> {
        self.refunds.values().map(|row| &row.refund).filter(|refund| refund.order == order).cloned().collect()
    }

    pub(crate) fn begin(&mut self, new: &NewRefund, now: Timestamp, bug: Option<Bug>) -> RefundBegun {
        let refund = &new.refund;
        let known = |row: &&RefundRow| {
            let other = &row.refund;
            (new.idempotency_key.is_some() && row.idempotency_key == new.idempotency_key && other.order == refund.order)
                || (refund.cause.is_whole()
                    && other.cause.is_whole()
                    && (&other.payment, other.order) == (&refund.payment, refund.order))
                || (refund.provider_id.is_some() && other.provider_id == refund.provider_id)
        };
        if let Some(known) = self.refunds.values().find(known) {
            return RefundBegun::Known(Box::new(known.refund.clone()));
        }
        if refund.cause != RefundCause::Elsewhere {
            let taken: i64 = self
                .refunds
                .values()
                .map(|row| &row.refund)
                .filter(|other| other.order == refund.order && other.payment == refund.payment)
                .filter(|other| other.cause != RefundCause::Elsewhere || other.state != RefundState::Failed)
                .map(|other| other.amount.cents())
                .sum();
            let whole = self.payment_attempts.get(&refund.payment).map_or(new.brought, |row| row.opened.amount);
            let brought = if bug == Some(Bug::BoundsByThePayment) { whole } else { new.brought };
            let left = Money::from_cents(brought.cents() - taken).unwrap_or(Money::ZERO);
            if refund.amount > left {
                return RefundBegun::TooMuch { left };
            }
        }
        if let Some(change) = &new.change
            && self.apply(change, bug) == Applied::Conflict
        {
            return RefundBegun::Conflict;
        }
        let next_try = Some(later(now, REFUND_LEASE));
        let mut refund = refund.clone();
        if bug == Some(Bug::SendsBackTheWholePayment) && refund.cause == RefundCause::Late {
            refund.amount = self.payment_attempts.get(&refund.payment).map_or(refund.amount, |row| row.opened.amount);
        }
        let id = refund.id;
        let row = RefundRow { refund, idempotency_key: new.idempotency_key, next_try, acknowledged: false };
        self.refunds.insert(id, row);
        RefundBegun::Written
    }

    /// The refund that was decided under an idempotency key.
    pub(crate) fn begun_under(&self, order: OrderId, idempotency_key: IdempotencyKey) -> Option<Refund> {
        let same = |row: &&RefundRow| row.refund.order == order && row.idempotency_key == Some(idempotency_key);
        self.refunds.values().find(same).map(|row| row.refund.clone())
    }

    pub(crate) fn move_refund(
        &mut self,
        before: &Refund,
        after: &Refund,
        change: Option<&Change>,
        next_try: Timestamp,
        bug: Option<Bug>,
    ) -> Applied {
        let same = |row: &RefundRow| {
            let now = &row.refund;
            (now.state, now.attempt, now.amount, &now.provider_id)
                == (before.state, before.attempt, before.amount, &before.provider_id)
        };
        if !self.refunds.get(&after.id).is_some_and(same) {
            return Applied::Conflict;
        }
        if let Some(change) = change
            && self.apply(change, bug) == Applied::Conflict
        {
            return Applied::Conflict;
        }
        if let Some(row) = self.refunds.get_mut(&after.id) {
            row.refund = after.clone();
            row.next_try = Some(next_try);
        }
        Applied::Written
    }

    pub(crate) fn lease_refunds(&mut self, now: Timestamp, limit: u32) -> Vec<Refund> {
        let mut due: Vec<&mut RefundRow> =
            self.refunds.values_mut().filter(|row| row.next_try.is_some_and(|next| next <= now)).collect();
        due.sort_by_key(|row| (row.next_try, row.refund.id));
        due.into_iter()
            .take(limit as usize)
            .map(|row| {
                let refund = &mut row.refund;
                let age = since(refund.changed_at, now);
                row.next_try = match refund.state {
                    RefundState::Due => {
                        let wait = REFUND_WAIT * 2_u32.pow(refund.tries.min(20));
                        Some(later(now, wait.min(REFUND_WAIT_MOST)))
                    }
                    RefundState::Pending | RefundState::Succeeded => (age < REFUND_WATCH)
                        .then(|| later(now, (age / 4).clamp(Duration::from_mins(1), Duration::from_hours(22)))),
                    RefundState::Failed | RefundState::Recorded => {
                        (refund.tries < 3).then(|| later(now, Duration::from_mins(1)))
                    }
                };
                refund.tries += 1;
                refund.clone()
            })
            .collect()
    }

    pub(crate) fn note_dispute(
        &mut self,
        payment: &PaymentRef,
        before: Option<DisputeState>,
        dispute: &Dispute,
        change: Option<&Change>,
        at: Timestamp,
        bug: Option<Bug>,
    ) -> Applied {
        if self.disputes.get(&dispute.id).map(|row| row.dispute.state) != before {
            return Applied::Conflict;
        }
        if let Some(change) = change
            && self.apply(change, bug) == Applied::Conflict
        {
            return Applied::Conflict;
        }
        let fresh =
            || DisputeRow { dispute: dispute.clone(), payment: payment.clone(), since: at, acknowledged: false };
        self.disputes.entry(dispute.id.clone()).or_insert_with(fresh).dispute = dispute.clone();
        Applied::Written
    }

    pub(crate) fn disputes_of(&self, payment: &TransactionId) -> Vec<Dispute> {
        let own = |row: &&DisputeRow| row.payment.id == *payment;
        let mut found: Vec<&DisputeRow> = self.disputes.values().filter(own).collect();
        found.sort_by_key(|row| (row.since, &row.dispute.id));
        found.into_iter().map(|row| row.dispute.clone()).collect()
    }

    pub(crate) fn acknowledge(&mut self, what: &Acknowledged) -> bool {
        let place = match what {
            Acknowledged::Refund(id) => self
                .refunds
                .get_mut(id)
                .filter(|row| row.refund.cause == RefundCause::Elsewhere)
                .map(|row| &mut row.acknowledged),
            Acknowledged::Dispute(id) => self
                .disputes
                .get_mut(id)
                .filter(|row| row.dispute.state == DisputeState::Lost)
                .map(|row| &mut row.acknowledged),
        };
        place.is_some_and(|acknowledged| !std::mem::replace(acknowledged, true))
    }

    pub(crate) fn attention(&self, now: Timestamp) -> Vec<(AttentionItem, Timestamp)> {
        let mismatched = self
            .payment_attempts
            .values()
            .filter(|row| !row.closed)
            .filter_map(|row| Some((AttentionItem::Mismatched(row.opened.clone()), row.mismatched?)));
        let odd = self.refunds.values().filter(|row| {
            let refund = &row.refund;
            let stands = |order: &Order| order.is_paid() && !order.is_cancelled();
            let elsewhere = refund.cause == RefundCause::Elsewhere;
            match refund.state {
                RefundState::Failed => !elsewhere,
                RefundState::Due => is_overdue(refund, now),
                _ => {
                    elsewhere
                        && !row.acknowledged
                        && self.orders.get(&refund.order).is_some_and(|row| stands(&row.order))
                }
            }
        });
        let disputed = self.disputes.values().filter(|row| row.dispute.state != DisputeState::Won && !row.acknowledged);
        let disputed = disputed.map(|row| {
            let (payment, order) = (row.payment.id.clone(), row.payment.order);
            (AttentionItem::Disputed { dispute: row.dispute.clone(), payment, order }, row.since)
        });
        let odd = odd.map(|row| (AttentionItem::Refund(row.refund.clone()), row.refund.changed_at));
        let mut all: Vec<(AttentionItem, Timestamp)> = mismatched.chain(odd).chain(disputed).collect();
        all.sort_by_key(|(_, since)| *since);
        all
    }

    /// Drifting payments of orders that are not cancelled, except those that an admin has acknowledged.
    pub(crate) fn disagreements(&self) -> usize {
        let acknowledged_by_admin = |row: &&PaymentAttemptRow| {
            let refund = |other: &RefundRow| other.acknowledged && other.refund.payment == row.opened.id;
            let dispute = |other: &DisputeRow| other.acknowledged && other.payment.id == row.opened.id;
            self.refunds.values().any(refund) || self.disputes.values().any(dispute)
        };
        self.drifting().filter(|row| !acknowledged_by_admin(row)).count()
    }

    /// Payments of orders that are not cancelled, of which the provider no longer reports what it reported when they
    /// came in.
    pub(crate) fn drifting(&self) -> impl Iterator<Item = &PaymentAttemptRow> {
        self.payment_attempts.values().filter(|row| row.drifted && settles(&self.orders, row))
    }

    pub(crate) fn tally(&self, now: Timestamp) -> MoneyTally {
        let many = |test: &dyn Fn(&RefundRow) -> bool| self.refunds.values().filter(|row| test(row)).count() as u64;
        let open = |test: fn(&PaymentAttemptRow) -> bool| {
            self.payment_attempts.values().filter(|row| !row.closed && test(row)).count() as u64
        };
        let matters = self.attention(now);
        let of_kind =
            |test: fn(&AttentionItem) -> bool| matters.iter().filter(|(matter, _)| test(matter)).count() as u64;
        MoneyTally {
            owing: many(&|row| row.refund.state == RefundState::Due),
            overdue: many(&|row| is_overdue(&row.refund, now)),
            failed: many(&|row| row.refund.state == RefundState::Failed && row.refund.cause != RefundCause::Elsewhere),
            elsewhere: of_kind(
                |matter| matches!(matter, AttentionItem::Refund(refund) if refund.cause == RefundCause::Elsewhere && refund.state.stands()),
            ),
            disputed: of_kind(|matter| matches!(matter, AttentionItem::Disputed { .. })),
            mismatched: open(|row| row.mismatched.is_some()),
            unknown: open(|row| row.unknown),
            // Nobody asks for a return here.
            returns: 0,
        }
    }

    pub(crate) fn forget_received(&mut self, before: Timestamp, limit: usize) -> usize {
        let mut old: Vec<(Timestamp, String)> =
            self.received.iter().filter(|(_, at)| **at < before).map(|(event, at)| (*at, event.clone())).collect();
        old.sort();
        old.truncate(limit);
        for (_, event) in &old {
            self.received.remove(event);
        }
        old.len()
    }

    pub(crate) fn lease_lapsed(&mut self, now: Timestamp, limit: usize) -> Vec<OrderId> {
        let mut due: Vec<&mut Row> =
            self.orders.values_mut().filter(|row| reserves_stock(&row.order) && row.lapses.0 <= now).collect();
        due.sort_by_key(|row| (row.lapses.0, row.order.id));
        let taken = due.into_iter().take(limit).map(|row| {
            let wait =
                Duration::from_mins(1).saturating_mul(2_u32.pow(row.lapses.1.min(10))).min(Duration::from_hours(6));
            row.lapses = (later(now, wait), row.lapses.1 + 1);
            row.order.id
        });
        taken.collect()
    }
}

fn rules_for(percentages: &BTreeMap<AccountId, Percent>, customer: AccountId, product: &Product) -> PriceRules {
    let off = percentages.get(&customer).map(|percent| ListTerms::Off(*percent));
    let (list, ladder) = (product.details.price, product.details.ladder.clone());
    PriceRules { list, ladder, terms: off.into_iter().collect() }
}

/// Whether an unpaid order reserves units.
fn reserves_stock(order: &Order) -> bool {
    order.state == OrderState::Placed
}

/// Whether a refund has been due for too long.
fn is_overdue(refund: &Refund, now: Timestamp) -> bool {
    refund.state == RefundState::Due && since(refund.created_at, now) > REFUND_OVERDUE
}

/// Whether a payment settled an order that is not cancelled.
fn settles(orders: &BTreeMap<OrderId, Row>, row: &PaymentAttemptRow) -> bool {
    let mut orders = row.opened.shares.iter().filter_map(|share| orders.get(&share.order)).map(|row| &row.order);
    orders.any(|order| order.state.paid_by() == Some(&row.opened.id) && !order.is_cancelled())
}

fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

fn since(moment: Timestamp, now: Timestamp) -> Duration {
    now.duration_since(moment).try_into().unwrap_or_default()
}
