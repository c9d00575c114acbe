//! Where products are kept.

use async_trait::async_trait;
use domain::event::Actor;
use domain::{Category, PictureUrl, Product, ProductId, Stock, Timestamp, UnitPrice};
use thiserror::Error;

use crate::{OnceKey, StoreError};

/// In which order a list comes. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Latest added first.
    #[default]
    Newest,
    /// Cheapest first.
    PriceUp,
    /// Dearest first.
    PriceDown,
    /// By name, A to Z, whatever the case.
    Name,
}

/// Which products, and how many of them. The default asks for all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductQuery {
    /// Only those whose name, category or part number holds this, whatever the case.
    pub search: Option<String>,
    /// Only this category.
    pub category: Option<Category>,
    /// Only those that can be ordered: at least the minimum is on the shelf.
    pub in_stock: bool,
    /// The order of the list.
    pub sort: Sort,
    /// At most so many.
    pub limit: Option<u32>,
    /// Only what comes after this product in the list's order. An archived one still marks its place; one that never was
    /// ends the list.
    pub after: Option<ProductId>,
}

/// A part of a list of products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductPage {
    /// The products of this part.
    pub products: Vec<Product>,
    /// How many match, over all parts.
    pub total: u64,
    /// The last product of this part, if others come after it.
    pub next: Option<ProductId>,
}

/// A product to be added, and who adds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProduct {
    /// The product; what it has available is entered into the ledger as received.
    pub product: Product,
    /// Who adds it.
    pub by: Actor,
    /// The caller's idempotency key, if one was sent.
    pub once: Option<OnceKey>,
}

/// Units that arrive, and the price from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restocking {
    /// Which product.
    pub product: ProductId,
    /// How many units arrive; none is allowed.
    pub arriving: Stock,
    /// What one unit costs from now on.
    pub price: UnitPrice,
    /// Who restocks.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// The caller's idempotency key, if one was sent.
    pub once: Option<OnceKey>,
}

/// Why a product was not restocked.
#[derive(Debug, Error)]
pub enum RestockError {
    /// No such product, or it was archived.
    #[error("no such product")]
    Unknown,
    /// More than a shelf can hold.
    #[error("more than a shelf can hold")]
    TooMuch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Products that are for sale, and their stock ledger.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ProductStore: Send + Sync {
    /// The products that match, archived ones left out.
    async fn list(&self, query: &ProductQuery) -> Result<ProductPage, StoreError>;

    /// One product; `None` also once it is archived.
    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError>;

    /// The products with exactly this name, category and picture: at most two, for more make no difference.
    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError>;

    /// Adds a product and enters its first units into the ledger, in one transaction. The same idempotency key again
    /// changes nothing and answers the first id.
    async fn add(&self, new: &NewProduct) -> Result<ProductId, StoreError>;

    /// Adds units to what is there in one statement, so that no sale in between is lost, sets the price, and enters the
    /// units into the ledger. The same idempotency key again changes nothing.
    async fn restock(&self, restocking: &Restocking) -> Result<(), RestockError>;

    /// Takes a product out of the shop; orders keep their snapshot. `false` if it was not there.
    async fn archive(&self, id: ProductId, at: Timestamp) -> Result<bool, StoreError>;
}
