//! Products, stock, reviews and pictures.

pub(crate) mod add_product;
pub(crate) mod archive_product;
pub(crate) mod browse_products;
pub(crate) mod correct_stock;
pub(crate) mod import_products;
pub(crate) mod restock_product;
pub(crate) mod reviews;
pub(crate) mod upload_picture;
