//! Orders: what was bought, and how far the order has come.
//!
//! Payment and fulfilment are separate facts: goods may be shipped on account before the money arrives, and money may
//! arrive for a cancelled order. Each transition takes the current order and returns a [`Change`], which a repository
//! writes only if the row has not changed in the meantime.

use std::fmt;

use thiserror::Error;

use crate::accounts::actor::Actor;
use crate::catalog::product::UnitPrice;
use crate::catalog::stock::TakeRefused;
use crate::orders::event::{MoneyBack, OrderEvent, OrderEventKind};
use crate::payments::payment::is_chargeable;
use crate::platform::money::MoneyError;
use crate::{
    AccountId, Category, Contact, EventId, Money, OrderId, Payment, PictureUrl, Product, ProductId, Quantity, Text,
    Timestamp, TransactionId,
};

/// What was ordered: a snapshot of the product and its price at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The product's id.
    pub product: ProductId,
    /// The product's name at that moment.
    pub name: Text<200>,
    /// The product's category at that moment.
    pub category: Category,
    /// The product's description at that moment.
    pub details: Text<5000>,
    /// The product's picture at that moment.
    pub img: PictureUrl,
    /// The manufacturer's part number, if it had one.
    pub part_number: Option<Text<60>>,
    /// The price of one unit at that moment.
    pub unit_price: UnitPrice,
    /// The number of units.
    pub quantity: Quantity,
    /// Unit price times quantity.
    pub total: Money,
}

impl Item {
    /// The refusal of an order for this item when its product has another price by now.
    #[must_use]
    pub fn price_changed(&self, unit: UnitPrice) -> PlaceRefused {
        match unit.money().times(self.quantity.get()) {
            Ok(total) => PlaceRefused::PriceChanged { unit, total },
            Err(error) => PlaceRefused::Total(error),
        }
    }
}

/// Whether the goods have been shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fulfilment {
    /// Not shipped.
    Pending,
    /// Shipped.
    Shipped {
        /// When they were shipped.
        at: Timestamp,
    },
}

/// Whether the order is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not cancelled.
    Open,
    /// Cancelled; it is left out of the usual lists, but its timeline remains.
    Cancelled {
        /// When it was cancelled.
        at: Timestamp,
    },
}

/// The state of an order: the part that changes after it was placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Whether and how it has been paid.
    pub payment: Payment,
    /// Whether it has been shipped.
    pub fulfilment: Fulfilment,
    /// Whether it has been cancelled.
    pub standing: Standing,
}

/// The order number that customers and staff use, such as `DL-10428`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderNumber(u64);

/// Not a valid order number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("is not an order's number")]
pub struct NotAnOrderNumber;

impl OrderNumber {
    /// Wraps a number of at least 1.
    ///
    /// # Errors
    /// [`NotAnOrderNumber`] below 1.
    pub fn new(number: i64) -> Result<Self, NotAnOrderNumber> {
        u64::try_from(number).ok().filter(|number| *number > 0).map(Self).ok_or(NotAnOrderNumber)
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DL-{}", self.0)
    }
}

/// What the store assigns when an order is placed: from its own sequence and its own clock, which all instances of the
/// shop share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoreAssigned {
    /// The order number; `None` before the order is stored.
    pub number: Option<OrderNumber>,
    /// When the reservation of its units expires while it is unpaid; `None` before the order is stored.
    pub reserved_until: Option<Timestamp>,
}

/// An order, with a snapshot of everything it was placed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The order's id.
    pub id: OrderId,
    /// What the store assigned to it.
    pub assigned: StoreAssigned,
    /// The account that placed it.
    pub customer: AccountId,
    /// Contact and delivery details.
    pub contact: Contact,
    /// The product, price and quantity.
    pub item: Item,
    /// When it was placed.
    pub placed_at: Timestamp,
    /// Its current state.
    pub progress: Progress,
}

/// A transition that the rules allow, to be written if the order has not changed in the meantime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The order's state before the transition, for compare-and-set.
    pub before: Progress,
    /// The order after the transition.
    pub after: Order,
    /// The event for the order's timeline.
    pub event: OrderEvent,
}

/// The id, the actor and the time of a transition's event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventMeta {
    /// The event's id.
    pub event: EventId,
    /// Who makes the transition.
    pub by: Actor,
    /// When it is made.
    pub at: Timestamp,
}

