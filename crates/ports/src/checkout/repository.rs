//! Checkouts and their orders.

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::orders::refusals::PlaceRefused;
use domain::{AccountId, Checkout, CheckoutId, CheckoutNumber, CheckoutState, Money, Order};
use thiserror::Error;

use crate::{Applied, IdempotencyKey, NewOrder, Page, Pagination, ReservationRules, StoreError};

/// A checkout to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCheckout {
    /// The checkout.
    pub checkout: Checkout,
    /// Its orders: one for each product, none with an idempotency key of its own.
    pub orders: Vec<NewOrder>,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Whether the request holds the claim on its key, see [`NewOrder::holds_claim`].
    pub holds_claim: bool,
    /// How long the units are reserved while they are unpaid, and whether an account without a paid order is limited.
    pub reservations: ReservationRules,
}

/// What became of a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutPlaced {
    /// It is placed.
    Now {
        /// Its id.
        id: CheckoutId,
        /// Its number.
        number: CheckoutNumber,
    },
    /// The same request had placed this one.
    Before(CheckoutId),
}

/// Why a checkout was not placed. Nothing was changed.
#[derive(Debug, Error)]
pub enum PlaceCheckoutError {
    /// Something changed since the products were read: of these lines.
    #[error("lines of the checkout are refused")]
    Lines(Vec<(u16, PlaceRefused)>),
    /// The account has never paid, and has an unpaid checkout already.
    #[error("there is an unpaid checkout already")]
    OneUnpaid,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A checkout and its orders, by their lines, cancelled ones too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCheckout {
    /// The checkout.
    pub checkout: Checkout,
    /// Its orders.
    pub orders: Vec<Order>,
}

/// Filter and page of a list of checkouts, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckoutQuery {
    /// Only this account's.
    pub customer: Option<AccountId>,
    /// Only checkouts in which every word of this occurs, ignoring case: in the number, the purchase order number, the
    /// contact, or the names and part numbers of the products.
    pub search: Option<String>,
    /// Only those in this state.
    pub state: Option<CheckoutState>,
    /// The page.
    pub page: Pagination<CheckoutId>,
    /// How far the matches are counted; all of them without it.
    pub counted_up_to: Option<u32>,
}

/// Checkouts and their orders.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait CheckoutRepository: Send + Sync {
    /// Takes the units of all orders from stock and records the checkout and them: all of it or nothing. The products are
    /// locked in one order, so that no two checkouts wait for each other. An account without a paid order has at most one
    /// unpaid checkout, if there is a limit at all. Repeating the call with the same idempotency key of the same customer
    /// changes nothing.
    async fn place(&self, new: &NewCheckout) -> Result<CheckoutPlaced, PlaceCheckoutError>;

    /// The checkout that a customer placed under an idempotency key.
    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<CheckoutId>, StoreError>;

    /// One checkout with its orders.
    async fn find(&self, id: CheckoutId) -> Result<Option<StoredCheckout>, StoreError>;

    /// The checkouts that match, newest first, with their orders.
    async fn list(&self, query: &CheckoutQuery) -> Result<Page<StoredCheckout, CheckoutId>, StoreError>;

    /// Compare-and-set: sets the freight and the tax of a checkout that waits for them, with the changes of its orders, all
    /// of it or nothing.
    async fn set_freight(
        &self,
        id: CheckoutId,
        shipping: Money,
        tax: Money,
        changes: &[Change],
    ) -> Result<Applied, StoreError>;
}
