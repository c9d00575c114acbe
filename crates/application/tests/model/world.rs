//! What the database, the payment provider and the running use cases know.

use std::hash::{Hash, Hasher};

use domain::Payment;
use domain::orders::state::OrderState;

use crate::run::Run;
use crate::shop::intent_of;

/// Which order: also which customer, because each places one.
pub(crate) type Which = usize;
/// Which intent of the provider.
pub(crate) type Intent = usize;

/// An order's row: the part of it that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row(pub(crate) OrderState);

impl Hash for Row {
    // Time stands still here, so the kind of the state, its payment and the payment's id are all of it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
        let payment = self.0.payment();
        std::mem::discriminant(&payment).hash(state);
        payment.transaction().map(domain::TransactionId::as_str).hash(state);
    }
}

/// How a payment stands with the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    Open,
    Succeeded,
    Cancelled,
}

/// A payment at the provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AtProvider {
    pub(crate) order: Which,
    /// The number of the attempt: the same one opens nothing new.
    pub(crate) number: u8,
    pub(crate) standing: Standing,
    /// How often its money was sent back.
    pub(crate) back: u8,
}

/// What the shop has recorded of a payment; its place in the list is that of the intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Recorded {
    /// Opened at the provider, but the shop does not know it, so nobody can pay it.
    Unknown,
    /// Its end is not known.
    Open,
    Closed,
}

/// A refund that the shop has recorded; its place in the list is that of the intent whose money goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Refunded {
    No,
    /// To be requested from the provider.
    Due,
    /// The provider has accepted it.
    Sent,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct World {
    /// Lots in stock; below zero if more was sold than there was.
    pub(crate) stock: i8,
    pub(crate) orders: Vec<Option<Row>>,
    pub(crate) intents: Vec<AtProvider>,
    pub(crate) recorded: Vec<Recorded>,
    pub(crate) refunds: Vec<Refunded>,
    /// The use cases between two of their calls, in an order that does not matter.
    pub(crate) running: Vec<Run>,
}

impl World {
    pub(crate) fn row(&self, order: Which) -> Option<&OrderState> {
        self.orders[order].as_ref().map(|row| &row.0)
    }

    pub(crate) fn is_cancelled(&self, order: Which) -> bool {
        matches!(self.row(order), Some(OrderState::Cancelled { .. }))
    }

    /// Neither paid nor cancelled.
    pub(crate) fn may_be_paid(&self, order: Which) -> bool {
        self.row(order).is_some_and(|state| state.payment() == Payment::Unpaid) && !self.is_cancelled(order)
    }

    /// The payment of an order whose end is not known.
    pub(crate) fn open_for(&self, order: Which) -> Option<Intent> {
        self.recorded_as(order, Recorded::Open).next()
    }

    /// Those of an order's payments that are recorded so.
    pub(crate) fn recorded_as(&self, order: Which, recorded: Recorded) -> impl Iterator<Item = Intent> + '_ {
        (0..self.intents.len()).filter(move |&one| self.intents[one].order == order && self.recorded[one] == recorded)
    }

    /// Whether the job that monitors open payments has something to do about this one.
    pub(crate) fn needs_reconciling(&self, intent: Intent) -> bool {
        let stands = self.intents[intent].standing == Standing::Open && !self.is_cancelled(self.intents[intent].order);
        self.recorded[intent] == Recorded::Open && !stands
    }

    /// Whether the job that monitors refunds has something to do about this one: it also watches those that were accepted.
    pub(crate) fn needs_paying_back(&self, intent: Intent) -> bool {
        match self.refunds[intent] {
            Refunded::No => false,
            Refunded::Due => true,
            Refunded::Sent => self.is_paid_by(intent),
        }
    }

    /// Whether the money of a payment pays its order.
    pub(crate) fn is_paid_by(&self, intent: Intent) -> bool {
        let paid_by = self.row(self.intents[intent].order).and_then(OrderState::paid_by);
        paid_by.is_some_and(|payment| intent_of(payment) == intent)
    }

    /// Nothing runs, and no job has anything left to do.
    pub(crate) fn is_quiet(&self) -> bool {
        let is_done = |one: Intent| !self.needs_reconciling(one) && !self.needs_paying_back(one);
        self.running.is_empty() && (0..self.intents.len()).all(is_done)
    }
}
