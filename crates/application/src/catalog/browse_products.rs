//! Reading products and reviews.

use std::collections::HashMap;

use domain::{Fit, Product, ProductId, RatingTotal, Review, Via, WantedVehicle};
use ports::{Hit, Page, ProductCursor, ProductQuery, ReviewCursor, StoreError};

use crate::Catalog;

/// A product of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProduct {
    pub product: Product,
    /// Why it was found, where its name does not tell.
    pub via: Option<Via>,
    /// Whether it fits the vehicle, if the list is for one.
    pub fit: Option<Fit>,
}

impl Catalog {
    /// The products that match: those for sale, or archived ones. What is searched for comes from the search, and then as it
    /// is from the store: an index may be late, a price may not.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn browse_products(&self, query: &ProductQuery) -> Result<Page<FoundProduct, ProductCursor>, StoreError> {
        if !query.is_search() {
            let Page { items, total, next } = self.products.list(query).await?;
            let items = items.into_iter().map(|product| FoundProduct { product, via: None, fit: None }).collect();
            return Ok(Page { items, total, next });
        }
        let Page { items: hits, total, next } = self.search.search(query).await?;
        let mut items = self.as_they_are(hits, query.archived).await?;
        if let Some(fit) = &query.fit {
            items = self.with_fit(items, &fit.wanted).await?;
        }
        Ok(Page { items, total, next })
    }

    /// Products of a list for a vehicle, as they are now and each with whether it fits, in the same order; without those that are
    /// gone by now.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn products_for(
        &self,
        vehicle: &WantedVehicle,
        ids: Vec<ProductId>,
    ) -> Result<Vec<FoundProduct>, StoreError> {
        let hits = ids.into_iter().map(|id| Hit { id, via: None }).collect();
        self.with_fit(self.as_they_are(hits, false).await?, vehicle).await
    }

    /// The products that were found, in the same order; without those that are gone by now.
    pub(super) async fn as_they_are(&self, hits: Vec<Hit>, archived: bool) -> Result<Vec<FoundProduct>, StoreError> {
        let ids: Vec<ProductId> = hits.iter().map(|hit| hit.id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.products.find_all(&ids, archived).await?;
        let mut found: HashMap<ProductId, Product> = found.into_iter().map(|product| (product.id, product)).collect();
        let shown = |Hit { id, via }| found.remove(&id).map(|product| FoundProduct { product, via, fit: None });
        Ok(hits.into_iter().filter_map(shown).collect())
    }

    /// A version of all products: while it is unchanged, so is every product list.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn state_of_products(&self) -> Result<String, StoreError> {
        self.products.state().await
    }

    /// One product; `None` if it is not for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn product(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.products.find(id).await
    }

    /// Those of these products that are for sale, in any order.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn products_for_sale(&self, ids: &[ProductId]) -> Result<Vec<Product>, StoreError> {
        self.products.find_all(ids, false).await
    }

    /// The numbers by which searches name these products; see [`ports::ProductRepository::numbers`].
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn product_numbers(&self, ids: &[ProductId]) -> Result<HashMap<ProductId, i32>, StoreError> {
        self.products.numbers(ids).await
    }

    /// The latest reviews, at most `limit` of them, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn latest_reviews(&self, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.reviews.latest(limit).await
    }

    /// The latest reviews of a part, at most `limit` of them, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn latest_reviews_of(&self, part: ProductId, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.reviews.latest_of(part, limit).await
    }

    /// The stars of all reviews of a part.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn rating_of(&self, part: ProductId) -> Result<RatingTotal, StoreError> {
        self.reviews.rating_of(part).await
    }

    /// At most `limit` reviews after a cursor, or from the first one, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn reviews_after(&self, place: Option<ReviewCursor>, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.reviews.after(place, limit).await
    }

    /// A version of all reviews: while it is unchanged, so is the list.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn state_of_reviews(&self) -> Result<String, StoreError> {
        self.reviews.state().await
    }
}
