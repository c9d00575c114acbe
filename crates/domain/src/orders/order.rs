//! Orders: what was bought, and how far the order has come.
//!
//! Each transition takes the current order and returns a [`Change`], which a repository writes only if the row has not
//! changed in the meantime.

use crate::accounts::actor::Actor;
use crate::orders::assigned::StoreAssigned;
use crate::orders::event::{MoneyBack, OrderEvent, OrderEventKind};
use crate::orders::item::Item;
use crate::orders::purchase::Charges;
use crate::orders::refusals::{CancelRefused, FreightRefused, PlaceRefused, RefundRefused, SettleRefused, ShipRefused};
use crate::orders::state::OrderState;
use crate::payments::payment::is_chargeable;
use crate::{
    AccountId, CheckoutId, Contact, EventId, Money, OrderId, OrderedVehicle, Payment, Product, Purchase, Quantity,
    Timestamp, TransactionId, UnitPrice,
};

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
    /// How many of its units have been shipped: all of them once it is shipped.
    pub shipped_units: u32,
    /// What of its payment has gone back, or is on its way with the provider. The store sums up the refunds; the timeline does not
    /// tell it, and no rule asks for it.
    pub refunded: Money,
    /// How far it has come.
    pub state: OrderState,
}

/// A transition that the rules allow, to be written if the order has not changed in the meantime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The order's state before the transition, for compare-and-set.
    pub before: OrderState,
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

impl Order {
    /// Places an order for a product at a price of one unit.
    ///
    /// # Errors
    /// [`PlaceRefused`] if the stock or the total does not allow it.
    pub fn place(
        id: OrderId,
        customer: AccountId,
        contact: Contact,
        product: &Product,
        quantity: Quantity,
        unit_price: UnitPrice,
        at: Timestamp,
    ) -> Result<Self, PlaceRefused> {
        product.details.available.take(quantity, product.details.min_order)?;
        let item = Item {
            product: product.id,
            name: product.details.name.clone(),
            category: product.details.category,
            details: product.details.description.clone(),
            img: product.details.img.clone(),
            part_number: product.details.part_number.clone(),
            unit_price,
            quantity,
            total: unit_price.money().times(quantity.get())?,
            vehicle: None,
            purchase: None,
        };
        Ok(Self::fresh(id, customer, contact, item, at))
    }

    /// The same order for a vehicle.
    #[must_use]
    pub fn for_vehicle(mut self, vehicle: OrderedVehicle) -> Self {
        self.item.vehicle = Some(Box::new(vehicle));
        self
    }

    /// The same order, bought so.
    #[must_use]
    pub fn bought(mut self, purchase: Purchase) -> Self {
        self.item.purchase = Some(Box::new(purchase));
        self
    }

    /// The checkout that it belongs to.
    #[must_use]
    pub fn checkout(&self) -> Option<CheckoutId> {
        self.item.line().map(|line| line.checkout)
    }

    /// What has to be paid: goods, freight and tax. While the freight waits for an admin's figure, the goods alone.
    #[must_use]
    pub fn due(&self) -> Money {
        let charges = self.item.charges().unwrap_or(Charges::NONE);
        // Checked when it was placed and when the freight was set.
        charges.due(self.item.total).unwrap_or(Money::MAX)
    }

    /// Sets the freight that was waited for, and the tax that follows from it.
    ///
    /// # Errors
    /// [`FreightRefused`] if nothing is waited for, or the sum is no amount of money.
    pub fn set_freight(mut self, charges: Charges, meta: EventMeta) -> Result<Change, FreightRefused> {
        charges.due(self.item.total)?;
        let line = self.item.purchase.as_mut().and_then(|purchase| purchase.line.as_mut());
        let Some(line) = line.filter(|line| line.charges.is_none()) else { return Err(FreightRefused::NotWaiting) };
        line.charges = Some(charges);
        let state = self.state.clone();
        Ok(self.change(state, OrderEventKind::FreightSet { charges }, meta))
    }

