//! Looking around the shop.

use domain::{Product, ProductId, Review};
use ports::{ProductPage, ProductQuery, ReviewPlace, StoreError};

use crate::Shop;

impl Shop {
    /// Products for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn browse_products(&self, query: &ProductQuery) -> Result<ProductPage, StoreError> {
        self.products.list(query).await
    }

    /// The state of all products: while it is the same, every list of them is the same.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn state_of_products(&self) -> Result<String, StoreError> {
        self.products.state().await
    }

    /// One product that is for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn product(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.products.find(id).await
    }

    /// The latest reviews, at most `limit` of them, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn latest_reviews(&self, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.reviews.latest(limit).await
    }

    /// At most `limit` of the reviews behind a place, or from the first on, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn reviews_after(&self, place: Option<ReviewPlace>, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.reviews.after(place, limit).await
    }

    /// The state of all reviews: while it is the same, the list of them is the same.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn state_of_reviews(&self) -> Result<String, StoreError> {
        self.reviews.state().await
    }
}
