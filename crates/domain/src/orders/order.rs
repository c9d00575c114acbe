//! Orders: what was bought, and how far it has come.
//!
//! Payment and fulfilment are two facts, kept apart: goods may leave on account before the money arrives, and money may
//! arrive for an order that was called off. A move takes the order as it was and answers a [`Change`], which a store
//! writes only if the row still is as it was.

use std::fmt;

use thiserror::Error;

use crate::catalog::product::UnitPrice;
use crate::catalog::stock::TakeRefused;
use crate::orders::event::{Actor, MoneyBack, OrderEvent, OrderEventKind};
use crate::payments::payment::is_chargeable;
use crate::platform::money::MoneyError;
use crate::{
    AccountId, Category, Contact, EventId, Money, OrderId, Payment, PictureUrl, Product, ProductId, Quantity, Text,
    Timestamp, TransactionId,
};

/// What was ordered: a snapshot of the product and the price at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Which product.
    pub product: ProductId,
    /// What it was called.
    pub name: Text<200>,
    /// Where it stood.
    pub category: Category,
    /// How it was described.
    pub details: Text<5000>,
    /// What it looked like.
    pub img: PictureUrl,
    /// The maker's number, if it had one.
    pub part_number: Option<Text<60>>,
    /// What one unit cost.
    pub unit_price: UnitPrice,
    /// How many units.
    pub quantity: Quantity,
    /// Unit price times quantity.
    pub total: Money,
}

/// Whether the goods have left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fulfilment {
    /// Not yet.
    Pending,
    /// They have.
    Shipped {
        /// When.
        at: Timestamp,
    },
}

/// Whether the order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Open,
    /// It was called off; only its timeline still tells of it.
    Cancelled {
        /// When.
        at: Timestamp,
    },
}

/// How far an order has come: the part of it that moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Whether it has been paid.
    pub payment: Payment,
    /// Whether it has left.
    pub fulfilment: Fulfilment,
    /// Whether it stands.
    pub standing: Standing,
}

/// What people call an order by: `DL-10428`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderNumber(u64);

/// Not a number that an order can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not an order's number")]
pub struct NotAnOrderNumber;

impl OrderNumber {
    /// Wraps a number from 1 on.
    ///
    /// # Errors
    /// [`NotAnOrderNumber`] below that.
    pub fn new(number: i64) -> Result<Self, NotAnOrderNumber> {
        u64::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotAnOrderNumber)
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DL-{}", self.0)
    }
}

/// What the store gives an order at the moment that it is placed: by its own count and by its own clock, which all copies
/// of the shop share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreAssigned {
    /// What people call it by; `None` before it is stored.
    pub number: Option<OrderNumber>,
    /// Until when it keeps its units while it is unpaid; `None` before it is stored.
    pub reserved_until: Option<Timestamp>,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Which one.
    pub id: OrderId,
    /// What the store gave it.
    pub assigned: StoreAssigned,
    /// Whose it is.
    pub customer: AccountId,
    /// Where it goes.
    pub contact: Contact,
    /// What was ordered.
    pub item: Item,
    /// When it was placed.
    pub placed_at: Timestamp,
    /// How far it has come.
    pub progress: Progress,
}

/// A move that the rules allow, to be written if the order still is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// How far the order had come when the move was judged.
    pub before: Progress,
    /// The order as it is after the move.
    pub after: Order,
    /// The timeline's entry.
    pub event: OrderEvent,
}

/// When a move is made, by whom, and under which id the timeline knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventMeta {
    /// The timeline entry's id.
    pub event: EventId,
    /// Who makes the move.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

/// Why an order cannot be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlaceRefused {
    /// The shelf cannot give that many.
    #[error(transparent)]
    Stock(#[from] TakeRefused),
    /// The total is more than the shop can bill.
    #[error("the total {0}")]
    Total(#[from] MoneyError),
}

/// Why an order cannot be cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CancelRefused {
    /// The money is in.
    #[error("a paid order cannot be cancelled")]
    Paid,
    /// The goods are out.
    #[error("a shipped order cannot be cancelled")]
    Shipped,
    /// It was called off before.
    #[error("the order is cancelled already")]
    Cancelled,
}

