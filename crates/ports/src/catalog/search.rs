//! Finding products by words and numbers, and counting what can be chosen.

use async_trait::async_trait;
use domain::{Category, Position, ProductId, Via};

use crate::{Page, ProductCursor, ProductQuery, StoreError};

/// A product that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its id.
    pub id: ProductId,
    /// Why it was found, where its name does not tell.
    pub via: Option<Via>,
}

/// The products that one number leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberHits {
    /// How well the number matches: 1 its own, 2 GTIN, 3 replaced, 4 another maker's, 5 its beginning, 6 misread, 7 close.
    pub tier: u8,
    /// The products, best first.
    pub hits: Vec<Hit>,
}

/// A value that can be chosen, and how many products have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetValue {
    /// By what it is chosen.
    pub value: String,
    /// What it is called.
    pub name: String,
    /// How many products there are with it, under all other choices.
    pub count: u64,
}

/// The values of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeFacet {
    /// The attribute's name.
    pub name: String,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// The most frequent values.
    pub values: Vec<FacetValue>,
}

/// What can be chosen of a list. The choice of one facet does not narrow the facet itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facets {
    /// How many products the list has.
    pub total: u64,
    /// Categories that have products.
    pub categories: Vec<(Category, u64)>,
    /// Part types, most frequent first.
    pub part_types: Vec<FacetValue>,
    /// Brands, most frequent first.
    pub brands: Vec<FacetValue>,
    /// How many products can be ordered.
    pub in_stock: u64,
    /// Bands of the unit price.
    pub prices: Vec<PriceBand>,
    /// Attributes, most frequent first.
    pub attributes: Vec<AttributeFacet>,
    /// Where the parts belong; only counted for a vehicle, or for part types or positions that were chosen.
    pub positions: Vec<(Position, u64)>,
}

/// A band of unit prices, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceBand {
    /// From this price on.
    pub from: i64,
    /// Up to this price; `None` without end.
    pub to: Option<i64>,
    /// How many products there are in it.
    pub count: u64,
}

/// The bounds of the price bands, in cents.
pub const PRICE_BANDS: [i64; 6] = [0, 1_000, 2_500, 5_000, 10_000, 25_000];

/// A product that a search finds before its other choices, and what the product itself does not say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Its number, see [`crate::ProductRepository::numbers`]. It need not be for sale any more.
    pub no: i32,
    /// As [`ProductCursor::rank`].
    pub rank: u8,
    /// Where it belongs: the bits of its positions.
    pub positions: u32,
}

/// Finds products. Which they are comes from here; what they cost and how many there are from [`crate::ProductRepository`].
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait CatalogSearch: Send + Sync {
    /// The products that match a query with words, a number or a vehicle: for a vehicle those that fit surely first, of
    /// them those that have exactly the number, then the others in the order of the list.
    async fn search(&self, query: &ProductQuery) -> Result<Page<Hit, ProductCursor>, StoreError>;

    /// The products for sale that a number leads to, as somebody wrote it; `None` if there are none, not even close ones.
    async fn by_number(&self, number: &str) -> Result<Option<NumberHits>, StoreError>;

    /// What can be chosen of a list. The query's page and order do not matter.
    async fn facets(&self, query: &ProductQuery) -> Result<Facets, StoreError>;

    /// What the words or the vehicle of a query find, each product once and in any order, for whoever holds all products and can
    /// choose, sort and count by himself. `None` if that does not say enough: numbers come first and are found by each other, slips
    /// are looked for only where nothing else is found, positions are known of a vehicle alone, and most of the shop is not worth
    /// sending.
    async fn candidates(&self, query: &ProductQuery) -> Result<Option<Vec<Candidate>>, StoreError>;

    /// The products of these part types, by name or id, that belong somewhere on some vehicle.
    async fn placed(&self, part_types: &[String]) -> Result<Vec<Candidate>, StoreError>;

    /// Whether words and numbers with a slip in them are found.
    async fn forgives_slips(&self) -> Result<bool, StoreError>;
}
