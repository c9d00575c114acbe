//! A product as the snapshot holds it: its JSON, and what lists are sorted and filtered by.

use std::cmp::Ordering;
use std::sync::Arc;

use application::FoundProduct;
use domain::{Category, Product, Timestamp, UnitPrice, fold};
use ports::{ProductCursor, ProductKey, ProductSort, SortOrder};
use serde_json::Error;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::names::{Facts, Names};
use crate::catalog::products::attributes::{ProductView, images};

/// What a list is sorted by; each list is read in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Added,
    Price,
    Name,
}

impl Order {
    pub(super) const ALL: [Self; 3] = [Self::Added, Self::Price, Self::Name];

    /// The order of a list on the wire, and whether it runs backwards.
    pub(super) const fn of(sort: ProductSort) -> (Self, bool) {
        match sort {
            ProductSort::Newest => (Self::Added, true),
            ProductSort::Price(SortOrder::Ascending) => (Self::Price, false),
            ProductSort::Price(SortOrder::Descending) => (Self::Price, true),
            ProductSort::Name => (Self::Name, false),
        }
    }
}

/// A product that is for sale.
pub(crate) struct Entry {
    pub(super) id: Uuid,
    /// The number by which searches name it; 0 outside of a snapshot.
    pub(super) no: i32,
    /// As it is sent by itself.
    pub(crate) json: Box<[u8]>,
    /// Up to where lists have it too; the rest is its further pictures.
    listed: u32,
    /// The start of the JSON's SHA-256: two entries with the same digest are the same product in the same state.
    pub(crate) digest: [u8; 16],
    added: Timestamp,
    pub(super) price: UnitPrice,
    name_key: Box<str>,
    pub(super) category: Category,
    /// Whether its stock covers its minimum order.
    pub(super) in_stock: bool,
    /// What it has in common with others; nothing outside of a snapshot.
    pub(super) facts: Facts,
}

impl Entry {
    /// A product of a snapshot with these names, and its number.
    ///
    /// # Errors
    /// If the product cannot be written as JSON, which is a defect.
    pub(super) fn new(product: Product, no: i32, names: &mut Arc<Names>) -> Result<Self, Error> {
        let facts = Names::facts(names, &product.details.facts);
        Ok(Self { no, facts, ..Self::unnamed(product)? })
    }

    /// # Errors
    /// As [`Self::new`].
    pub(super) fn unnamed(product: Product) -> Result<Self, Error> {
        Self::found(FoundProduct { product, via: None, fit: None })
    }

    /// # Errors
    /// As [`Self::new`].
    pub(super) fn found(found: FoundProduct) -> Result<Self, Error> {
        let product = &found.product;
        let (id, added, details) = (product.id.uuid(), product.created_at, &product.details);
        let (price, category) = (details.price, details.category);
        // Copied, because a text that grew and was cut to its length leaves a hole in the memory behind it.
        let name_key = Box::from(fold(details.name.as_str()).as_str());
        let in_stock = details.available.can_fill(details.min_order);
        let images = images(details);
        let mut json = serde_json::to_vec(&ProductView::from(found))?;
        let listed = json.len().saturating_sub(1);
        if let Some(images) = images {
            json.truncate(listed);
            json.extend_from_slice(b",\"images\":");
            serde_json::to_writer(&mut json, &images)?;
            json.push(b'}');
        }
        let json: Box<[u8]> = Box::from(json.as_slice());
        let listed = u32::try_from(listed).unwrap_or(u32::MAX);
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(&json)[..16]);
        let facts = Facts::default();
        Ok(Self { id, no: 0, json, listed, digest, added, price, name_key, category, in_stock, facts })
    }

    /// As lists have it, in two pieces.
    pub(super) fn listed(&self) -> [&[u8]; 2] {
        [self.json.get(..self.listed as usize).unwrap_or_default(), b"}"]
    }

    /// By the value that a list is sorted by, and then by id.
    pub(super) fn compare(&self, other: &Self, order: Order) -> Ordering {
        let by_value = match order {
            Order::Added => self.added.cmp(&other.added),
            Order::Price => self.price.cmp(&other.price),
            Order::Name => self.name_key.cmp(&other.name_key),
        };
        by_value.then_with(|| self.id.cmp(&other.id))
    }

    /// The same with the place where a page ended; the cursor's key is that of the order.
    pub(super) fn compare_to(&self, cursor: &ProductCursor) -> Ordering {
        let by_value = match &cursor.key {
            ProductKey::Added(at) => self.added.cmp(at),
            ProductKey::Price(price) => self.price.cmp(price),
            ProductKey::Name(name) => self.name_key.as_ref().cmp(name.as_str()),
        };
        by_value.then_with(|| self.id.cmp(&cursor.id.uuid()))
    }

    /// The cursor of a page that ends with this product.
    pub(super) fn cursor(&self, order: Order) -> ProductCursor {
        let key = match order {
            Order::Added => ProductKey::Added(self.added),
            Order::Price => ProductKey::Price(self.price),
            Order::Name => ProductKey::Name(self.name_key.as_ref().to_owned()),
        };
        ProductCursor { key, id: domain::ProductId::new(self.id), rank: 0 }
    }
}
