//! The events of an order's timeline: who did what, and when.

use std::num::NonZeroU32;

use crate::orders::assigned::StoreAssigned;
use crate::orders::item::Item;
use crate::orders::purchase::Charges;
use crate::orders::return_reason::ReturnReason;
use crate::{
    AccountId, Actor, Contact, DisputeId, EventId, Money, OrderId, RefundId, ReturnId, ShipmentId, Text, Timestamp,
    TransactionId,
};

/// What happened, with the data that a replay needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEventKind {
    /// The order was placed; holds everything it was placed with.
    Ordered {
        /// The account that placed it.
        customer: AccountId,
        /// Contact and delivery details.
        contact: Box<Contact>,
        /// The product, price and quantity.
        item: Box<Item>,
        /// What the store assigned; empty in events that older versions wrote.
        assigned: StoreAssigned,
    },
    /// An admin said what the freight costs that the order's checkout was waiting for.
    FreightSet {
        /// What the order owes besides its goods.
        charges: Charges,
    },
    /// The whole total was paid.
    Paid {
        /// The payment that settled the order.
        transaction: TransactionId,
    },
    /// The goods were shipped.
    Shipped {
        /// Whether they were shipped before they were paid.
        on_account: bool,
    },
    /// Some of its units were shipped, and others are still to come.
    PartShipped {
        /// The shipment.
        shipment: ShipmentId,
        /// How many units left.
        units: NonZeroU32,
    },
    /// The order was cancelled, and its units were returned to stock.
    Cancelled,
    /// All the money that had arrived was refunded.
    Refunded {
        /// The payment that was refunded.
        transaction: TransactionId,
    },
    /// Part of the money was refunded.
    PartlyRefunded(MoneyBack),
    /// A refund failed, so its amount is owed again.
    RefundFailed(MoneyBack),
    /// A second payment arrived for a paid order; it is refunded.
    Overpaid {
        /// The surplus payment.
        transaction: TransactionId,
        /// The amount of that payment.
        amount: Money,
    },
    /// The cardholder disputed the payment with their bank.
    Disputed {
        /// The disputed payment.
        transaction: TransactionId,
        /// The provider's id of the dispute.
        dispute: DisputeId,
        /// The disputed amount.
        amount: Money,
    },
    /// The bank decided the dispute.
    DisputeClosed {
        /// The disputed payment.
        transaction: TransactionId,
        /// The provider's id of the dispute.
        dispute: DisputeId,
        /// Whether the shop keeps the money.
        won: bool,
    },
    /// The customer asked to return units.
    ReturnRequested {
        /// The return.
        id: ReturnId,
        /// How many units are to come back.
        units: NonZeroU32,
        /// Why.
        reason: ReturnReason,
    },
    /// A return was accepted. The refund has events of its own.
    ReturnAccepted {
        /// The return.
        id: ReturnId,
        /// How many units come back.
        units: NonZeroU32,
        /// What is refunded for them.
        amount: Money,
        /// The refund; `None` if the whole payment had been refunded before.
        refund: Option<RefundId>,
        /// Whether the units went back to stock.
        restocked: bool,
    },
    /// A return was declined.
    ReturnDeclined {
        /// The return.
        id: ReturnId,
        /// How many units were to come back.
        units: NonZeroU32,
        /// What the customer reads.
        answer: Text<500>,
    },
}

/// The money of one refund, succeeded or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyBack {
    /// The payment that is refunded.
    pub transaction: TransactionId,
    /// The refund.
    pub refund: RefundId,
    /// The refunded amount.
    pub amount: Money,
}

impl OrderEventKind {
    /// Whether the event leaves the order's state as it is: it is only about money, about a return, or about a
    /// part of the goods.
    /// [`Self::RefundFailed`] is not a note: it may change the order.
    #[must_use]
    pub const fn is_note(&self) -> bool {
        matches!(
            self,
            Self::PartlyRefunded(_)
                | Self::Overpaid { .. }
                | Self::Disputed { .. }
                | Self::DisputeClosed { .. }
                | Self::ReturnRequested { .. }
                | Self::ReturnAccepted { .. }
                | Self::ReturnDeclined { .. }
                | Self::PartShipped { .. }
        )
    }
}

/// One event in an order's timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEvent {
    /// The event's id.
    pub id: EventId,
    /// The order it belongs to.
    pub order: OrderId,
    /// What happened.
    pub kind: OrderEventKind,
    /// Who caused it.
    pub by: Actor,
    /// When it happened.
    pub at: Timestamp,
}

impl OrderEvent {
    /// The name under which a reader of the timeline sees the actor. Customers see their own address, and the shop's
    /// name for everyone else; an admin (`reader` is `None`) sees every address.
    #[must_use]
    pub fn signature(&self, reader: Option<AccountId>) -> &str {
        const SHOP: &str = "Driveline";
        match &self.by {
            Actor::Account { id, email } if reader.is_none_or(|reader| reader == *id) => email.as_str(),
            Actor::Account { .. } | Actor::Shop => SHOP,
        }
    }
}