/// Why an order cannot be placed. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlaceRefused {
    /// The product does not exist, or not any more.
    #[error("no such product")]
    Gone,
    /// No product, or more than one, has the attributes by which it was selected.
    #[error("no single product looks like that")]
    NotOneProduct,
    /// The stock does not allow it.
    #[error(transparent)]
    Stock(#[from] TakeRefused),
    /// The product has another price than the order.
    #[error("the price has changed")]
    PriceChanged {
        /// The product's unit price.
        unit: UnitPrice,
        /// The order's total at that price.
        total: Money,
    },
    /// The total is more than the shop can bill.
    #[error("the total {0}")]
    Total(#[from] MoneyError),
    /// The account has no paid order and has reached its limit of unpaid orders.
    #[error("there are as many unpaid orders as there may be")]
    TooManyUnpaid {
        /// The limit.
        most: u32,
    },
}

/// Why an order cannot be cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CancelRefused {
    /// It is paid.
    #[error("a paid order cannot be cancelled")]
    Paid,
    /// It is shipped.
    #[error("a shipped order cannot be cancelled")]
    Shipped,
    /// It is cancelled already.
    #[error("the order is cancelled already")]
    Cancelled,
}

/// Why an order cannot be shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShipRefused {
    /// It is shipped already.
    #[error("the order has been shipped already")]
    Shipped,
    /// It is cancelled.
    #[error("a cancelled order cannot be shipped")]
    Cancelled,
    /// Its payment was refunded.
    #[error("a refunded order cannot be shipped")]
    Refunded,
}

/// Why a payment cannot settle an order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettleRefused {
    /// The same payment has already settled it.
    #[error("the payment has been settled already")]
    BySame,
    /// Another payment has already settled it.
    #[error("another payment has settled the order")]
    ByAnother,
    /// The order is cancelled: the money has to be refunded.
    #[error("the order is cancelled")]
    Cancelled,
}

/// Why a paid order cannot be cancelled with a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CancelPaidRefused {
    /// No money has arrived: an unpaid order is cancelled without a refund.
    #[error("an unpaid order has nothing to refund")]
    Unpaid,
    /// It is shipped.
    #[error("a shipped order cannot be refunded")]
    Shipped,
    /// It is cancelled already.
    #[error("the order is cancelled already")]
    Cancelled,
}

/// Why a refund cannot be recorded on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RefundRefused {
    /// The refund is recorded already.
    #[error("the payment has been refunded already")]
    Refunded,
    /// The order is neither cancelled nor shipped, so the shop keeps its money.
    #[error("the order stands, so its money stays")]
    Standing,
    /// The order was paid by another payment.
    #[error("another payment has paid the order")]
    ByAnother,
}

/// Why an order cannot be rebuilt from its timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The timeline does not begin with the order being placed.
    #[error("the timeline does not begin with an order")]
    NoBeginning,
    /// The timeline contains a transition that the rules refuse.
    #[error("the timeline holds a move that the rules refuse")]
    Refused,
}

