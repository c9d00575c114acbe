//! Products as the client sees them, and as rows of a file.

use domain::{Product, Text};
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::money::Dollars;
use crate::wire::words::CategoryName;

/// A product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub(crate) struct ProductView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// Where its picture can be fetched.
    img: String,
    category: CategoryName,
    name: String,
    description: String,
    /// The maker's number, if it has one.
    #[schema(required)]
    part_number: Option<String>,
    /// The smallest quantity that may be ordered: never below 50.
    min_order: u32,
    /// Units in stock.
    available_qty: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    price: Dollars,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Product> for ProductView {
    fn from(product: Product) -> Self {
        Self {
            id: product.id.to_string(),
            img: product.img.to_string(),
            category: CategoryName(product.category),
            name: product.name.into_string(),
            description: product.description.into_string(),
            part_number: product.part_number.map(Text::into_string),
            min_order: product.min_order.get(),
            available_qty: product.available.get(),
            price: Dollars(product.price.money()),
            created_at: product.created_at.to_string(),
        }
    }
}

impl ProductView {
    /// As a row of a CSV file.
    pub(super) fn cells(self) -> Vec<String> {
        vec![
            self.id,
            self.name,
            self.description,
            self.category.0.as_str().to_owned(),
            self.part_number.unwrap_or_default(),
            self.price.plain(),
            self.available_qty.to_string(),
            self.min_order.to_string(),
            self.img,
            self.created_at,
        ]
    }
}

pub(super) fn views(products: Vec<Product>) -> Vec<ProductView> {
    products.into_iter().map(Into::into).collect()
}
