//! Parts by many numbers at once.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{AskedNumber, PartKey, ProductId, Via};

use crate::StoreError;

/// How many products one number leads to at most.
pub const CHOICES_MAX: usize = 10;
/// How many numbers that are close to another one are named.
pub const CLOSE_MAX: usize = 3;

/// A product that a number leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberMatch {
    /// The product.
    pub product: ProductId,
    /// How well the number matches: 1 its own, 2 GTIN, 3 of a part that it replaces, 4 another maker's.
    pub tier: u8,
    /// Why it was found, unless by its own number.
    pub via: Option<Via>,
    /// Whether it is not for sale any more.
    pub is_archived: bool,
}

impl NumberMatch {
    /// Of the products for sale those that match best.
    pub fn best(matches: &[Self]) -> impl Iterator<Item = &Self> {
        let for_sale = || matches.iter().filter(|found| !found.is_archived);
        let tier = for_sale().map(|found| found.tier).min();
        for_sale().filter(move |found| Some(found.tier) == tier)
    }
}

/// Finds the parts of whole orders. However many numbers there are, each call is as many statements as for one.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait OrderedParts: Send + Sync {
    /// The products that each of these numbers leads to, in their order: at most [`CHOICES_MAX`] each, those for sale first, best
    /// first.
    async fn by_numbers(&self, asked: &[AskedNumber]) -> Result<Vec<Vec<NumberMatch>>, StoreError>;

    /// The products for sale whose numbers are closest to each of these, in their order: at most [`CLOSE_MAX`] each, closest first.
    async fn close_to(&self, keys: &[PartKey]) -> Result<Vec<Vec<ProductId>>, StoreError>;

    /// The parts for sale that archived ones were replaced by, through at most eight others.
    async fn successors(&self, products: &[ProductId]) -> Result<HashMap<ProductId, ProductId>, StoreError>;
}