impl Order {
    /// Places an order for a product at its current price.
    ///
    /// # Errors
    /// [`PlaceRefused`] if the stock or the total does not allow it.
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
            total: product.price.money().times(quantity.get())?,
        };
        Ok(Self::fresh(id, customer, contact, item, at))
    }

    fn fresh(id: OrderId, customer: AccountId, contact: Contact, item: Item, at: Timestamp) -> Self {
        let progress = Progress { payment: Payment::Unpaid, fulfilment: Fulfilment::Pending, standing: Standing::Open };
        Self { id, assigned: StoreAssigned::default(), customer, contact, item, placed_at: at, progress }
    }

    /// The timeline's first event: everything that the order was placed with.
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

    /// Cancels an unpaid order; its units return to stock.
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

    /// Cancels a paid order; its units return to stock. From then on the shop owes the customer the money, until
    /// [`Order::refund`] records the refund.
    ///
    /// # Errors
    /// [`CancelPaidRefused`] unless it is paid, not shipped and not cancelled.
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

    /// Ships the goods; on account if they are not paid yet.
    ///
    /// # Errors
    /// [`ShipRefused`] if it is shipped, cancelled or refunded.
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
    /// [`SettleRefused`] if the order is settled already or cancelled.
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

    /// Records that all the money of a cancelled or shipped order was refunded.
    ///
    /// # Errors
    /// [`RefundRefused`] if it is recorded already, if the order is neither cancelled nor shipped, or if another
    /// payment paid it.
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

    /// When the reservation of its units expires. `None` if it cannot expire: the order is paid, shipped or cancelled.
    #[must_use]
    pub fn reserved_until(&self) -> Option<Timestamp> {
        let lapses = self.progress.payment == Payment::Unpaid
            && self.progress.fulfilment == Fulfilment::Pending
            && !self.is_cancelled();
        self.assigned.reserved_until.filter(|_| lapses)
    }

    /// The order number, or the id while no number is assigned.
    #[must_use]
    pub fn name(&self) -> String {
        self.assigned.number.map_or_else(|| self.id.to_string(), |number| number.to_string())
    }

    /// Records that a refund failed. An order that was fully refunded counts as paid again, and if it is cancelled the
    /// shop owes that money again.
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

    /// Records an event about its money that leaves the order's state as it is; `None` for any other event.
    #[must_use]
    pub fn note(self, kind: OrderEventKind, meta: EventMeta) -> Option<Change> {
        let after = self.progress.clone();
        kind.is_note().then(|| self.change(after, kind, meta))
    }

    /// Whether the goods have been shipped.
    #[must_use]
    pub const fn is_shipped(&self) -> bool {
        matches!(self.progress.fulfilment, Fulfilment::Shipped { .. })
    }

    /// Whether the total can be charged to a card. An order with a larger total is shipped on account.
    #[must_use]
    pub const fn is_payable_by_card(&self) -> bool {
        is_chargeable(self.item.total)
    }

    /// Whether the order is cancelled.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self.progress.standing, Standing::Cancelled { .. })
    }

    /// The payment that the shop holds and has to refund, if there is one: that of a paid order which is cancelled.
    #[must_use]
    pub const fn owed(&self) -> Option<&TransactionId> {
        match (&self.progress.payment, self.is_cancelled()) {
            (Payment::Paid { transaction, .. }, true) => Some(transaction),
            _ => None,
        }
    }

    /// Rebuilds an order from its timeline, oldest event first, by the same rules that made it.
    ///
    /// # Errors
    /// [`ReplayError`] for a timeline that those rules could not have produced.
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
    fn after_a_failed_refund_the_order_owes_its_money_again() {
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
    fn a_shipped_order_can_be_refunded_and_stays_shipped() {
        let shipped = order().ship(meta(1)).unwrap().after;
        assert_eq!(shipped.clone().refund(transaction(1), meta(2)), Err(RefundRefused::Standing));
        let paid = shipped.settle(transaction(1), meta(2)).unwrap().after;
        let refunded = paid.refund(transaction(1), meta(3)).unwrap().after;
        assert!(refunded.is_shipped() && !refunded.is_cancelled());
        assert_eq!(refunded.clone().settle(transaction(1), meta(4)), Err(SettleRefused::BySame));
        assert_eq!(refunded.cancel_paid(meta(4)), Err(CancelPaidRefused::Shipped));
    }

    #[test]
    fn an_orders_total_is_the_products_price_times_the_units() {
        assert_eq!(order().item.total.cents(), 649_950);
    }

    #[test]
    fn an_order_beyond_the_stock_is_refused_with_what_is_left() {
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
    fn settling_twice_distinguishes_the_same_payment_from_another() {
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        assert_eq!(paid.clone().settle(transaction(1), meta(2)), Err(SettleRefused::BySame));
        assert_eq!(paid.settle(transaction(2), meta(2)), Err(SettleRefused::ByAnother));
    }

    #[test]
    fn a_payment_for_a_cancelled_order_is_refunded_once() {
        let cancelled = order().cancel(meta(1)).unwrap().after;
        assert_eq!(cancelled.clone().settle(transaction(1), meta(2)), Err(SettleRefused::Cancelled));
        let refunded = cancelled.refund(transaction(1), meta(3)).unwrap().after;
        assert_eq!(refunded.refund(transaction(1), meta(4)), Err(RefundRefused::Refunded));
    }

    #[test]
    fn a_cancelled_paid_order_owes_its_money_until_it_is_refunded() {
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
    fn only_a_paid_unshipped_order_is_cancelled_with_a_refund() {
        assert_eq!(order().cancel_paid(meta(1)), Err(CancelPaidRefused::Unpaid));
        let paid = order().settle(transaction(1), meta(1)).unwrap().after;
        let shipped = paid.ship(meta(2)).unwrap().after;
        assert_eq!(shipped.cancel_paid(meta(3)), Err(CancelPaidRefused::Shipped));
    }

    #[test]
    fn a_timeline_that_the_rules_could_not_produce_is_refused() {
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
        fn any_sequence_of_moves_keeps_the_order_valid_and_replayable(
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
