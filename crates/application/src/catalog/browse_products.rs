//! Reading products and reviews.

use domain::{Product, ProductId, RatingTotal, Review};
use ports::{Page, ProductCursor, ProductQuery, ReviewCursor, StoreError};

use crate::Catalog;

impl Catalog {
    /// The products for sale that match.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn browse_products(&self, query: &ProductQuery) -> Result<Page<Product, ProductCursor>, StoreError> {
        self.products.list(query).await
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
        self.products.find_all(ids).await
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
