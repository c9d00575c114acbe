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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Rating, ReviewId, Text};
    use ports::{MockCatalogSearch, MockProductRepository, MockReviewRepository};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{catalog, now, product};

    fn numbered(no: u128) -> Product {
        Product { id: ProductId::new(Uuid::from_u128(no)), ..product() }
    }

    fn review(no: u128) -> Review {
        Review {
            id: ReviewId::new(Uuid::from_u128(no)),
            name: Text::new("Ada").unwrap(),
            author: None,
            part: None,
            is_verified: true,
            details: Text::new("Sturdy.").unwrap(),
            rating: Rating::new(5).unwrap(),
            created_at: now(),
        }
    }

    /// A store with the products 1 and 2 for sale.
    fn store() -> MockProductRepository {
        let mut products = MockProductRepository::new();
        products.expect_find_all().withf(|_, archived| !archived).returning(|ids, _| {
            let for_sale = [1, 2].map(numbered);
            Ok(for_sale.into_iter().filter(|product| ids.contains(&product.id)).collect())
        });
        products
    }

    #[tokio::test]
    async fn a_list_without_a_search_comes_from_the_store_alone() {
        let mut products = MockProductRepository::new();
        products
            .expect_list()
            .withf(|query| *query == ProductQuery::default())
            .times(1)
            .returning(|_| Ok(Page { items: vec![numbered(2), numbered(1)], total: 7, next: None }));
        let catalog = Catalog { products: Arc::new(products), ..catalog() };
        let page = catalog.browse_products(&ProductQuery::default()).await.unwrap();
        let items = [2, 1].map(|no| FoundProduct { product: numbered(no), via: None, fit: None });
        assert_eq!(page, Page { items: items.to_vec(), total: 7, next: None });
    }

    #[tokio::test]
    async fn a_search_shows_what_it_found_in_its_order_without_those_that_are_gone() {
        let via = || Some(Via::SameAs("Bosch B-12".to_owned()));
        let query = ProductQuery { search: Some("disc".to_owned()), ..ProductQuery::default() };
        let expected = query.clone();
        let mut search = MockCatalogSearch::new();
        search.expect_search().withf(move |query| *query == expected).times(1).returning(move |_| {
            let hit = |no, via| Hit { id: numbered(no).id, via };
            Ok(Page { items: vec![hit(2, via()), hit(9, None), hit(1, None)], total: 3, next: None })
        });
        let catalog = Catalog { products: Arc::new(store()), search: Arc::new(search), ..catalog() };
        let page = catalog.browse_products(&query).await.unwrap();
        let found = |no, via| FoundProduct { product: numbered(no), via, fit: None };
        assert_eq!(page, Page { items: vec![found(2, via()), found(1, None)], total: 3, next: None });
    }

    #[tokio::test]
    async fn products_are_read_as_the_store_has_them() {
        let [one, two, gone] = [1, 2, 9].map(|no| numbered(no).id);
        let mut products = store();
        products.expect_find().withf(move |id| *id == one).returning(|_| Ok(Some(numbered(1))));
        products.expect_numbers().withf(move |ids| ids == [one]).returning(move |_| Ok(HashMap::from([(one, 41)])));
        products.expect_state().returning(|| Ok("version 41".to_owned()));
        let catalog = Catalog { products: Arc::new(products), ..catalog() };
        assert_eq!(catalog.product(one).await.unwrap(), Some(numbered(1)));
        assert_eq!(catalog.products_for_sale(&[gone, two]).await.unwrap(), [numbered(2)]);
        assert_eq!(catalog.product_numbers(&[one]).await.unwrap(), HashMap::from([(one, 41)]));
        assert_eq!(catalog.state_of_products().await.unwrap(), "version 41");
    }

    #[tokio::test]
    async fn reviews_are_read_as_the_store_has_them() {
        let part = product().id;
        let total = RatingTotal { reviews: 3, stars: 13 };
        let cursor = ReviewCursor { at: now(), id: review(1).id };
        let mut reviews = MockReviewRepository::new();
        reviews.expect_latest().withf(|limit| *limit == 8).returning(|_| Ok(vec![review(1), review(2)]));
        reviews
            .expect_latest_of()
            .withf(move |of, limit| (*of, *limit) == (part, 5))
            .returning(|_, _| Ok(vec![review(2)]));
        reviews.expect_rating_of().withf(move |of| *of == part).returning(move |_| Ok(total));
        reviews
            .expect_after()
            .withf(move |place, limit| (*place, *limit) == (Some(cursor), 50))
            .returning(|_, _| Ok(vec![review(3)]));
        reviews.expect_state().returning(|| Ok("version 7".to_owned()));
        let catalog = Catalog { reviews: Arc::new(reviews), ..catalog() };
        assert_eq!(catalog.latest_reviews(8).await.unwrap(), [review(1), review(2)]);
        assert_eq!(catalog.latest_reviews_of(part, 5).await.unwrap(), [review(2)]);
        assert_eq!(catalog.rating_of(part).await.unwrap(), total);
        assert_eq!(catalog.reviews_after(Some(cursor), 50).await.unwrap(), [review(3)]);
        assert_eq!(catalog.state_of_reviews().await.unwrap(), "version 7");
    }
}
