//! Repository of returns.

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{OrderId, OrderReturn, ReturnId};

use crate::{IdempotencyKey, NewRefund, StoreError};

/// A return to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReturn {
    /// The return.
    pub asked: OrderReturn,
    /// How many returns the order had when this one was decided on.
    pub earlier: usize,
    /// The event for the order's timeline.
    pub change: Change,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The result of recording a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnRequested {
    /// It is recorded.
    Written,
    /// It was recorded before, under the same idempotency key. Nothing was changed.
    Known(ReturnId),
    /// The order or its returns have changed since they were read. Nothing was changed.
    Conflict,
}

/// What an admin decided about a return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnDecision {
    /// The return, decided.
    pub after: OrderReturn,
    /// The event for the order's timeline.
    pub change: Change,
    /// The refund of an accepted return, without a change of its own.
    pub refund: Option<NewRefund>,
}

/// The result of recording a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnDecided {
    /// It is recorded.
    Written,
    /// The return is decided already, or the order has changed since it was read, or less is left of its payment.
    /// Nothing was changed.
    Conflict,
    /// The product's stock has no room for the units. Nothing was changed.
    NoRoom,
}

/// Returns of orders.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ReturnRepository: Send + Sync {
    /// Records a return and its event: all of it or nothing. An order has one open return at most. Repeating the call
    /// with the same idempotency key changes nothing and returns the first id.
    async fn request(&self, new: &NewReturn) -> Result<ReturnRequested, StoreError>;

    /// Records a decision with its event and its refund, and returns the units to stock if it says so: all of it or
    /// nothing. A return is decided once.
    async fn decide(&self, decision: &ReturnDecision) -> Result<ReturnDecided, StoreError>;

    /// One return.
    async fn find(&self, id: ReturnId) -> Result<Option<OrderReturn>, StoreError>;

    /// The return of an order that was recorded under an idempotency key.
    async fn requested_under(
        &self,
        order: OrderId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<ReturnId>, StoreError>;

    /// Every return of an order, oldest first.
    async fn of_order(&self, order: OrderId) -> Result<Vec<OrderReturn>, StoreError>;
}
