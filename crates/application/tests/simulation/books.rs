//! The shop's database, in memory: what each transaction of the stores does, all of it or none of it.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::order::Change;
use domain::{
    AccountId, Fulfilment, Happening, Order, OrderEvent, OrderId, Payment, Product, ProductId, Stock, Timestamp,
    TransactionId, UnitPrice,
};
use ports::{Applied, Attached, IdempotencyKey, NewOrder, OpenIntent, Restocking};

use crate::planted::Bug;

/// The tables.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) shelves: BTreeMap<ProductId, Shelf>,
    pub(crate) ledger: Vec<Entry>,
    pub(crate) orders: BTreeMap<OrderId, Row>,
    pub(crate) intents: BTreeMap<TransactionId, IntentRow>,
    /// Messages of the provider that were dealt with, and when.
    pub(crate) heard: BTreeMap<String, Timestamp>,
    restockings: Vec<IdempotencyKey>,
}

/// A product and its units.
pub(crate) struct Shelf {
    product: Product,
    /// As a column can hold it: what a rule forbids can still be written.
    pub(crate) available: i64,
    pub(crate) archived: bool,
}

impl Shelf {
    /// The product as it is read.
    pub(crate) fn read(&self) -> Product {
        Product { available: Stock::new(self.available).unwrap_or(Stock::NONE), ..self.product.clone() }
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
    /// As Stripe is told it.
    pub(crate) id: String,
    pub(crate) once: Option<IdempotencyKey>,
    /// With their numbers.
    pub(crate) timeline: Vec<(usize, OrderEvent)>,
    /// When the shop tries next to give it up, and how often it has.
    lapses: (Timestamp, u32),
}

/// A payment on record.
pub(crate) struct IntentRow {
    pub(crate) opened: OpenIntent,
    pub(crate) closed: bool,
    looked_at: Option<Timestamp>,
    pub(crate) drifted: bool,
}

pub(crate) enum Placed {
    As(OrderId),
    PriceChanged(UnitPrice),
    NotEnough(Stock),
    Gone,
}

pub(crate) enum Restocked {
    Done,
    Unknown,
    TooMuch,
}

impl Books {
    pub(crate) fn add_product(&mut self, product: Product) {
        let (id, units) = (product.id, i64::from(product.available.get()));
        self.ledger.push(Entry { product: id, units, why: Why::Received, order: None });
        self.shelves.insert(id, Shelf { product, available: units, archived: false });
    }

    pub(crate) fn product(&self, id: ProductId) -> Option<Product> {
        self.shelves.get(&id).filter(|shelf| !shelf.archived).map(Shelf::read)
    }

    pub(crate) fn for_sale(&self) -> impl Iterator<Item = Product> {
        self.shelves.values().filter(|shelf| !shelf.archived).map(Shelf::read)
    }

    pub(crate) fn restock(&mut self, wish: &Restocking) -> Restocked {
        if wish.once.is_some_and(|key| self.restockings.contains(&key)) {
            return Restocked::Done;
        }
        let Some(row) = self.shelves.get_mut(&wish.product).filter(|row| !row.archived) else {
            return Restocked::Unknown;
        };
        let units = i64::from(wish.arriving.get());
        if Stock::new(row.available + units).is_err() {
            return Restocked::TooMuch;
        }
        row.available += units;
        row.product.price = wish.price;
        self.ledger.push(Entry { product: wish.product, units, why: Why::Received, order: None });
        self.restockings.extend(wish.once);
        Restocked::Done
    }

    pub(crate) fn archive(&mut self, id: ProductId) -> bool {
        let row = self.shelves.get_mut(&id).filter(|row| !row.archived);
        row.is_some_and(|row| !std::mem::replace(&mut row.archived, true))
    }

    /// The order that a buyer placed under a key.
    pub(crate) fn placed_under(&self, buyer: AccountId, key: IdempotencyKey) -> Option<OrderId> {
        let same = |row: &&Row| row.order.buyer == buyer && row.once == Some(key);
        self.orders.values().find(same).map(|row| row.order.id)
    }

    pub(crate) fn place(&mut self, new: &NewOrder, bug: Option<Bug>) -> Placed {
        let item = &new.order.item;
        let once = new.once.filter(|_| bug != Some(Bug::ForgetsKeys));
        if let Some(first) = once.and_then(|key| self.placed_under(new.order.buyer, key)) {
            return Placed::As(first);
        }
        let Some(goods) = self.shelves.get_mut(&item.product).filter(|goods| !goods.archived) else {
            return Placed::Gone;
        };
        if goods.product.price != item.unit_price {
            return Placed::PriceChanged(goods.product.price);
        }
        let units = i64::from(item.quantity.get());
        if goods.available < units && bug != Some(Bug::SellsWhatIsGone) {
            return Placed::NotEnough(goods.read().available);
        }
        goods.available -= units;
        let (product, order) = (item.product, Some(new.order.id));
        self.ledger.push(Entry { product, units: -units, why: Why::Ordered, order });
        let timeline = vec![(1, new.event.clone())];
        let lapses = (new.order.placed_at.checked_add(new.holds.new).unwrap(), 0);
        self.orders.insert(
            new.order.id,
            Row { order: new.order.clone(), id: new.order.id.to_string(), once: new.once, timeline, lapses },
        );
        Placed::As(new.order.id)
    }