    pub(crate) fn fresh(id: OrderId, customer: AccountId, contact: Contact, item: Item, at: Timestamp) -> Self {
        let assigned = StoreAssigned::default();
        Self {
            id,
            assigned,
            customer,
            contact,
            item,
            placed_at: at,
            shipped_units: 0,
            refunded: Money::ZERO,
            state: OrderState::Placed,
        }
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
        if matches!(self.state, OrderState::Paid { .. }) {
            return Err(CancelRefused::Paid);
        }
        self.cancel_with_refund(meta)
    }

    /// Cancels an order, paid or not; its units return to stock. If it is paid, the shop owes the customer the money
    /// from then on, until [`Order::refund`] records the refund.
    ///
    /// # Errors
    /// [`CancelRefused`] once it is shipped, be it in part, or cancelled.
    pub fn cancel_with_refund(self, meta: EventMeta) -> Result<Change, CancelRefused> {
        if self.is_shipped_in_part() {
            return Err(CancelRefused::Shipped);
        }
        let payment = match &self.state {
            OrderState::Placed | OrderState::Paid { .. } => self.state.payment(),
            OrderState::Shipped { .. } => return Err(CancelRefused::Shipped),
            OrderState::Cancelled { .. } => return Err(CancelRefused::Cancelled),
        };
        let after = OrderState::Cancelled { at: meta.at, payment };
        Ok(self.change(after, OrderEventKind::Cancelled, meta))
    }

    /// Ships all goods that are left; on account if they are not paid yet.
    ///
    /// # Errors
    /// [`ShipRefused`] if it is shipped or cancelled.
    pub fn ship(self, meta: EventMeta) -> Result<Change, ShipRefused> {
        let payment = match &self.state {
            OrderState::Placed | OrderState::Paid { .. } => self.state.payment(),
            OrderState::Shipped { .. } => return Err(ShipRefused::Shipped),
            OrderState::Cancelled { .. } => return Err(ShipRefused::Cancelled),
        };
        let on_account = payment == Payment::Unpaid;
        let after = OrderState::Shipped { at: meta.at, payment };
        let all_sent = Self { shipped_units: self.item.quantity.get(), ..self };
        Ok(all_sent.change(after, OrderEventKind::Shipped { on_account }, meta))
    }

    /// Records that a payment of the whole total arrived.
    ///
    /// # Errors
    /// [`SettleRefused`] if the order is settled already or cancelled.
    pub fn settle(self, transaction: TransactionId, meta: EventMeta) -> Result<Change, SettleRefused> {
        if let Some(earlier) = self.state.transaction() {
            let same = *earlier == transaction;
            return Err(if same { SettleRefused::BySame } else { SettleRefused::ByAnother });
        }
        let (kind, at) = (OrderEventKind::Paid { transaction: transaction.clone() }, meta.at);
        let after = match self.state {
            OrderState::Placed | OrderState::Paid { .. } => OrderState::Paid { transaction, at },
            OrderState::Shipped { at: shipped, .. } => {
                OrderState::Shipped { at: shipped, payment: Payment::Paid { transaction, at } }
            }
            OrderState::Cancelled { .. } => return Err(SettleRefused::Cancelled),
        };
        Ok(self.change(after, kind, meta))
    }

