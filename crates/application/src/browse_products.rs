//! Looking around the shop.

use domain::{Product, ProductId, Review};
use ports::{ProductPage, ProductQuery, StoreError};

use crate::Shop;

impl Shop {
    /// Products for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn browse_products(&self, query: &ProductQuery) -> Result<ProductPage, StoreError> {
        self.products.list(query).await
    }

    /// One product that is for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn product(&self, id: ProductId) -> Result<Option<Product>, StoreError> {
        self.products.find(id).await
    }

    /// The latest reviews, at most `limit` of them or all, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn browse_reviews(&self, limit: Option<u32>) -> Result<Vec<Review>, StoreError> {
        self.reviews.latest(limit).await
    }
}
