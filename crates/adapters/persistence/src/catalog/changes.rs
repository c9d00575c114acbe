//! What changed in the catalogue.

use std::sync::Arc;
use std::time::Instant;

use domain::{Product, ProductId};
use ports::{CatalogChange, CatalogChanges};

use crate::Database;
use crate::platform::changes::{ChangedRows, Changes, Channel};

impl CatalogChanges for Changes {
    fn is_pending(&self) -> bool {
        self.is_pending(Channel::Products) || self.is_pending(Channel::Reviews)
    }

    fn is_current(&self) -> bool {
        self.is_current_at(Instant::now())
    }

    fn take(&self) -> CatalogChange {
        let products = self.take(Channel::Products);
        let reviews = self.take(Channel::Reviews);
        CatalogChange {
            everything: products.all,
            products: products.ids.into_iter().map(ProductId::new).collect(),
            reviews: reviews != ChangedRows::default(),
        }
    }

    fn put_back(&self, change: CatalogChange) {
        let ids = change.products.into_iter().map(ProductId::uuid).collect();
        self.note(Channel::Products, ChangedRows { all: change.everything, ids });
        self.note(Channel::Reviews, ChangedRows { all: change.reviews, ..ChangedRows::default() });
    }
}

impl Database {
    /// What changed in the catalogue; other instances' changes only while this one listens ([`Self::listen`]).
    #[must_use]
    pub fn catalog_changes(&self) -> Arc<dyn CatalogChanges> {
        self.changes()
    }

    /// Notes that a product was changed, before whoever changed it hears of it.
    pub(crate) fn note_product(&self, id: ProductId) {
        self.changes().note(Channel::Products, id.uuid());
    }

    pub(crate) fn note_products(&self, products: &[Product]) {
        let ids = products.iter().map(|product| product.id.uuid()).collect();
        self.changes().note(Channel::Products, ChangedRows { all: false, ids });
    }

    pub(crate) fn note_reviews(&self) {
        self.changes().note(Channel::Reviews, ChangedRows::everything());
    }
}
