//! What happened to an order: who, what, when.

use crate::orders::order::{Item, StoreAssigned};
use crate::{AccountId, Contact, DisputeId, Email, EventId, Money, OrderId, RefundId, Timestamp, TransactionId};

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A person.
    Account {
        /// Which account.
        id: AccountId,
        /// Its address at that moment.
        email: Email,
    },
    /// The shop itself: the reconciler, a webhook, the command line.
    Shop,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderEventKind {
    /// The order was placed; this is all that it was placed with.
    Ordered {
        /// Whose order it is.
        customer: AccountId,
        /// Where it goes.
        contact: Box<Contact>,
        /// What was ordered.
        item: Box<Item>,
        /// What the store gave it; empty in entries from before there were such slips.
        assigned: StoreAssigned,
    },
    /// The whole total arrived.
    Paid {
        /// By which payment.
        transaction: TransactionId,
    },
    /// The goods left.
    Shipped {
        /// Whether they left before they were paid.
        on_account: bool,
    },
    /// The order was called off, and its units went back to the shelf.
    Cancelled,
    /// All the money that had arrived was sent back.
    Refunded {
        /// Which payment was returned.
        transaction: TransactionId,
    },
    /// Some of the money was sent back.
    PartlyRefunded(MoneyBack),
    /// Money that was sent back did not arrive, and is owed again.
    RefundFailed(MoneyBack),
    /// A payment arrived for an order that another one had paid; it goes back.
    Overpaid {
        /// Which payment was too much.
        transaction: TransactionId,
        /// How much.
        amount: Money,
    },
    /// The card's owner asked their bank for the money back.
    Disputed {
        /// Which payment.
        transaction: TransactionId,
        /// Which dispute, by the provider's id.
        dispute: DisputeId,
        /// How much.
        amount: Money,
    },
    /// The bank decided on it.
    DisputeClosed {
        /// Which payment.
        transaction: TransactionId,
        /// Which dispute, by the provider's id.
        dispute: DisputeId,
        /// Whether the money stays here.
        won: bool,
    },
}

/// Which money went back, or did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyBack {
    /// Of which payment.
    pub transaction: TransactionId,
    /// By which refund.
    pub refund: RefundId,
    /// How much.
    pub amount: Money,
}

impl OrderEventKind {
    /// Whether it tells of money and leaves the order as it is. A refund that failed may change the order: not this one.
    #[must_use]
    pub const fn is_note(&self) -> bool {
        matches!(
            self,
            Self::PartlyRefunded(_) | Self::Overpaid { .. } | Self::Disputed { .. } | Self::DisputeClosed { .. }
        )
    }
}

/// One entry of an order's timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEvent {
    /// Which entry.
    pub id: EventId,
    /// Of which order.
    pub order: OrderId,
    /// What happened.
    pub kind: OrderEventKind,
    /// Who did it.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

impl OrderEvent {
    /// Who did it, as another reader of the timeline may know it: people see themselves by name and the staff as the
    /// shop; an admin (`reader` is `None`) sees everybody.
    #[must_use]
    pub fn signature(&self, reader: Option<AccountId>) -> &str {
        const SHOP: &str = "Driveline";
        match &self.by {
            Actor::Account { id, email } if reader.is_none_or(|reader| reader == *id) => email.as_str(),
            Actor::Account { .. } | Actor::Shop => SHOP,
        }
    }
}