    /// Records that all the money of a cancelled or shipped order was refunded.
    ///
    /// # Errors
    /// [`RefundRefused`] if it is recorded already, if the order is neither cancelled nor shipped and paid, or if
    /// another payment paid it.
    pub fn refund(self, transaction: TransactionId, meta: EventMeta) -> Result<Change, RefundRefused> {
        if self.state.paid_by().is_some_and(|paid| *paid != transaction) {
            return Err(RefundRefused::ByAnother);
        }
        let payment = Payment::Refunded { transaction: transaction.clone(), at: meta.at };
        let after = match &self.state {
            OrderState::Shipped { at, payment: Payment::Paid { .. } } => OrderState::Shipped { at: *at, payment },
            OrderState::Cancelled { at, payment: Payment::Unpaid | Payment::Paid { .. } } => {
                OrderState::Cancelled { at: *at, payment }
            }
            OrderState::Shipped { payment: Payment::Refunded { .. }, .. }
            | OrderState::Cancelled { payment: Payment::Refunded { .. }, .. } => return Err(RefundRefused::Refunded),
            OrderState::Placed | OrderState::Paid { .. } | OrderState::Shipped { payment: Payment::Unpaid, .. } => {
                return Err(RefundRefused::NotRefundable);
            }
        };
        Ok(self.change(after, OrderEventKind::Refunded { transaction }, meta))
    }

    /// Records that a refund failed. An order that was fully refunded counts as paid again, and if it is cancelled the
    /// shop owes that money again.
    #[must_use]
    pub fn refund_failed(self, money: MoneyBack, meta: EventMeta) -> Change {
        let now = |payment: &Payment| match payment {
            Payment::Refunded { transaction, .. } if *transaction == money.transaction => {
                Payment::Paid { transaction: transaction.clone(), at: meta.at }
            }
            other => other.clone(),
        };
        let after = match &self.state {
            OrderState::Shipped { at, payment } => OrderState::Shipped { at: *at, payment: now(payment) },
            OrderState::Cancelled { at, payment } => OrderState::Cancelled { at: *at, payment: now(payment) },
            OrderState::Placed | OrderState::Paid { .. } => self.state.clone(),
        };
        self.change(after, OrderEventKind::RefundFailed(money), meta)
    }

    /// Records an event about its money or a return that leaves the order's state as it is; `None` for any other event.
    #[must_use]
    pub fn note(self, kind: OrderEventKind, meta: EventMeta) -> Option<Change> {
        let after = self.state.clone();
        kind.is_note().then(|| self.change(after, kind, meta))
    }

    /// When the reservation of its units expires. `None` if it cannot expire: the order is paid or cancelled, or units
    /// of it were shipped.
    #[must_use]
    pub fn reserved_until(&self) -> Option<Timestamp> {
        self.assigned.reserved_until.filter(|_| self.state == OrderState::Placed && self.shipped_units == 0)
    }

    /// The order number, or the id while no number is assigned.
    #[must_use]
    pub fn name(&self) -> String {
        self.assigned.number.map_or_else(|| self.id.to_string(), |number| number.to_string())
    }

    /// Whether the total can be charged to a card. An order with a larger total is shipped on account.
    #[must_use]
    pub fn is_payable_by_card(&self) -> bool {
        is_chargeable(self.due())
    }

    /// Whether the shop holds its money.
    #[must_use]
    pub const fn is_paid(&self) -> bool {
        self.state.paid_by().is_some()
    }

    /// Whether the goods have been shipped.
    #[must_use]
    pub const fn is_shipped(&self) -> bool {
        matches!(self.state, OrderState::Shipped { .. })
    }

    /// Whether the order is cancelled.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(self.state, OrderState::Cancelled { .. })
    }

    /// The payment that the shop holds and has to refund, if there is one: that of a paid order which is cancelled.
    #[must_use]
    pub const fn owed(&self) -> Option<&TransactionId> {
        match &self.state {
            OrderState::Cancelled { payment: Payment::Paid { transaction, .. }, .. } => Some(transaction),
            _ => None,
        }
    }

    fn change(self, state: OrderState, kind: OrderEventKind, meta: EventMeta) -> Change {
        let event = OrderEvent { id: meta.event, order: self.id, kind, by: meta.by, at: meta.at };
        let before = self.state.clone();
        Change { before, after: Self { state, ..self }, event }
    }
}

#[cfg(test)]
pub(crate) mod tests;