    pub(crate) fn apply(&mut self, change: &Change, bug: Option<Bug>) -> Applied {
        let id = change.after.id;
        let Some(row) = self.orders.get_mut(&id) else { return Applied::Stale };
        if row.order.progress != change.before && bug != Some(Bug::AppliesBlindly) {
            return Applied::Stale;
        }
        row.order.progress = change.after.progress.clone();
        let last = row.timeline.iter().map(|(number, _)| *number).max().unwrap_or(0);
        row.timeline.push((last + 1, change.event.clone()));
        if change.event.happening == Happening::Cancelled {
            let (product, units) = (row.order.item.product, i64::from(row.order.item.quantity.get()));
            for _ in 0..if bug == Some(Bug::ReturnsTwice) { 2 } else { 1 } {
                if let Some(shelf) = self.shelves.get_mut(&product) {
                    shelf.available += units;
                }
                self.ledger.push(Entry { product, units, why: Why::Cancelled, order: Some(id) });
            }
        }
        Applied::Written
    }

    /// The change and the message in one transaction; neither if the message was dealt with since.
    pub(crate) fn apply_heard(&mut self, event: &str, change: &Change, at: Timestamp, bug: Option<Bug>) -> Applied {
        if self.heard.contains_key(event) && bug != Some(Bug::RemembersTooSoon) {
            return Applied::Stale;
        }
        let applied = self.apply(change, bug);
        if applied == Applied::Written {
            self.heard.insert(event.to_owned(), at);
        }
        applied
    }

    pub(crate) fn attach(&mut self, intent: &OpenIntent) -> Attached {
        let payable = |row: &Row| row.order.progress.payment == Payment::Unpaid && !row.order.is_cancelled();
        if !self.orders.get(&intent.order).is_some_and(payable) {
            return Attached::Refused;
        }
        if self.open_for(intent.order).is_none() {
            let fresh = || IntentRow { opened: intent.clone(), closed: false, looked_at: None, drifted: false };
            self.intents.entry(intent.id.clone()).or_insert_with(fresh);
        }
        match self.open_for(intent.order) {
            Some(open) if open.id == intent.id => Attached::Open,
            Some(open) => Attached::Another(open.id),
            None => Attached::Refused,
        }
    }

    pub(crate) fn open_for(&self, order: OrderId) -> Option<OpenIntent> {
        self.of_order(order).find(|row| !row.closed).map(|row| row.opened.clone())
    }

    pub(crate) fn of_order(&self, order: OrderId) -> impl Iterator<Item = &IntentRow> {
        self.intents.values().filter(move |row| row.opened.order == order)
    }

    pub(crate) fn take_due(&mut self, not_since: Timestamp, now: Timestamp, bug: Option<Bug>) -> Vec<OpenIntent> {
        let once = bug == Some(Bug::LooksOnlyOnce);
        let due = self.intents.values_mut().filter(|row| !row.closed);
        look_at(due.filter(|row| row.looked_at.is_none_or(|at| at < not_since && !once)), now)
    }

    pub(crate) fn take_settled(&mut self, not_since: Timestamp, now: Timestamp) -> Vec<OpenIntent> {
        let Self { orders, intents, .. } = self;
        let due = intents.values_mut().filter(|row| row.closed && settles(orders, row));
        look_at(due.filter(|row| row.looked_at.is_none_or(|at| at < not_since)), now)
    }

    pub(crate) fn disagreements(&self) -> usize {
        self.intents.values().filter(|row| row.drifted && settles(&self.orders, row)).count()
    }

    pub(crate) fn take_lapsed(&mut self, now: Timestamp, limit: usize) -> Vec<OrderId> {
        let due = |row: &&mut Row| {
            let progress = &row.order.progress;
            progress.payment == Payment::Unpaid
                && progress.fulfilment == Fulfilment::Pending
                && !row.order.is_cancelled()
                && row.lapses.0 <= now
        };
        let taken = self.orders.values_mut().filter(due).take(limit).map(|row| {
            let wait =
                Duration::from_mins(1).saturating_mul(2_u32.pow(row.lapses.1.min(10))).min(Duration::from_hours(6));
            row.lapses = (now.checked_add(wait).unwrap(), row.lapses.1 + 1);
            row.order.id
        });
        taken.collect()
    }
}

/// Whether a payment settled an order that stands.
fn settles(orders: &BTreeMap<OrderId, Row>, row: &IntentRow) -> bool {
    let order = orders.get(&row.opened.order).map(|row| &row.order);
    let paid_by = |order: &Order| match &order.progress.payment {
        Payment::Paid { transaction, .. } => *transaction == row.opened.id,
        Payment::Unpaid | Payment::Refunded { .. } => false,
    };
    order.is_some_and(|order| paid_by(order) && !order.is_cancelled())
}

fn look_at<'a>(due: impl Iterator<Item = &'a mut IntentRow>, now: Timestamp) -> Vec<OpenIntent> {
    due.map(|row| {
        row.looked_at = Some(now);
        row.opened.clone()
    })
    .collect()
}
