//! Where orders are kept.

use async_trait::async_trait;
use domain::order::Change;
use domain::{AccountId, Order, OrderEvent, OrderId, Stock, UnitPrice};
use thiserror::Error;

use crate::{OnceKey, StoreError};

/// An order to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The order, as the rules made it from the product that was read.
    pub order: Order,
    /// The first entry of its timeline.
    pub event: OrderEvent,
    /// The caller's idempotency key, if one was sent.
    pub once: Option<OnceKey>,
}

/// Why an order was not placed. Nothing was changed.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// Somebody was quicker: fewer units are left than asked for.
    #[error("only {left} are left")]
    NotEnough {
        /// What is left.
        left: Stock,
    },
    /// The price changed since the product was read.
    #[error("the price has changed")]
    PriceChanged {
        /// What one unit costs now.
        now: UnitPrice,
    },
    /// The product was archived since it was read.
    #[error("the product is gone")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It is written, with its timeline entry and, for a cancellation, the units back on the shelf and in the ledger.
    Written,
    /// The order no longer is as it was when the change was judged: read it again and judge anew. Nothing was changed.
    Stale,
}

/// Orders, their timelines, and the units they take from the shelves.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait OrderStore: Send + Sync {
    /// Takes the units off the shelf and records the order, its timeline entry and the ledger's: all of it or none of it.
    ///
    /// The units are taken only while enough are there, the price is the order's and the product is for sale. The same
    /// idempotency key of the same buyer again is a success that changes nothing and answers the first id.
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError>;

    /// Compare and set: writes the change if the order's progress still equals `change.before`, all of it or none of it.
    async fn apply(&self, change: &Change) -> Result<Applied, StoreError>;

    /// One order, cancelled ones too.
    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError>;

    /// A buyer's orders that stand, latest first.
    async fn of_buyer(&self, buyer: AccountId) -> Result<Vec<Order>, StoreError>;

    /// Everybody's orders that stand, latest first.
    async fn all(&self) -> Result<Vec<Order>, StoreError>;

    /// An order's timeline, oldest entry first; empty for an order that never was.
    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError>;
}
