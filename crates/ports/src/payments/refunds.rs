//! Refund repository, disputes, and payments that need attention.

use std::time::Duration;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{
    Actor, Dispute, DisputeId, DisputeState, Money, OrderId, OrderReturn, Refund, RefundId, Timestamp, TransactionId,
};

use crate::{Applied, IdempotencyKey, PaymentAttempt, PaymentRef, StoreError};

/// How long a new refund is reserved for the use case that decided it, before a background job takes it up.
pub const REFUND_LEASE: Duration = Duration::from_secs(30);
/// The delay before a due refund is requested again after a failed call; it doubles each time.
pub const REFUND_WAIT: Duration = Duration::from_secs(5);
/// The longest of those delays.
pub const REFUND_WAIT_MOST: Duration = Duration::from_hours(1);
/// How long a refund that the provider accepted is monitored: until then it may still fail.
pub const REFUND_WATCH: Duration = Duration::from_hours(30 * 24);
/// The age from which a refund that is still due counts as overdue.
pub const REFUND_OVERDUE: Duration = Duration::from_hours(1);

/// A refund to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRefund {
    /// The refund.
    pub refund: Refund,
    /// The amount received with its payment: all refunds of the payment together must not exceed it.
    pub brought: Money,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
    /// A change of the order, written in the same transaction.
    pub change: Option<Change>,
}

/// The result of recording a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundBegun {
    /// It is recorded, and the order's change is written.
    Written,
    /// It was recorded before: under the same idempotency key, or as the only refund of its kind that the payment may
    /// have. Nothing was changed.
    Known(Box<Refund>),
    /// The order has changed since it was read. Nothing was changed.
    Conflict,
    /// Less than the amount is left of the payment. Nothing was changed.
    TooMuch {
        /// What is left of the payment.
        left: Money,
    },
}

/// A matter that needs an admin's attention: of payments, or a return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttentionItem {
    /// A payment arrived and does not match its order.
    Mismatched(PaymentAttempt),
    /// A refund that failed, is overdue, or was made outside the shop.
    Refund(Refund),
    /// A dispute that is open or lost.
    Disputed {
        /// The dispute.
        dispute: Dispute,
        /// The disputed payment.
        payment: TransactionId,
        /// The order that it paid.
        order: OrderId,
    },
    /// A return that is not decided yet.
    Return(OrderReturn),
}

impl AttentionItem {
    /// The order that it is about.
    #[must_use]
    pub fn order(&self) -> Option<OrderId> {
        Some(match self {
            // Of a checkout, the first one.
            Self::Mismatched(payment) => payment.shares.first()?.order,
            Self::Refund(refund) => refund.order,
            Self::Disputed { order, .. } => *order,
            Self::Return(asked) => asked.order,
        })
    }
}

/// The number of payment matters of each kind, for monitoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoneyTally {
    /// Refunds that are due.
    pub owing: u64,
    /// Due refunds that are overdue.
    pub overdue: u64,
    /// Refunds that failed.
    pub failed: u64,
    /// Refunds made outside the shop that no admin has acknowledged.
    pub elsewhere: u64,
    /// Disputes that are open, or lost and not acknowledged.
    pub disputed: u64,
    /// Open payments that arrived and do not match their order.
    pub mismatched: u64,
    /// Open payments that the provider does not know.
    pub unknown: u64,
    /// Returns that are not decided yet.
    pub returns: u64,
}

impl MoneyTally {
    /// How many matters [`RefundRepository::attention`] lists, if its limit allows.
    #[must_use]
    pub const fn listed(&self) -> u64 {
        self.overdue + self.failed + self.elsewhere + self.disputed + self.mismatched + self.returns
    }
}

/// A matter that an admin can acknowledge without further action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledged {
    /// A refund that was made outside the shop.
    Refund(RefundId),
    /// A lost dispute.
    Dispute(DisputeId),
}

/// Refunds and disputes.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait RefundRepository: Send + Sync {
    /// Records a refund and the change of its order, all of it or nothing.
    async fn begin(&self, new: &NewRefund) -> Result<RefundBegun, StoreError>;

    /// Compare-and-set: writes `after` and the order's change if the refund still is `before` and the order has not
    /// changed, all of it or nothing. The refund is due for another check after `wait`.
    async fn apply(
        &self,
        before: &Refund,
        after: &Refund,
        change: Option<Change>,
        wait: Duration,
    ) -> Result<Applied, StoreError>;

    /// One refund.
    async fn find(&self, id: RefundId) -> Result<Option<Refund>, StoreError>;

    /// The refund of an order that was recorded under an idempotency key.
    async fn begun_under(&self, order: OrderId, idempotency_key: IdempotencyKey) -> Result<Option<Refund>, StoreError>;

    /// Every refund of a payment, of whichever of its orders, oldest first.
    async fn of_payment(&self, payment: &TransactionId) -> Result<Vec<Refund>, StoreError>;

    /// Every refund of an order, oldest first.
    async fn of_order(&self, order: OrderId) -> Result<Vec<Refund>, StoreError>;

    /// Leases up to `limit` refunds that are due to be requested or checked, those due longest first, and reschedules
    /// each by its own delay. Concurrent instances lease different ones. A row that cannot be decoded is set aside and
    /// logged.
    async fn lease_due(&self, limit: u32) -> Result<Vec<Refund>, StoreError>;

    /// Compare-and-set: records the state of a payment's dispute and the order's change, all of it or nothing, if the
    /// dispute's state still is `before`; `None` stands for a dispute that is not recorded yet.
    async fn note_dispute(
        &self,
        payment: &PaymentRef,
        before: Option<DisputeState>,
        dispute: &Dispute,
        change: Option<Change>,
        at: Timestamp,
    ) -> Result<Applied, StoreError>;

    /// Every dispute of a payment, whichever of its orders it is recorded with.
    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, StoreError>;

    /// Acknowledges a matter, which removes it from the attention list; `false` if it was not on it.
    async fn acknowledge(&self, what: &Acknowledged, by: &Actor, at: Timestamp) -> Result<bool, StoreError>;

    /// Up to `limit` matters that need attention, oldest first, each with the time it arose. A row that cannot be
    /// decoded is set aside and logged.
    async fn attention(&self, limit: u32) -> Result<Vec<(AttentionItem, Timestamp)>, StoreError>;

    /// The number of matters of each kind.
    async fn tally(&self) -> Result<MoneyTally, StoreError>;
}
