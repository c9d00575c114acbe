//! Money on its way back: refunds, disputes, and what a person has to look at.

use std::time::Duration;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{Actor, Dispute, DisputeId, DisputeState, Money, OrderId, Refund, RefundId, Timestamp, TransactionId};

use crate::{Applied, IdempotencyKey, PaymentAttempt, StoreError};

/// How long a refund that was just decided is left to whoever decided it.
pub const REFUND_LEASE: Duration = Duration::from_secs(30);
/// How long a refund that is due waits after the provider was asked in vain; it doubles each time.
pub const REFUND_WAIT: Duration = Duration::from_secs(5);
/// The longest of those waits.
pub const REFUND_WAIT_MOST: Duration = Duration::from_hours(1);
/// How long a refund that the provider has taken is looked after: it may fail for as long.
pub const REFUND_WATCH: Duration = Duration::from_hours(30 * 24);
/// From when on a refund that is still due has waited too long.
pub const REFUND_OVERDUE: Duration = Duration::from_hours(1);

/// A refund to be put on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRefund {
    /// The refund.
    pub refund: Refund,
    /// What its payment brought: all of its refunds together may not be more.
    pub brought: Money,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
    /// What it changes in the order, in the same transaction.
    pub change: Option<Change>,
}

/// What became of putting a refund on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It is on record, and its change is written.
    Written,
    /// It was on record before, under the same key, or as the payment's only one of its kind. Nothing was changed.
    Known(Box<Refund>),
    /// The order is no longer as it was when the change was judged. Nothing was changed.
    Conflict,
    /// Less than that is left of the payment. Nothing was changed.
    TooMuch {
        /// What is left.
        left: Money,
    },
}

/// Something about money that a person has to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matter {
    /// A payment that came in and does not fit its order.
    Mismatched(PaymentAttempt),
    /// A refund that failed, is overdue, or was made past the shop.
    Refund(Refund),
    /// A bank that wants money back, or got it.
    Disputed {
        /// The dispute.
        dispute: Dispute,
        /// Of which payment.
        payment: TransactionId,
        /// Of which order.
        order: OrderId,
    },
}

impl Matter {
    /// Which order it is about.
    #[must_use]
    pub const fn order(&self) -> OrderId {
        match self {
            Self::Mismatched(payment) => payment.order,
            Self::Refund(refund) => refund.order,
            Self::Disputed { order, .. } => *order,
        }
    }
}

/// How many things about money are not as they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoneyTally {
    /// Refunds that are due.
    pub owing: u64,
    /// Those of them that are overdue.
    pub overdue: u64,
    /// Refunds that failed.
    pub failed: u64,
    /// Refunds made past the shop that nobody has acknowledged.
    pub elsewhere: u64,
    /// Disputes that are open, or lost and not acknowledged.
    pub disputed: u64,
    /// Open payments that came in and do not fit their order.
    pub mismatched: u64,
    /// Open payments that the provider does not know.
    pub unknown: u64,
}

/// Something that a person can take off the list without doing anything about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledged {
    /// A refund that was made past the shop.
    Refund(RefundId),
    /// A dispute that is lost.
    Dispute(DisputeId),
}

/// Refunds and disputes.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait RefundRepository: Send + Sync {
    /// Puts a refund and what it changes in its order on record, all of it or none of it.
    async fn begin(&self, new: &NewRefund) -> Result<Begun, StoreError>;

    /// Compare and set: writes `after` and the change of its order if the refund still is `before` and the order still is
    /// as it was, all of it or none of it. It is looked at again after `wait`.
    async fn apply(
        &self,
        before: &Refund,
        after: &Refund,
        change: Option<Change>,
        wait: Duration,
    ) -> Result<Applied, StoreError>;

    /// One refund.
    async fn find(&self, id: RefundId) -> Result<Option<Refund>, StoreError>;

    /// The refund of an order that was decided under an idempotency key.
    async fn begun_under(&self, order: OrderId, idempotency_key: IdempotencyKey) -> Result<Option<Refund>, StoreError>;

    /// Every refund of an order, oldest first.
    async fn of_order(&self, order: OrderId) -> Result<Vec<Refund>, StoreError>;

    /// Takes up to `limit` refunds that are due to be sent or looked at, those that have waited longest first, and puts
    /// each off by its own wait; of several copies of the shop each gets different ones. One that cannot be read is set
    /// aside and logged.
    async fn lease_due(&self, limit: u32) -> Result<Vec<Refund>, StoreError>;

    /// Compare and set: notes how a payment's dispute stands, with what that changes in its order, all of it or none of it,
    /// if it still is as it was `before`; `None` for one that is not on record.
    async fn note_dispute(
        &self,
        payment: &PaymentAttempt,
        before: Option<DisputeState>,
        dispute: &Dispute,
        change: Option<Change>,
        at: Timestamp,
    ) -> Result<Applied, StoreError>;

    /// Every dispute of a payment.
    async fn disputes_of(&self, payment: &PaymentAttempt) -> Result<Vec<Dispute>, StoreError>;

    /// Takes something off the list of what a person has to look at; answers whether it was on it.
    async fn acknowledge(&self, what: &Acknowledged, by: &Actor, at: Timestamp) -> Result<bool, StoreError>;

    /// Up to `limit` things that a person has to look at, with when they came up, oldest first.
    async fn attention(&self, limit: u32) -> Result<Vec<(Matter, Timestamp)>, StoreError>;

    /// How many things are not as they should be.
    async fn tally(&self) -> Result<MoneyTally, StoreError>;
}
