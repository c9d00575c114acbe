//! Which payment was opened for which order.

use std::time::Duration;

use async_trait::async_trait;
use domain::{Money, OrderId, Timestamp, TransactionId};

use crate::StoreError;

/// A payment that was opened for an order and has not come to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    /// The provider's id.
    pub id: TransactionId,
    /// Which order it is for.
    pub order: OrderId,
    /// The order's total when it was opened.
    pub amount: Money,
}

/// What became of recording a payment for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attached {
    /// It is the order's one open payment, from now on or since an earlier call.
    Open,
    /// The order has another open payment: this one.
    Another(TransactionId),
    /// The order is paid, cancelled or not there, so that no payment may be open for it.
    Refused,
}

/// How a payment came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// The provider says that it will never succeed.
    Cancelled,
    /// It paid its order.
    Settled,
    /// Its money goes back; a refund is on record.
    SentBack,
}

impl Ended {
    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Settled => "settled",
            Self::SentBack => "sent_back",
        }
    }
}

/// Why an open payment is looked at sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hurry {
    /// A browser has asked for it: somebody is about to pay.
    Asked,
    /// A browser says that it is paid.
    Confirmed,
}

/// How long something is left alone between two looks: a share of its age, within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// The age is divided by this.
    pub share: u32,
    /// The shortest wait.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

impl Waits {
    /// The wait at an age.
    #[must_use]
    pub fn at(self, age: Duration) -> Duration {
        (age / self.share).clamp(self.least, self.most)
    }
}

/// Which payment was opened for which order. At most one is open per order at any moment.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PaymentAttempts: Send + Sync {
    /// Records a payment as the order's open one, if the order stands unpaid. A second call changes nothing.
    async fn attach(&self, intent: &PaymentAttempt, at: Timestamp) -> Result<Attached, StoreError>;

    /// The order's open payment.
    async fn open_for(&self, order: OrderId) -> Result<Option<PaymentAttempt>, StoreError>;

    /// How many payments have been opened and closed for the order: the number of the next attempt, from 0.
    async fn attempts(&self, order: OrderId) -> Result<u32, StoreError>;

    /// The order that a payment was opened for, open or not; `None` for one that this shop never opened.
    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentAttempt>, StoreError>;

    /// The order's payments of which nobody knows that they have ended: those that are open, and those that were closed
    /// without the provider's word.
    async fn undecided(&self, order: OrderId) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Notes how a payment came to an end. Again is fine.
    async fn close(&self, id: &TransactionId, ended: Ended, at: Timestamp) -> Result<(), StoreError>;

    /// Notes that a browser has asked for an open payment, or says that it was confirmed: it is looked at soon, or next.
    async fn hurry(&self, id: &TransactionId, why: Hurry) -> Result<(), StoreError>;

    /// Takes up to `limit` open payments that are due to be looked at, and puts each off by its age; of several copies of
    /// the shop each gets different ones. One that cannot be read is set aside and logged.
    async fn lease_due(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Notes whether the provider knows an open payment.
    async fn note_known(&self, id: &TransactionId, known: bool) -> Result<(), StoreError>;

    /// Notes that a payment came in that does not fit its order: a person has to look.
    async fn note_mismatch(&self, id: &TransactionId) -> Result<(), StoreError>;

    /// Takes up to `limit` payments of paid orders that stand, those whose turn it is longest, and puts each off by its
    /// age; of several copies of the shop each gets different ones. One that cannot be read is set aside and logged.
    async fn lease_settled(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError>;

    /// Notes whether the provider and the shop agree on a payment.
    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError>;

    /// On how many payments that settled an order which stands the provider and the shop did not agree when they were last
    /// looked at, without those that a person has acknowledged.
    async fn disagreements(&self) -> Result<u64, StoreError>;
}
