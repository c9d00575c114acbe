//! Payment attempts: which payment was opened for which order.

use std::time::Duration;

use async_trait::async_trait;
use domain::{Money, OrderId, Timestamp, TransactionId};

use crate::StoreError;

/// A payment that was opened for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    /// The provider's id of the payment.
    pub id: TransactionId,
    /// The order it was opened for.
    pub order: OrderId,
    /// The order's total when it was opened.
    pub amount: Money,
}

impl PaymentAttempt {
    /// The payment and its order.
    #[must_use]
    pub fn reference(&self) -> PaymentRef {
        PaymentRef { id: self.id.clone(), order: self.order }
    }
}

/// A payment and the order that it was opened for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRef {
    /// The provider's id of the payment.
    pub id: TransactionId,
    /// The order it was opened for.
    pub order: OrderId,
}

/// The result of recording a payment for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    /// It is the order's one open payment, by this call or an earlier one.
    Open,
    /// The order has another open payment: this one.
    Another(TransactionId),
    /// The order is paid, cancelled or unknown, so no payment may be opened for it.
    Refused,
}

/// How a payment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// It is cancelled at the provider and can no longer succeed.
    Cancelled,
    /// It settled its order.
    Settled,
    /// It is being refunded; the refund is recorded.
    SentBack,
}

impl Ended {
    /// The stable name, as stored in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Settled => "settled",
            Self::SentBack => "sent_back",
        }
    }
}

/// Why an open payment is checked sooner than scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckSooner {
    /// A browser has requested it: a customer is about to pay.
    Asked,
    /// A browser reports that it is paid.
    Confirmed,
}

/// The delay between two checks: a fraction of the age, within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// The divisor of the age.
    pub share: u32,
    /// The minimum delay.
    pub least: Duration,
    /// The maximum delay.
    pub most: Duration,
}

impl Waits {
    /// The delay at this age.
    #[must_use]
    pub fn at(self, age: Duration) -> Duration {
        (age / self.share).clamp(self.least, self.most)
    }
}

/// Payment attempts. An order has at most one open payment at any moment.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PaymentAttempts: Send + Sync {
    /// Records a payment as the order's open one, if the order is unpaid and not cancelled. Idempotent.
    async fn attach(&self, intent: &PaymentAttempt, at: Timestamp) -> Result<Attached, StoreError>;

    /// The order's open payment, if there is one.
    async fn open_for(&self, order: OrderId) -> Result<Option<PaymentAttempt>, StoreError>;

    /// How many payments have been opened and closed for the order: the number of the next attempt, from 0.
    async fn attempts(&self, order: OrderId) -> Result<u32, StoreError>;

    /// The order that a payment was opened for, open or closed; `None` for a payment that this shop did not open.
    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentAttempt>, StoreError>;

    /// The order's payments that may still succeed: those that are open, and those that were closed without
    /// confirmation from the provider.
    async fn undecided(&self, order: OrderId) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Records how a payment ended. Idempotent.
    async fn close(&self, id: &TransactionId, ended: Ended, at: Timestamp) -> Result<(), StoreError>;

    /// Moves the next check of an open payment forward, because a browser has requested it or reports it as paid.
    async fn check_sooner(&self, id: &TransactionId, why: CheckSooner) -> Result<(), StoreError>;

    /// Leases up to `limit` open payments that are due for a check, and reschedules each by its age. Concurrent
    /// instances lease different ones. A row that cannot be decoded is set aside and logged.
    async fn lease_due(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Records whether the provider knows an open payment.
    async fn note_known(&self, id: &TransactionId, known: bool) -> Result<(), StoreError>;

    /// Records that a payment arrived that does not match its order: an admin has to act.
    async fn note_mismatch(&self, id: &TransactionId) -> Result<(), StoreError>;

    /// Leases up to `limit` settled payments of orders that are paid and not cancelled, those due longest first, and
    /// reschedules each by its age. Concurrent instances lease different ones. A row that cannot be decoded is set
    /// aside and logged.
    async fn lease_settled(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Records whether the provider and the shop agree on a payment.
    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError>;

    /// The number of settled payments, of orders that are not cancelled, on which the provider and the shop disagreed
    /// at the last check, without those that an admin has acknowledged.
    async fn disagreements(&self) -> Result<u64, StoreError>;
}
