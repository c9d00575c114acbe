//! Adding a product.

use domain::{
    Caller, Category, MinOrder, Permission, PictureUrl, Product, ProductId, Stock, Text, Timestamp, UnitPrice,
};
use ports::{IdempotencyKey, NewProduct};

use crate::{Catalog, Failure};

/// The data of a new product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductDraft {
    pub name: Text<200>,
    pub description: Text<5000>,
    /// The manufacturer's part number, if it has one.
    pub part_number: Option<Text<60>>,
    pub category: Category,
    pub img: PictureUrl,
    /// The price of one unit.
    pub price: UnitPrice,
    pub min_order: MinOrder,
    pub available: Stock,
}

impl ProductDraft {
    pub(crate) fn into_product(self, id: ProductId, created_at: Timestamp) -> Product {
        Product {
            id,
            name: self.name,
            description: self.description,
            part_number: self.part_number,
            category: self.category,
            img: self.img,
            price: self.price,
            min_order: self.min_order,
            available: self.available,
            created_at,
        }
    }
}

impl Catalog {
    /// Adds a product.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn add_product(
        &self,
        caller: &Caller,
        draft: ProductDraft,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ProductId, Failure> {
        caller.require(Permission::ManageProducts)?;
        let product = draft.into_product(ProductId::new(self.ids.fresh()), self.clock.now());
        Ok(self.products.add(&NewProduct { product, by: caller.actor(), idempotency_key }).await?)
    }
}
