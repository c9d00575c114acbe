//! Where products are kept.

use async_trait::async_trait;
use domain::Actor;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Category, PictureUrl, Product, ProductId, Stock, Text, Timestamp, UnitPrice};
use thiserror::Error;

use crate::{IdempotencyKey, StoreError};

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
    /// Only what comes after this place in the list's order. A place in a list of another order ends the list.
    pub after: Option<ProductCursor>,
    /// The total may be left at 0: whoever reads page after page to the end has no use for it.
    pub uncounted: bool,
}

/// What a product is sorted by, as it was when its page was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductKey {
    /// When it was added.
    Added(Timestamp),
    /// What one unit cost.
    Price(UnitPrice),
    /// Its name, folded to one case as the store folds it.
    Name(String),
}

impl ProductKey {
    /// Whether a list of this order is sorted by it.
    #[must_use]
    pub const fn fits(&self, sort: Sort) -> bool {
        matches!(
            (self, sort),
            (Self::Added(_), Sort::Newest)
                | (Self::Price(_), Sort::PriceUp | Sort::PriceDown)
                | (Self::Name(_), Sort::Name)
        )
    }
}

/// A place in a list of products: where a page ended. It carries the value that the page was sorted by, so that the place
/// stays where it was when the product's price moves or the product is archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductCursor {
    /// What the page's last product was sorted by.
    pub key: ProductKey,
    /// Which product that was.
    pub id: ProductId,
}

/// A part of a list of products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductPage {
    /// The products of this part.
    pub products: Vec<Product>,
    /// How many match, over all parts.
    pub total: u64,
    /// Where this part ended, if others come after it.
    pub next: Option<ProductCursor>,
}

/// A product to be added, and who adds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProduct {
    /// The product; what it has available is entered into the ledger as received.
    pub product: Product,
    /// Who adds it.
    pub by: Actor,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Products to be added together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProducts {
    /// The products; what they have available is entered into the ledger as received.
    pub products: Vec<Product>,
    /// Who adds them.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Whether those whose like is for sale already are left out; if not, one of them keeps all the others out too.
    pub partial: bool,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What became of products that were to be added together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many were added.
    pub added: usize,
    /// The places, from 0 and ascending, of those whose like is for sale already: same name, category and picture.
    pub duplicates: Vec<usize>,
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
    /// What one unit cost when whoever restocks looked: if it costs something else by now, nothing is done.
    pub seen_price: Option<UnitPrice>,
    /// Who restocks.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
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
    /// The price moved since it was looked at.
    #[error("the price has changed")]
    PriceChanged {
        /// What one unit costs now.
        now: UnitPrice,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stock that was counted anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockCorrection {
    /// Which product.
    pub product: ProductId,
    /// How many units come or go.
    pub delta: StockDelta,
    /// Why.
    pub reason: CorrectionReason,
    /// What else there is to say about it.
    pub note: Option<Text<200>>,
    /// Who counted.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why stock was not corrected.
#[derive(Debug, Error)]
pub enum CorrectStockError {
    /// No such product, or it was archived.
    #[error("no such product")]
    Unknown,
    /// Fewer are there than would go.
    #[error("only {left} are left")]
    NotEnough {
        /// What is left.
        left: Stock,
    },
    /// More than there can be.
    #[error("more than can be in stock")]
    TooMuch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What somebody did to a product's stock or price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockEvent {
    /// What.
    pub what: StockEventKind,
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

/// What can be done to a product's stock or price, beside ordering it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StockEventKind {
    /// Units arrived, or none did and the price was set anew.
    Restocked {
        /// How many.
        arriving: Stock,
        /// What one unit cost from then on.
        price: UnitPrice,
    },
    /// It was counted anew.
    Corrected {
        /// How many units came or went.
        delta: StockDelta,
        /// Why.
        reason: CorrectionReason,
        /// What else there was to say about it.
        note: Option<Text<200>>,
    },
    /// It was taken out of the shop.
    Archived,
}

/// Products that are for sale, and their stock ledger.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ProductRepository: Send + Sync {
    /// The products that match, archived ones left out.
    async fn list(&self, query: &ProductQuery) -> Result<ProductPage, StoreError>;

    /// The state of all products, archived ones too: while it is the same, every list of them is the same.
    async fn state(&self) -> Result<String, StoreError>;

    /// At most so many of the products that run low, emptiest first: those that have less than two of the least orders take.
    async fn running_low(&self, most: u32) -> Result<Vec<Product>, StoreError>;

    /// One product; `None` also once it is archived.
    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError>;

    /// The products with exactly this name, category and picture: at most two, for more make no difference.
    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError>;

    /// Adds a product and enters its first units into the ledger, in one transaction. The same idempotency key again
    /// changes nothing and answers the first id.
    async fn add(&self, new: &NewProduct) -> Result<ProductId, StoreError>;

    /// Adds products and enters their first units into the ledger, all in one transaction, but for those whose like is for
    /// sale already; see [`NewProducts::partial`]. Of two calls at the same moment the second sees what the first added.
    /// The same idempotency key again changes nothing and answers what the first call was answered.
    async fn add_all(&self, new: &NewProducts) -> Result<Imported, StoreError>;

    /// The places, from 0 and ascending, of the products whose like is for sale already.
    async fn duplicates(&self, products: &[Product]) -> Result<Vec<usize>, StoreError>;

    /// Adds units to what is there in one statement, so that no sale in between is lost, sets the price, and enters the
    /// units into the ledger. The same idempotency key again changes nothing.
    async fn restock(&self, restocking: &Restocking) -> Result<(), RestockError>;

    /// Adds or takes away units for another reason than a delivery or an order, in one statement and never below zero, and
    /// enters them into the ledger. Answers what is there then. The same idempotency key again changes nothing.
    async fn correct(&self, correction: &StockCorrection) -> Result<Stock, CorrectStockError>;

    /// The latest of what was done to a product's stock and price, at most so many, latest first; of an archived one too.
    /// `None` for a product that never was.
    async fn stock_history(&self, id: ProductId, most: u32) -> Result<Option<Vec<StockEvent>>, StoreError>;

    /// Takes a product out of the shop; orders keep their snapshot. `false` if it was not there.
    async fn archive(&self, id: ProductId, by: &Actor, at: Timestamp) -> Result<bool, StoreError>;
}
