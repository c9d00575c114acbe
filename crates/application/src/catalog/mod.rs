//! Products, stock, reviews and pictures.

pub(crate) mod add_product;
pub(crate) mod archive_product;
pub(crate) mod browse_products;
pub(crate) mod correct_stock;
pub(crate) mod edit_product;
pub(crate) mod fitments;
pub(crate) mod import_products;
pub(crate) mod part_pages;
pub(crate) mod parts;
pub(crate) mod restock_product;
pub(crate) mod reviews;
pub(crate) mod search_index;
pub(crate) mod set_pictures;
pub(crate) mod upload_picture;

use std::sync::Arc;
use std::time::Duration;

use ports::{
    AccountRepository, AuditTrail, CatalogSearch, Clock, FitmentRepository, Ids, ImageHost, PartPages, PartRepository,
    ProductRepository, ReviewRepository,
};

use crate::Ports;

/// Products, their stock, pictures and reviews.
#[derive(Clone)]
pub struct Catalog {
    accounts: Arc<dyn AccountRepository>,
    audit_trail: Arc<dyn AuditTrail>,
    clock: Arc<dyn Clock>,
    fitments: Arc<dyn FitmentRepository>,
    ids: Arc<dyn Ids>,
    images: Arc<dyn ImageHost>,
    part_pages: Arc<dyn PartPages>,
    parts: Arc<dyn PartRepository>,
    products: Arc<dyn ProductRepository>,
    reviews: Arc<dyn ReviewRepository>,
    search: Arc<dyn CatalogSearch>,
    /// How long an account without a paid order waits between two reviews; `None` for no limit.
    review_pause: Option<Duration>,
}

impl Catalog {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            accounts: Arc::clone(&ports.accounts),
            audit_trail: Arc::clone(&ports.audit_trail),
            clock: Arc::clone(&ports.clock),
            fitments: Arc::clone(&ports.fitments),
            ids: Arc::clone(&ports.ids),
            images: Arc::clone(&ports.images),
            part_pages: Arc::clone(&ports.part_pages),
            parts: Arc::clone(&ports.parts),
            products: Arc::clone(&ports.products),
            reviews: Arc::clone(&ports.reviews),
            search: Arc::clone(&ports.search),
            review_pause: ports.review_pause,
        }
    }
}
