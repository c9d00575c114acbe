//! Payment attempts: which payment was opened for which order.

use std::time::Duration;

use async_trait::async_trait;
use domain::{Money, OrderId, Payable, PaymentShare, Timestamp, TransactionId};

use crate::StoreError;

/// A payment that was opened for an order, or for the orders of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    /// The provider's id of the payment.
    pub id: TransactionId,
    /// What it was opened for.
    pub payable: Payable,
    /// What was due when it was opened: the sum of the shares.
    pub amount: Money,
    /// How much of it is for which order, by the orders' ids: one for a single order.
    pub shares: Vec<PaymentShare>,
}

impl PaymentAttempt {
    /// A payment of one order.
    #[must_use]
    pub fn of_order(id: TransactionId, order: OrderId, amount: Money) -> Self {
        Self { id, payable: Payable::Order(order), amount, shares: vec![PaymentShare { order, amount }] }
    }

    /// The payment, seen from one of its orders.
    #[must_use]
    pub fn reference(&self, order: OrderId) -> PaymentRef {
        PaymentRef { id: self.id.clone(), order }
    }

    /// How much of it is for an order.
    #[must_use]
    pub fn share_of(&self, order: OrderId) -> Option<Money> {
        self.shares.iter().find(|share| share.order == order).map(|share| share.amount)
    }
}

/// A payment and one of the orders that it was opened for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentRef {
    /// The provider's id of the payment.
    pub id: TransactionId,
    /// The order.
    pub order: OrderId,
}

/// The result of recording a payment for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    /// It is the one open payment, by this call or an earlier one.
    Open,
    /// There is another open payment: this one.
    Another(TransactionId),
    /// Something that it would pay is paid, cancelled, unknown, of another amount, or has an open payment of its own: no such
    /// payment may be opened.
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

/// Payment attempts. An order or a checkout has at most one open payment at any moment, and an order none while its checkout has
/// one.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PaymentAttempts: Send + Sync {
    /// Records a payment as the open one, if each of its orders is unpaid, not cancelled and has its share due. Idempotent. A
    /// checkout's payment that is refused is recorded as closed, so that the next attempt has another number.
    async fn attach(&self, intent: &PaymentAttempt, at: Timestamp) -> Result<Attached, StoreError>;

    /// The open payment of exactly this, if there is one.
    async fn open_for(&self, payable: Payable) -> Result<Option<PaymentAttempt>, StoreError>;

    /// How many payments have been opened and closed for exactly this: the number of the next attempt, from 0.
    async fn attempts(&self, payable: Payable) -> Result<u32, StoreError>;

    /// What a payment was opened for, open or closed; `None` for a payment that this shop did not open.
    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentAttempt>, StoreError>;

    /// The payments with a share for an order that may still succeed: those that are open, and those that were closed without
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

    /// Leases up to `limit` settled payments of orders that are paid and not cancelled, those due longest first, each with one
    /// of its orders, and reschedules each by its age. Concurrent instances lease different ones. A row that cannot be decoded
    /// is set aside and logged.
    async fn lease_settled(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentRef>, StoreError>;

    /// Records whether the provider and the shop agree on a payment.
    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError>;

    /// The number of settled payments, of orders that are not cancelled, on which the provider and the shop disagreed
    /// at the last check, without those that an admin has acknowledged.
    async fn disagreements(&self) -> Result<u64, StoreError>;
}