/// Why an order cannot be shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShipRefused {
    /// It has left before.
    #[error("the order has been shipped already")]
    Shipped,
    /// It was called off.
    #[error("a cancelled order cannot be shipped")]
    Cancelled,
    /// Its money was sent back.
    #[error("a refunded order cannot be shipped")]
    Refunded,
}

/// Why a payment cannot settle an order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettleRefused {
    /// This very payment settled it before.
    #[error("the payment has been settled already")]
    BySame,
    /// Another payment settled it before.
    #[error("another payment has settled the order")]
    ByAnother,
    /// The order was called off: the money has to go back.
    #[error("the order is cancelled")]
    Cancelled,
}

/// Why a paid order cannot be called off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CancelPaidRefused {
    /// There is no money to send back: an unpaid order is cancelled instead.
    #[error("an unpaid order has nothing to refund")]
    Unpaid,
    /// The goods are out.
    #[error("a shipped order cannot be refunded")]
    Shipped,
    /// It was called off before.
    #[error("the order is cancelled already")]
    Cancelled,
}

/// Why money cannot be recorded as sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RefundRefused {
    /// It was recorded before.
    #[error("the payment has been refunded already")]
    Refunded,
    /// An order that waits to be shipped keeps its money.
    #[error("the order stands, so its money stays")]
    Standing,
    /// Another payment is the one that the order owes back.
    #[error("another payment has paid the order")]
    ByAnother,
}

/// Why a timeline does not add up to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It does not begin with the order being placed.
    #[error("the timeline does not begin with an order")]
    NoBeginning,
    /// It holds a move that the rules refuse.
    #[error("the timeline holds a move that the rules refuse")]
    Refused,
}

impl Order {
    /// Orders some of a product, at the product's price of this moment.
    ///
    /// # Errors
    /// [`PlaceRefused`] if the shelf or the total does not allow it.
    pub fn place(
        id: OrderId,
        customer: AccountId,
        contact: Contact,
        product: &Product,
        quantity: Quantity,
        at: Timestamp,
    ) -> Result<Self, PlaceRefused> {
        product.available.take(quantity, product.min_order)?;
        let item = Item {
            product: product.id,
            name: product.name.clone(),
            category: product.category,
            details: product.description.clone(),
            img: product.img.clone(),
            part_number: product.part_number.clone(),
            unit_price: product.price,
            quantity,
            total: product.price.money().times(quantity)?,
        };
        Ok(Self::fresh(id, customer, contact, item, at))
    }

    fn fresh(id: OrderId, customer: AccountId, contact: Contact, item: Item, at: Timestamp) -> Self {
        let progress = Progress { payment: Payment::Unpaid, fulfilment: Fulfilment::Pending, standing: Standing::Open };
        Self { id, assigned: StoreAssigned::default(), customer, contact, item, placed_at: at, progress }
    }

    /// The timeline's first entry: everything that the order was placed with.
    #[must_use]
    pub fn placed(&self, event: EventId, by: Actor) -> OrderEvent {
        let kind = OrderEventKind::Ordered {
            customer: self.customer,
            contact: Box::new(self.contact.clone()),
            item: Box::new(self.item.clone()),
            assigned: self.assigned,
        };
        OrderEvent { id: event, order: self.id, kind, by, at: self.placed_at }
    }

    /// Takes the order out of the queue and hands its units back.
    ///
    /// # Errors
    /// [`CancelRefused`] once it is paid, shipped or cancelled.
    pub fn cancel(self, meta: EventMeta) -> Result<Change, CancelRefused> {
        if self.is_cancelled() {
            return Err(CancelRefused::Cancelled);
        }
        if matches!(self.progress.fulfilment, Fulfilment::Shipped { .. }) {
            return Err(CancelRefused::Shipped);
        }
        if self.progress.payment.is_paid() {
            return Err(CancelRefused::Paid);
        }
        let after = Progress { standing: Standing::Cancelled { at: meta.at }, ..self.progress.clone() };
        Ok(self.change(after, OrderEventKind::Cancelled, meta))
    }

