//! Order repository.

use std::time::Duration;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::orders::refusals::PlaceRefused;
use domain::{AccountId, Day, Money, Order, OrderEvent, OrderId, Timestamp, UnitPrice};
use thiserror::Error;

use crate::{IdempotencyKey, Page, Pagination, PriceEpoch, SortOrder, StoreError};

/// How long the units of unpaid orders are reserved, and how many unpaid orders an account may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservationRules {
    /// For accounts that have paid before, and for orders that cannot be paid by card.
    pub usual: Duration,
    /// For accounts without a paid order.
    pub new: Duration,
    /// For accounts without a paid order: the maximum number of unpaid orders. At most one of them may be too large for
    /// a card. `None` for no limit.
    pub most_new: Option<u32>,
}

impl ReservationRules {
    /// A day, or an hour for accounts without a paid order, and no limit on their number.
    pub const UNLIMITED: Self = Self { usual: Duration::from_hours(24), new: Duration::from_hours(1), most_new: None };
}

/// What the price of an order was computed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceBasis {
    /// The product's list price.
    pub list: UnitPrice,
    /// The epoch of all other rules.
    pub epoch: PriceEpoch,
}

/// An order to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The order, as the domain built it from the product that was read.
    pub order: Order,
    /// The first event of its timeline.
    pub event: OrderEvent,
    /// What its price was computed by.
    pub basis: PriceBasis,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Whether the request holds the claim on its key. Without it, an order whose key is claimed, or has a response, is
    /// not placed: [`StoreError::KeyClaimed`].
    pub holds_claim: bool,
    /// How long its units are reserved while it is unpaid, and how many such orders are allowed.
    pub reservations: ReservationRules,
}

/// Why an order was not placed. Nothing was changed.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// Something changed since the product was read: its price or its stock, or it was archived, or the account has
    /// reached its limit of unpaid orders.
    #[error(transparent)]
    Refused(#[from] PlaceRefused),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Filter of an order list by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderFilter {
    /// All orders that are not cancelled.
    #[default]
    NotCancelled,
    /// Not shipped.
    Waiting,
    /// Paid and not shipped.
    Ready,
    /// Shipped.
    Shipped,
    /// Not paid.
    Unpaid,
    /// Unpaid, with a reservation that will expire.
    Reserved,
    /// Refunded, cancelled or not.
    Refunded,
    /// Cancelled, paid or not.
    Cancelled,
    /// All orders, including cancelled ones.
    All,
}

/// The order of an order list. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderSort {
    /// By when they were placed.
    Placed(SortOrder),
    /// By total.
    Total(SortOrder),
}

impl Default for OrderSort {
    /// Newest first.
    fn default() -> Self {
        Self::Placed(SortOrder::Descending)
    }
}

/// Filter, order and page of an order list. The default selects all orders that are not cancelled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderQuery {
    /// Only this account's orders.
    pub customer: Option<AccountId>,
    /// Only orders in which every word of this occurs, ignoring case: in the customer's name, e-mail or telephone
    /// number, the product's name or part number, the purchase order number, or the order's number or id.
    pub search: Option<String>,
    /// Only orders in this state.
    pub state: OrderFilter,
    /// Only orders that were placed on this day or later.
    pub from: Option<Day>,
    /// Only orders that were placed on this day or earlier.
    pub to: Option<Day>,
    /// The order of the list.
    pub sort: OrderSort,
    /// The page of the list.
    pub page: Pagination<OrderId>,
    /// From this on, the total of a search, of one customer's orders or of some days' may be less than there are. `None`
    /// for the exact total.
    pub counted_up_to: Option<u32>,
}

/// The sales figures of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayOfSales {
    /// The day.
    pub day: Day,
    /// How many orders were placed on it and are not cancelled.
    pub orders: u64,
    /// What was paid on it, whenever the orders were placed and whatever happened to them.
    pub paid: Money,
    /// What was refunded or lost in disputes on it, whenever it had been paid, less refunds that failed. In cents.
    pub returned_cents: i64,
}

impl DayOfSales {
    /// Payments less refunds, in cents; negative if more was refunded than paid.
    #[must_use]
    pub const fn revenue_cents(&self) -> i64 {
        self.paid.cents() - self.returned_cents
    }
}

