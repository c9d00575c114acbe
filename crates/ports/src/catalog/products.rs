//! Product repository and stock ledger.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::Actor;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{
    Category, CorrectStockRefused, EditRefused, Measure, Money, PartNumber, PartRefused, PictureUrl, Pictures,
    Position, Product, ProductEdit, ProductId, RestockRefused, Stock, Text, Timestamp, UnitPrice,
};

use crate::{FitFilter, IdempotencyKey, Page, Pagination, SortOrder, StoreError, WriteError};

/// The order of a product list. Ties are broken by id, so that pages neither repeat nor skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProductSort {
    /// Newest first.
    #[default]
    Newest,
    /// By unit price.
    Price(SortOrder),
    /// By name, A to Z, ignoring case.
    Name,
}

/// Filter, order and page of a product list. The default selects all products.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductQuery {
    /// Only products with one of these numbers, or with all of these words in name, brand, part type, category or number,
    /// any part of them and ignoring case.
    pub search: Option<String>,
    /// Only products with this number, or if there is none, with one like it.
    pub number: Option<String>,
    /// Only this category.
    pub category: Option<Category>,
    /// Only one of these brands, by name and ignoring case; all if empty.
    pub brands: Vec<String>,
    /// Only one of these part types, by name or id and ignoring case; all if empty.
    pub part_types: Vec<String>,
    /// Only from this unit price on.
    pub min_price: Option<Money>,
    /// Only up to this unit price.
    pub max_price: Option<Money>,
    /// Only with all of these attributes.
    pub attributes: Vec<AttributeFilter>,
    /// Only for this vehicle.
    pub fit: Option<FitFilter>,
    /// Only parts that belong at one of these positions, of the vehicle if there is one; all if empty.
    pub positions: Vec<Position>,
    /// Only products that can be ordered: the stock covers the minimum order.
    pub in_stock: bool,
    /// Archived products in place of those for sale.
    pub archived: bool,
    /// The order of the list.
    pub sort: ProductSort,
    /// The page of the list. A cursor of another sort order ends the list.
    pub page: Pagination<ProductCursor>,
}

impl ProductQuery {
    /// Whether words or a number are looked for.
    #[must_use]
    pub const fn has_words(&self) -> bool {
        self.search.is_some() || self.number.is_some()
    }

    /// Whether [`crate::CatalogSearch`] finds the products: by words, by a number or for a vehicle.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        self.has_words() || self.fit.is_some()
    }

    /// Whether it selects products for sale, and by nothing but category and stock.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.archived
            && !self.is_search()
            && self.brands.is_empty()
            && self.part_types.is_empty()
            && self.attributes.is_empty()
            && self.positions.is_empty()
            && self.min_price.is_none()
            && self.max_price.is_none()
    }
}

/// An attribute that products must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeFilter {
    /// Its name, ignoring case.
    pub name: String,
    /// Its value.
    pub matches: AttributeMatch,
}

/// Which values of an attribute match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeMatch {
    /// One of these, as they are written and ignoring case.
    OneOf(Vec<String>),
    /// Numbers from one to another.
    Within(Option<Measure>, Option<Measure>),
}

/// The value that a product is sorted by, as it was when its page was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductKey {
    /// When the product was added.
    Added(Timestamp),
    /// The unit price.
    Price(UnitPrice),
    /// The name, case-folded by the store.
    Name(String),
}

impl ProductKey {
    /// Whether a list of this order is sorted by this value.
    #[must_use]
    pub const fn fits(&self, sort: ProductSort) -> bool {
        matches!(
            (self, sort),
            (Self::Added(_), ProductSort::Newest)
                | (Self::Price(_), ProductSort::Price(_))
                | (Self::Name(_), ProductSort::Name)
        )
    }
}

/// A cursor in a product list: where a page ended. It contains the sort value, so that it stays valid when the
/// product's price changes or the product is archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductCursor {
    /// The sort value of the page's last product.
    pub key: ProductKey,
    /// The id of that product.
    pub id: ProductId,
    /// Of a list for a vehicle, how far down products like it come: 0 fit surely, 1 perhaps, of 2 it is not known.
    pub rank: u8,
}

/// A product to be added, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProduct {
    /// The product; its stock is entered into the ledger as received.
    pub product: Product,
    /// Who adds it.
    pub by: Actor,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// A product to be added together with others, and the numbers that lead to it beside its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPart {
    /// The product.
    pub new: NewProduct,
    /// Its numbers.
    pub numbers: Vec<PartNumber>,
}

/// Products to be imported together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProducts {
    /// The products; their stock is entered into the ledger as received.
    pub products: Vec<Product>,
    /// Who imports them.
    pub by: Actor,
    /// When they are imported.
    pub at: Timestamp,
    /// Whether duplicates of products that are for sale are skipped. If not, one duplicate prevents the whole import.
    pub partial: bool,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// How many products were added.
    pub added: usize,
    /// The indexes of the duplicates, from 0 and ascending: a product with the same name, category and picture is for
    /// sale already.
    pub duplicates: Vec<usize>,
}

/// A delivery of units, and the new price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restocking {
    /// The product's id.
    pub product: ProductId,
    /// How many units are added; may be 0.
    pub arriving: Stock,
    /// The new unit price.
    pub price: UnitPrice,
    /// The unit price that the admin saw; if the current price differs, nothing is changed. `None` skips that check.
    pub seen_price: Option<UnitPrice>,
    /// Who restocks.
    pub by: Actor,
    /// When it is restocked.
    pub at: Timestamp,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// An edit of a product, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editing {
    /// The product's id.
    pub product: ProductId,
    /// The new values.
    pub wanted: ProductEdit,
    /// The values that the admin saw.
    pub seen: ProductEdit,
    /// Who edits.
    pub by: Actor,
    /// When it is edited.
    pub at: Timestamp,
}