    /// Takes a paid order out of the queue and hands its units back. From then on the shop owes its buyer the money, until
    /// [`Order::refund`] records that it went back.
    ///
    /// # Errors
    /// [`CancelPaidRefused`] unless it is paid and stands unshipped.
    pub fn cancel_paid(self, meta: EventMeta) -> Result<Change, CancelPaidRefused> {
        if self.is_cancelled() {
            return Err(CancelPaidRefused::Cancelled);
        }
        if matches!(self.progress.fulfilment, Fulfilment::Shipped { .. }) {
            return Err(CancelPaidRefused::Shipped);
        }
        if !self.progress.payment.is_paid() {
            return Err(CancelPaidRefused::Unpaid);
        }
        let after = Progress { standing: Standing::Cancelled { at: meta.at }, ..self.progress.clone() };
        Ok(self.change(after, OrderEventKind::Cancelled, meta))
    }

    /// Sends the goods; before they are paid, on account.
    ///
    /// # Errors
    /// [`ShipRefused`] once they have left, or if the order no longer stands.
    pub fn ship(self, meta: EventMeta) -> Result<Change, ShipRefused> {
        if self.is_cancelled() {
            return Err(ShipRefused::Cancelled);
        }
        if matches!(self.progress.fulfilment, Fulfilment::Shipped { .. }) {
            return Err(ShipRefused::Shipped);
        }
        let on_account = match self.progress.payment {
            Payment::Unpaid => true,
            Payment::Paid { .. } => false,
            Payment::Refunded { .. } => return Err(ShipRefused::Refunded),
        };
        let after = Progress { fulfilment: Fulfilment::Shipped { at: meta.at }, ..self.progress.clone() };
        Ok(self.change(after, OrderEventKind::Shipped { on_account }, meta))
    }

    /// Records that a payment of the whole total arrived.
    ///
    /// # Errors
    /// [`SettleRefused`] if the order is settled already or no longer stands.
    pub fn settle(self, transaction: TransactionId, meta: EventMeta) -> Result<Change, SettleRefused> {
        if let Some(earlier) = self.progress.payment.transaction() {
            let same = *earlier == transaction;
            return Err(if same { SettleRefused::BySame } else { SettleRefused::ByAnother });
        }
        if self.is_cancelled() {
            return Err(SettleRefused::Cancelled);
        }
        let payment = Payment::Paid { transaction: transaction.clone(), at: meta.at };
        let after = Progress { payment, ..self.progress.clone() };
        Ok(self.change(after, OrderEventKind::Paid { transaction }, meta))
    }

    /// Records that all the money of an order that was cancelled, or has left, was sent back.
    ///
    /// # Errors
    /// [`RefundRefused`] if it was recorded before, if the order waits to be shipped, or if it was paid by another payment.
    pub fn refund(self, transaction: TransactionId, meta: EventMeta) -> Result<Change, RefundRefused> {
        match &self.progress.payment {
            Payment::Unpaid => {}
            Payment::Paid { transaction: paid, .. } if *paid == transaction => {}
            Payment::Paid { .. } => return Err(RefundRefused::ByAnother),
            Payment::Refunded { .. } => return Err(RefundRefused::Refunded),
        }
        let returned = self.is_shipped() && self.progress.payment.is_paid();
        if !self.is_cancelled() && !returned {
            return Err(RefundRefused::Standing);
        }
        let payment = Payment::Refunded { transaction: transaction.clone(), at: meta.at };
        let after = Progress { payment, ..self.progress.clone() };
        Ok(self.change(after, OrderEventKind::Refunded { transaction }, meta))
    }

    /// Until when the order keeps its units, if it is one that may lapse: unpaid, unshipped and not cancelled.
    #[must_use]
    pub fn reserved_until(&self) -> Option<Timestamp> {
        let lapses = self.progress.payment == Payment::Unpaid
            && self.progress.fulfilment == Fulfilment::Pending
            && !self.is_cancelled();
        self.assigned.reserved_until.filter(|_| lapses)
    }

    /// What people call the order by: its number, or its id as long as it has none.
    #[must_use]
    pub fn name(&self) -> String {
        self.assigned.number.map_or_else(|| self.id.to_string(), |number| number.to_string())
    }

    /// Records that money which had been sent back did not arrive. An order that had all of its money sent back holds it
    /// again: it owes it, if it was cancelled.
    #[must_use]
    pub fn refund_failed(self, money: MoneyBack, meta: EventMeta) -> Change {
        let payment = match &self.progress.payment {
            Payment::Refunded { transaction, .. } if *transaction == money.transaction => {
                Payment::Paid { transaction: transaction.clone(), at: meta.at }
            }
            other => other.clone(),
        };
        let after = Progress { payment, ..self.progress.clone() };
        self.change(after, OrderEventKind::RefundFailed(money), meta)
    }

