//! Where orders are kept.

use std::time::Duration;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{AccountId, Day, Money, Order, OrderEvent, OrderId, Stock, UnitPrice};
use thiserror::Error;

use crate::{IdempotencyKey, StoreError};

/// How long unpaid orders keep their units, and how many of them an account may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservationRules {
    /// For accounts that have paid before, and for orders that no card can pay.
    pub usual: Duration,
    /// For accounts that never paid.
    pub new: Duration,
    /// The most unpaid orders of an account that never paid, and one of those that no card can pay; `None` for as many as
    /// they like.
    pub most_new: Option<u32>,
}

impl ReservationRules {
    /// A day, an hour for accounts that never paid, and no limit to how many.
    pub const UNLIMITED: Self = Self { usual: Duration::from_hours(24), new: Duration::from_hours(1), most_new: None };
}

/// An order to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The order, as the rules made it from the product that was read.
    pub order: Order,
    /// The first entry of its timeline.
    pub event: OrderEvent,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
    /// How long it keeps its units while it is unpaid.
    pub reservations: ReservationRules,
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
    /// The account never paid, and has as many unpaid orders as it may.
    #[error("there are as many unpaid orders as there may be")]
    TooManyUnpaid,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Which part of the orders a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderState {
    /// Every order that stands.
    #[default]
    Standing,
    /// Those that have not been shipped.
    Waiting,
    /// Those that have.
    Shipped,
    /// Those whose money has not arrived.
    Unpaid,
    /// Those that keep units and lapse unless they are paid.
    Reserved,
    /// Those whose money went back, whether they stand or not.
    Refunded,
    /// Those that were called off, paid or not.
    Cancelled,
    /// Every order there ever was.
    All,
}

/// In which order a list of orders comes. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderSort {
    /// Latest placed first.
    #[default]
    Newest,
    /// First placed first.
    Oldest,
    /// Smallest total first.
    PriceUp,
    /// Largest total first.
    PriceDown,
}

/// Which orders, and how many of them. The default asks for all that stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderQuery {
    /// Only this buyer's.
    pub customer: Option<AccountId>,
    /// Only those in which every word of this occurs, whatever the case: in the buyer's name, e-mail or telephone number,
    /// the product's name, or the order's id.
    pub search: Option<String>,
    /// Only this part of them.
    pub state: OrderState,
    /// The order of the list.
    pub sort: OrderSort,
    /// At most so many.
    pub limit: Option<u32>,
    /// Only what comes after this order in the list. A cancelled one still marks its place; one that never was ends the
    /// list.
    pub after: Option<OrderId>,
    /// The total may be left at 0: whoever reads page after page to the end has no use for it.
    pub uncounted: bool,
}

/// A part of a list of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPage {
    /// The orders of this part.
    pub orders: Vec<Order>,
    /// How many match, over all parts.
    pub total: u64,
    /// The last order of this part, if others come after it.
    pub next: Option<OrderId>,
}

/// What happened on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayOfSales {
    /// Which day.
    pub day: Day,
    /// How many orders were placed that still stand.
    pub orders: u64,
    /// What was paid, whenever the orders were placed and whatever became of them.
    pub paid: Money,
    /// What was sent back, or was lost to a bank, whenever it had been paid; less what failed to arrive.
    pub returned_cents: i64,
}

impl DayOfSales {
    /// What came in, less what went back, in cents; below zero on a day on which more went back.
    #[must_use]
    pub const fn revenue_cents(&self) -> i64 {
        self.paid.cents() - self.returned_cents
    }
}

/// How many orders that stand are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrderStates {
    /// Not shipped.
    pub waiting: u64,
    /// Not paid.
    pub unpaid: u64,
    /// Paid.
    pub paid: u64,
    /// Shipped.
    pub shipped: u64,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It is written, with its timeline entry and, for a cancellation, the units back on the shelf and in the ledger.
    Written,
    /// The order no longer is as it was when the change was judged: read it again and judge anew. Nothing was changed.
    Conflict,
}

/// Orders, their timelines, and the units they take from the shelves.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait OrderRepository: Send + Sync {
    /// Takes the units off the shelf and records the order, its timeline entry and the ledger's: all of it or none of it.
    ///
    /// The units are taken only while enough are there, the price is the order's and the product is for sale, and from an
    /// account that never paid only as far as [`ReservationRules::most_new`] lets it, however many it places at once. The order's
    /// slip is given here. The same idempotency key of the same buyer again is a success that changes nothing and answers
    /// the first id.
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError>;

    /// The order that a buyer placed under an idempotency key.
    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<OrderId>, StoreError>;

    /// Compare and set: writes the change if the order's progress still equals `change.before`, all of it or none of it.
    async fn apply(&self, change: &Change) -> Result<Applied, StoreError>;

    /// One order, cancelled ones too.
    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError>;

    /// At most `most` of a buyer's orders that stand, are unpaid and come to this total.
    async fn unpaid_with_total(&self, customer: AccountId, total: Money, most: u32)
    -> Result<Vec<OrderId>, StoreError>;

    /// The orders that match, whoever placed them.
    async fn list(&self, query: &OrderQuery) -> Result<OrderPage, StoreError>;

    /// What happened from one day to another, both included; days on which nothing happened are left out.
    async fn sales(&self, first: Day, last: Day) -> Result<Vec<DayOfSales>, StoreError>;

    /// How many orders that stand are in which state.
    async fn states(&self) -> Result<OrderStates, StoreError>;

    /// Takes up to `limit` orders that keep units past their time, by the database's clock, those that are longest due
    /// first. One that is taken is due again after a minute, twice as long after every further time it was taken, six hours
    /// at most: until it lapses it neither stands in another's way nor is taken by two copies of the shop at once.
    async fn lease_lapsed(&self, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Gives up to `limit` unpaid orders that the previous program placed the time that they would have had with it: so
    /// long after they were placed. Answers how many.
    async fn reserve(&self, hold: Duration, limit: u32) -> Result<u32, StoreError>;

    /// Has up to `limit` buyers e-mailed whose order's time is nearly up, each order once. Answers how many orders.
    async fn remind(&self, limit: u32) -> Result<u32, StoreError>;

    /// How many orders keep units past their time because the shop could not give them up.
    async fn overdue(&self) -> Result<u64, StoreError>;

    /// An order's timeline, oldest entry first; empty for an order that never was.
    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError>;
}