/// A correction of a product's stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockCorrection {
    /// The product's id.
    pub product: ProductId,
    /// How many units are added or removed.
    pub delta: StockDelta,
    /// Why the stock is corrected.
    pub reason: CorrectionReason,
    /// A note for other admins.
    pub note: Option<Text<200>>,
    /// Who corrects it.
    pub by: Actor,
    /// When it is corrected.
    pub at: Timestamp,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// An entry of a product's stock history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockEvent {
    /// What was done.
    pub what: StockEventKind,
    /// Who did it.
    pub by: Actor,
    /// When it was done.
    pub at: Timestamp,
}

/// Changes of a product's stock or price, other than by orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StockEventKind {
    /// Units were added, or only the price was set.
    Restocked {
        /// How many units were added.
        arriving: Stock,
        /// The new unit price.
        price: UnitPrice,
    },
    /// The stock was corrected.
    Corrected {
        /// How many units were added or removed.
        delta: StockDelta,
        /// Why it was corrected.
        reason: CorrectionReason,
        /// The admin's note.
        note: Option<Text<200>>,
    },
    /// The product was archived.
    Archived,
}

/// Products and their stock ledger.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ProductRepository: Send + Sync {
    /// The products that match: those for sale, or archived ones; see [`ProductQuery::archived`]. Words and numbers are
    /// [`crate::CatalogSearch`]'s, and left out of account.
    async fn list(&self, query: &ProductQuery) -> Result<Page<Product, ProductCursor>, StoreError>;

    /// A version of all products, including archived ones: while it is unchanged, so is every product list.
    async fn state(&self) -> Result<String, StoreError>;

    /// At most `most` of the products that run low, lowest stock first: those whose stock does not cover two minimum
    /// orders.
    async fn running_low(&self, most: u32) -> Result<Vec<Product>, StoreError>;

    /// One product; `None` if it does not exist or is archived.
    async fn find(&self, id: ProductId) -> Result<Option<Product>, StoreError>;

    /// Those of these products that are for sale, or those that are archived, in any order. Read from the server that
    /// accepts writes.
    async fn find_all(&self, ids: &[ProductId], archived: bool) -> Result<Vec<Product>, StoreError>;

    /// The numbers of these products, by which searches name them: small, given when a product is added, and no other product's
    /// ever. One that does not exist is left out.
    async fn numbers(&self, ids: &[ProductId]) -> Result<HashMap<ProductId, i32>, StoreError>;

    /// The products with exactly this name, category and picture. Returns at most two, enough to tell whether the match
    /// is unique.
    async fn matching(&self, name: &str, category: Category, img: &PictureUrl) -> Result<Vec<Product>, StoreError>;

    /// Adds a product and enters its stock into the ledger, in one transaction. Repeating the call with the same
    /// idempotency key changes nothing and returns the first id.
    async fn add(&self, new: &NewProduct) -> Result<ProductId, WriteError<PartRefused>>;

    /// Adds parts as [`Self::add`] does, each with its numbers, in one transaction. One that its idempotency key has added
    /// before stays as it is, and so do its numbers. Returns the ids of all, in the same order.
    async fn add_parts(&self, new: &[NewPart]) -> Result<Vec<ProductId>, WriteError<PartRefused>>;

    /// Adds products and enters their stock into the ledger, in one transaction, except for duplicates; see
    /// [`NewProducts::partial`]. Of two concurrent calls the second sees what the first added. Repeating the call with
    /// the same idempotency key changes nothing and returns the first result.
    async fn add_all(&self, new: &NewProducts) -> Result<Imported, StoreError>;

    /// The indexes, from 0 and ascending, of the products that are duplicates of products for sale.
    async fn duplicates(&self, products: &[Product]) -> Result<Vec<usize>, StoreError>;

    /// Adds units to the current stock in one statement, so that no concurrent sale is lost; sets the price and enters
    /// the units into the ledger. Repeating the call with the same idempotency key changes nothing.
    async fn restock(&self, restocking: &Restocking) -> Result<(), WriteError<RestockRefused>>;

    /// Adds or removes units in one statement, never below zero, and enters them into the ledger. For reasons other
    /// than a delivery or an order. Returns the new stock. Repeating the call with the same idempotency key changes
    /// nothing.
    async fn correct(&self, correction: &StockCorrection) -> Result<Stock, WriteError<CorrectStockRefused>>;

    /// At most `most` of the latest entries of a product's stock history, latest first; also for an archived product.
    /// `None` if the product never existed.
    async fn stock_history(&self, id: ProductId, most: u32) -> Result<Option<Vec<StockEvent>>, StoreError>;

    /// Edits a product in one transaction, see [`domain::ProductDetails::edited`], and enters a new price into its
    /// history. `false` if all of it is as wanted already. Repeating the call changes nothing.
    async fn edit(&self, editing: &Editing) -> Result<bool, WriteError<EditRefused>>;

    /// Replaces the pictures of a product in one transaction. `false` if they are these already, `None` if it does not exist or
    /// is archived.
    async fn set_pictures(&self, id: ProductId, pictures: &Pictures) -> Result<Option<bool>, StoreError>;

    /// Archives a product; orders keep their snapshot of it. `false` if it does not exist or is archived already.
    async fn archive(&self, id: ProductId, by: &Actor, at: Timestamp) -> Result<bool, StoreError>;

    /// Puts an archived product up for sale again, as it was. `false` if it is for sale already; `None` if it never
    /// existed.
    async fn restore(&self, id: ProductId) -> Result<Option<bool>, StoreError>;
}