    /// Records what happened to its money and leaves the order as it is; `None` for anything that is more than a note.
    #[must_use]
    pub fn note(self, kind: OrderEventKind, meta: EventMeta) -> Option<Change> {
        let after = self.progress.clone();
        kind.is_note().then(|| self.change(after, kind, meta))
    }

    /// Whether the goods have left.
    #[must_use]
    pub const fn is_shipped(&self) -> bool {
        matches!(self.progress.fulfilment, Fulfilment::Shipped { .. })
    }

    /// Whether a card can pay it. An order that is too large for one is sent on account.
    #[must_use]
    pub const fn is_payable_by_card(&self) -> bool {
        is_chargeable(self.item.total)
    }

    /// Whether the order was called off.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self.progress.standing, Standing::Cancelled { .. })
    }

    /// The payment whose money the shop holds and has to send back, if there is one.
    #[must_use]
    pub const fn owed(&self) -> Option<&TransactionId> {
        match (&self.progress.payment, self.is_cancelled()) {
            (Payment::Paid { transaction, .. }, true) => Some(transaction),
            _ => None,
        }
    }

    /// Rebuilds an order from its timeline, oldest entry first, by the same rules that made it.
    ///
    /// # Errors
    /// [`ReplayError`] for a timeline that those rules could not have written.
    pub fn replay<'a>(timeline: impl IntoIterator<Item = &'a OrderEvent>) -> Result<Self, ReplayError> {
        let mut entries = timeline.into_iter();
        let first = entries.next().ok_or(ReplayError::NoBeginning)?;
        let OrderEventKind::Ordered { customer, contact, item, assigned } = &first.kind else {
            return Err(ReplayError::NoBeginning);
        };
        let fresh = Self::fresh(first.order, *customer, (**contact).clone(), (**item).clone(), first.at);
        let placed = Self { assigned: *assigned, ..fresh };
        entries.try_fold(placed, |order, entry| {
            let meta = EventMeta { event: entry.id, by: entry.by.clone(), at: entry.at };
            let change = match &entry.kind {
                OrderEventKind::Ordered { .. } => None,
                OrderEventKind::Paid { transaction } => order.settle(transaction.clone(), meta).ok(),
                OrderEventKind::Shipped { .. } => order.ship(meta).ok(),
                OrderEventKind::Cancelled if order.progress.payment.is_paid() => order.cancel_paid(meta).ok(),
                OrderEventKind::Cancelled => order.cancel(meta).ok(),
                OrderEventKind::Refunded { transaction } => order.refund(transaction.clone(), meta).ok(),
                OrderEventKind::RefundFailed(money) => Some(order.refund_failed(money.clone(), meta)),
                OrderEventKind::PartlyRefunded(_)
                | OrderEventKind::Overpaid { .. }
                | OrderEventKind::Disputed { .. }
                | OrderEventKind::DisputeClosed { .. } => order.note(entry.kind.clone(), meta),
            };
            change.filter(|change| change.event == *entry).map(|change| change.after).ok_or(ReplayError::Refused)
        })
    }

    fn change(self, progress: Progress, kind: OrderEventKind, meta: EventMeta) -> Change {
        let event = OrderEvent { id: meta.event, order: self.id, kind, by: meta.by, at: meta.at };
        let before = self.progress.clone();
        Change { before, after: Self { progress, ..self }, event }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{MinOrder, Stock};

    fn product(available: i64) -> Product {
        Product {
            id: ProductId::new(Uuid::from_u128(1)),
            name: Text::new("Ventilated brake disc").unwrap(),
            description: Text::new("A pair.").unwrap(),
            part_number: None,
            category: Category::Brakes,
            img: "/pictures/brake-disc-640.webp".parse().unwrap(),
            price: UnitPrice::from_dollars(129.99).unwrap(),
            min_order: MinOrder::effective(50).unwrap(),
            available: Stock::new(available).unwrap(),
            created_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn contact() -> Contact {
        Contact {
            name: Text::new("A Buyer").unwrap(),
            email: "buyer@example.com".parse().unwrap(),
            phone: Text::new("555 0100").unwrap(),
            address: Text::new("1 Workshop Lane").unwrap(),
        }
    }

    fn order() -> Order {
        let id = OrderId::new(Uuid::from_u128(2));
        let customer = AccountId::new(Uuid::from_u128(3));
        let fifty = Quantity::new(50).unwrap();
        Order::place(id, customer, contact(), &product(500), fifty, Timestamp::UNIX_EPOCH).unwrap()
    }

    fn meta(second: i64) -> EventMeta {
        EventMeta {
            event: EventId::new(Uuid::from_u128(u128::try_from(second).unwrap())),
            by: Actor::Shop,
            at: Timestamp::from_second(second).unwrap(),
        }
    }

    fn transaction(n: u8) -> TransactionId {
        format!("pi_{n}").parse().unwrap()
    }

    fn money_back(n: u8) -> MoneyBack {
        MoneyBack {
            transaction: transaction(n),
            refund: crate::RefundId::new(Uuid::from_u128(77)),
            amount: Money::from_cents(649_950).unwrap(),
        }
    }

    #[test]
    fn a_refund_that_fails_puts_the_order_back_to_owing() {
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        let owing = paid.cancel_paid(meta(2)).unwrap().after;
        let refunded = owing.refund(transaction(1), meta(3)).unwrap().after;
        let anothers = refunded.clone().refund_failed(money_back(2), meta(4));
        assert_eq!(anothers.after.owed(), None);
        let failed = refunded.refund_failed(money_back(1), meta(4)).after;
        assert_eq!(failed.owed(), Some(&transaction(1)));
        assert!(failed.refund(transaction(1), meta(5)).is_ok());
    }

    #[test]
    fn a_shipped_order_may_get_its_money_back_and_stays_shipped() {
        let shipped = order().ship(meta(1)).unwrap().after;
        assert_eq!(shipped.clone().refund(transaction(1), meta(2)), Err(RefundRefused::Standing));
        let paid = shipped.settle(transaction(1), meta(2)).unwrap().after;
        let refunded = paid.refund(transaction(1), meta(3)).unwrap().after;
        assert!(refunded.is_shipped() && !refunded.is_cancelled());
        assert_eq!(refunded.clone().settle(transaction(1), meta(4)), Err(SettleRefused::BySame));
        assert_eq!(refunded.cancel_paid(meta(4)), Err(CancelPaidRefused::Shipped));
    }

    #[test]
    fn an_order_bills_the_products_own_price_times_the_units() {
        assert_eq!(order().item.total.cents(), 649_950);
    }

    #[test]
    fn an_order_beyond_the_shelf_is_refused_with_what_is_left() {
        let id = OrderId::new(Uuid::from_u128(2));
        let customer = AccountId::new(Uuid::from_u128(3));
        let refused =
            Order::place(id, customer, contact(), &product(60), Quantity::new(61).unwrap(), Timestamp::UNIX_EPOCH);
        assert_eq!(refused, Err(PlaceRefused::Stock(TakeRefused::NotEnough { left: Stock::new(60).unwrap() })));
    }

    #[test]
    fn a_paid_order_cannot_be_cancelled() {
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        assert_eq!(paid.cancel(meta(2)), Err(CancelRefused::Paid));
    }

    #[test]
    fn an_unpaid_order_ships_on_account_and_stays_payable() {
        let shipped = order().ship(meta(1)).unwrap();
        assert_eq!(shipped.event.kind, OrderEventKind::Shipped { on_account: true });
        assert!(!shipped.after.progress.payment.is_paid());
        assert!(shipped.after.settle(transaction(1), meta(2)).is_ok());
    }

    #[test]
    fn the_same_payment_again_is_told_apart_from_another_one() {
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        assert_eq!(paid.clone().settle(transaction(1), meta(2)), Err(SettleRefused::BySame));
        assert_eq!(paid.settle(transaction(2), meta(2)), Err(SettleRefused::ByAnother));
    }

    #[test]
    fn money_for_a_cancelled_order_goes_back_once() {
        let cancelled = order().cancel(meta(1)).unwrap().after;
        assert_eq!(cancelled.clone().settle(transaction(1), meta(2)), Err(SettleRefused::Cancelled));
        let refunded = cancelled.refund(transaction(1), meta(3)).unwrap().after;
        assert_eq!(refunded.refund(transaction(1), meta(4)), Err(RefundRefused::Refunded));
    }

    #[test]
    fn a_paid_order_that_is_called_off_owes_its_money_until_it_went_back() {
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        assert_eq!(paid.owed(), None);
        let cancelled_paid = paid.cancel_paid(meta(2)).unwrap();
        assert_eq!(cancelled_paid.event.kind, OrderEventKind::Cancelled);
        let owing = cancelled_paid.after;
        assert_eq!(owing.owed(), Some(&transaction(1)));
        assert_eq!(owing.clone().refund(transaction(2), meta(3)), Err(RefundRefused::ByAnother));
        let refunded = owing.refund(transaction(1), meta(3)).unwrap().after;
        assert_eq!(refunded.owed(), None);
        assert_eq!(refunded.cancel_paid(meta(4)), Err(CancelPaidRefused::Cancelled));
    }

    #[test]
    fn only_a_paid_order_that_has_not_left_is_called_off() {
        assert_eq!(order().cancel_paid(meta(1)), Err(CancelPaidRefused::Unpaid));
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        let shipped = paid.ship(meta(2)).unwrap().after;
        assert_eq!(shipped.cancel_paid(meta(3)), Err(CancelPaidRefused::Shipped));
    }

    #[test]
    fn a_timeline_that_the_rules_could_not_have_written_is_refused() {
        let order = order();
        let placed = order.placed(EventId::new(Uuid::from_u128(9)), Actor::Shop);
        let cancelled = order.clone().cancel(meta(1)).unwrap().event;
        let paid = order.settle(transaction(1), meta(2)).unwrap().event;
        assert_eq!(Order::replay([]), Err(ReplayError::NoBeginning));
        assert_eq!(Order::replay([&cancelled]), Err(ReplayError::NoBeginning));
        assert_eq!(Order::replay([&placed, &cancelled, &paid]), Err(ReplayError::Refused));
    }

    #[derive(Debug, Clone)]
    enum Move {
        Cancel,
        CallOff,
        Ship,
        Settle(u8),
        Refund(u8),
        RefundFails(u8),
    }

    fn any_move() -> impl Strategy<Value = Move> {
        prop_oneof![
            Just(Move::Cancel),
            Just(Move::CallOff),
            Just(Move::Ship),
            (0..3_u8).prop_map(Move::Settle),
            (0..3_u8).prop_map(Move::Refund),
            (0..3_u8).prop_map(Move::RefundFails),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_tried_an_order_stays_sound_and_its_timeline_tells_it(
            moves in proptest::collection::vec(any_move(), 0..12),
        ) {
            let mut order = order();
            let mut timeline = vec![order.placed(EventId::new(Uuid::from_u128(99)), Actor::Shop)];
            for (second, a_move) in (1..).zip(moves) {
                let before = order.progress.clone();
                let meta = meta(second);
                let changed = match a_move {
                    Move::Cancel => order.clone().cancel(meta).ok(),
                    Move::CallOff => order.clone().cancel_paid(meta).ok(),
                    Move::Ship => order.clone().ship(meta).ok(),
                    Move::Settle(n) => order.clone().settle(transaction(n), meta).ok(),
                    Move::Refund(n) => order.clone().refund(transaction(n), meta).ok(),
                    Move::RefundFails(n) => Some(order.clone().refund_failed(money_back(n), meta)),
                };
                let Some(change) = changed else { continue };
                prop_assert_eq!(&change.before, &before);
                let told = matches!(change.event.kind, OrderEventKind::RefundFailed(_));
                prop_assert!(told || change.after.progress != before);
                order = change.after;
                timeline.push(change.event);

                let cancelled = order.is_cancelled();
                let shipped = matches!(order.progress.fulfilment, Fulfilment::Shipped { .. });
                prop_assert!(!(cancelled && shipped));
                prop_assert_eq!(order.owed().is_some(), cancelled && order.progress.payment.is_paid());
                let refunded = matches!(order.progress.payment, Payment::Refunded { .. });
                prop_assert!(cancelled || shipped || !refunded);
            }
            prop_assert_eq!(Order::replay(&timeline), Ok(order));
        }
    }
}
