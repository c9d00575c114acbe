//! Which payment was opened for which order.

use async_trait::async_trait;
use domain::{Money, OrderId, Timestamp, TransactionId};

use crate::StoreError;

/// A payment that was opened for an order and has not come to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIntent {
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

/// Which payment was opened for which order. At most one is open per order at any moment.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait IntentStore: Send + Sync {
    /// Records a payment as the order's open one, if the order stands unpaid. A second call changes nothing.
    async fn attach(&self, intent: &OpenIntent, at: Timestamp) -> Result<Attached, StoreError>;

    /// The order's open payment.
    async fn open_for(&self, order: OrderId) -> Result<Option<OpenIntent>, StoreError>;

    /// How many payments have been opened and closed for the order: the number of the next attempt, from 0.
    async fn attempts(&self, order: OrderId) -> Result<u32, StoreError>;

    /// The order that a payment was opened for, open or not; `None` for one that this shop never opened.
    async fn find(&self, id: &TransactionId) -> Result<Option<OpenIntent>, StoreError>;

    /// Notes that a payment came to an end: it succeeded and is settled, was refunded, or was cancelled. Again is fine.
    async fn close(&self, id: &TransactionId, at: Timestamp) -> Result<(), StoreError>;

    /// Takes up to `limit` open payments that nobody has looked at since `not_since`, and marks them as looked at
    /// `now`; of several copies of the shop each gets different ones.
    async fn take_due(&self, not_since: Timestamp, now: Timestamp, limit: u32) -> Result<Vec<OpenIntent>, StoreError>;

    /// Takes up to `limit` payments that settled an order which stands, that nobody has looked at since `not_since`, and
    /// marks them as looked at `now`; of several copies of the shop each gets different ones.
    async fn take_settled(
        &self,
        not_since: Timestamp,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenIntent>, StoreError>;

    /// Notes whether the provider and the shop agree on a payment.
    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError>;

    /// On how many payments that settled an order which stands the provider and the shop did not agree when they were last
    /// looked at.
    async fn disagreements(&self) -> Result<u64, StoreError>;
}