/// How many orders are in which state: without cancelled ones, unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OrderStates {
    /// Orders that are not shipped.
    pub waiting: u64,
    /// Orders that are paid and not shipped.
    pub ready: u64,
    /// Orders that are not paid.
    pub unpaid: u64,
    /// Orders that are neither paid nor shipped.
    pub reserved: u64,
    /// Orders that are paid.
    pub paid: u64,
    /// Orders that are shipped.
    pub shipped: u64,
    /// Orders that are refunded, cancelled or not.
    pub refunded: u64,
    /// Orders that are cancelled, paid or not.
    pub cancelled: u64,
    /// All orders, including cancelled ones.
    pub all: u64,
}

/// What a customer has ordered and paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CustomerTotals {
    /// How many of their orders are in which state.
    pub states: OrderStates,
    /// What they paid less what went back to them, in cents.
    pub spent_cents: i64,
    /// When they placed their first order, cancelled or not.
    pub first_order_at: Option<Timestamp>,
    /// When they placed their latest order, cancelled or not.
    pub last_order_at: Option<Timestamp>,
}

/// The result of a compare-and-set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// Written, with its timeline event and, for a cancellation, the units returned to stock and entered into the
    /// ledger.
    Written,
    /// The order has changed since it was read: read it and decide again. Nothing was changed.
    Conflict,
}

/// Orders, their timelines, and the stock that they take.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait OrderRepository: Send + Sync {
    /// Takes the units from stock and records the order, its timeline event and the ledger entry: all of it or nothing.
    ///
    /// The units are taken only if enough are in stock, the order's price basis is still true and the product is for sale. An
    /// account without a paid order is held to [`ReservationRules::most_new`], however many orders it places
    /// concurrently. The order's [`domain::StoreAssigned`] is assigned here. Repeating the call with the same
    /// idempotency key of the same customer succeeds, changes nothing and returns the first id.
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError>;

    /// The order that a customer placed under an idempotency key.
    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<OrderId>, StoreError>;

    /// Compare-and-set: writes the change if the order's state still equals `change.before`, all of it or nothing.
    async fn apply(&self, change: &Change) -> Result<Applied, StoreError>;

    /// The same for changes of several orders: all of them or none. With the id of a provider's event, and when it came, that
    /// event is marked as processed by the same transaction.
    async fn apply_all(&self, changes: &[Change], event: Option<(String, Timestamp)>) -> Result<Applied, StoreError>;

    /// Those of these orders that exist, cancelled or not, in any order.
    async fn find_all(&self, ids: &[OrderId]) -> Result<Vec<Order>, StoreError>;

    /// One order, cancelled or not.
    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError>;

    /// At most `most` of a customer's orders that are unpaid, not cancelled and have this total.
    async fn unpaid_with_total(&self, customer: AccountId, total: Money, most: u32)
    -> Result<Vec<OrderId>, StoreError>;

    /// The orders that match, of all customers.
    async fn list(&self, query: &OrderQuery) -> Result<Page<Order, OrderId>, StoreError>;

    /// The sales figures from one day to another, both inclusive; days without sales are left out.
    async fn sales(&self, first: Day, last: Day) -> Result<Vec<DayOfSales>, StoreError>;

    /// How many orders are in which state.
    async fn states(&self) -> Result<OrderStates, StoreError>;

    /// What a customer has ordered and paid.
    async fn totals_of(&self, customer: AccountId) -> Result<CustomerTotals, StoreError>;

    /// Folds up to `limit` further orders into the counts that [`Self::states`], [`Self::sales`] and the totals of lists
    /// read, and returns whether there are more. The counts are exact without it; it keeps them quick. Any number of
    /// instances may call it concurrently.
    async fn fold(&self, limit: u32) -> Result<bool, StoreError>;

    /// Leases up to `limit` orders whose reservation has expired by the database's clock, those due longest first. A
    /// leased order is due again after a minute, doubled with every further lease, at most six hours. So an order that
    /// cannot be expired does not block others, and two instances do not lease the same order at the same time.
    async fn lease_lapsed(&self, limit: u32) -> Result<Vec<OrderId>, StoreError>;

    /// Gives up to `limit` unpaid orders that the previous version placed a reservation until `hold` after they were
    /// placed, as that version would have. Returns how many.
    async fn reserve(&self, ttl: Duration, limit: u32) -> Result<u32, StoreError>;

    /// Queues a reminder e-mail for up to `limit` orders whose reservation is about to expire, once per order. Returns
    /// how many.
    async fn remind(&self, limit: u32) -> Result<u32, StoreError>;

    /// How many orders still have units reserved although their reservation has expired, because expiring them failed.
    async fn overdue(&self) -> Result<u64, StoreError>;

    /// An order's timeline, oldest event first; empty for an order that never existed.
    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError>;
}
