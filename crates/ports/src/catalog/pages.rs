//! The addresses of parts on the pages that everybody may read.

use async_trait::async_trait;
use domain::catalog::slug::part_slug;
use domain::{Gtin, PartKey, ProductId, Text, Timestamp, VehicleNo};

use crate::StoreError;

/// A part as it is addressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPart {
    /// Its id.
    pub id: ProductId,
    /// The shop's own number of it. Later parts have higher ones.
    pub no: i32,
    /// Its name.
    pub name: Text<200>,
    /// Whose part it is.
    pub brand: Option<Text<60>>,
    /// The maker's number.
    pub part_number: Option<Text<60>>,
    /// When what is said of it last changed. Orders change nothing of that.
    pub changed_at: Timestamp,
    /// Whether it is not for sale any more.
    pub is_archived: bool,
}

impl ListedPart {
    /// The last part of its page's address.
    #[must_use]
    pub fn slug(&self) -> String {
        let text = |text: &Option<Text<60>>| text.as_ref().map(|text| text.as_str().to_owned());
        part_slug(text(&self.brand).as_deref(), text(&self.part_number).as_deref(), self.name.as_str(), self.no)
    }
}

/// Parts whose numbers follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartsBlock {
    /// Which block it is: the first one is 0.
    pub nth: i32,
    /// When one of its parts last changed.
    pub changed_at: Timestamp,
}

/// Where parts are found by their addresses, and all of them are listed.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PartPages: Send + Sync {
    /// Those of these parts that there are, for sale or archived, in any order.
    async fn listed(&self, ids: &[ProductId]) -> Result<Vec<ListedPart>, StoreError>;

    /// The part with this number of the shop's own, for sale or archived.
    async fn listed_by_no(&self, no: i32) -> Result<Option<ListedPart>, StoreError>;

    /// The parts of these brands that have one of these numbers as their own, for sale or archived.
    async fn listed_by_number(&self, brands: &[i32], numbers: &[PartKey]) -> Result<Vec<ListedPart>, StoreError>;

    /// At most `limit` parts for sale by their numbers: after one, and up to another if it is given.
    async fn listed_after(&self, after: i32, up_to: Option<i32>, limit: u32) -> Result<Vec<ListedPart>, StoreError>;

    /// The blocks of so many numbers each that have parts for sale. Reads every part.
    async fn blocks(&self, size: i32) -> Result<Vec<PartsBlock>, StoreError>;

    /// Those of these vehicles of which somebody says that a part for sale fits them; parts that fit every vehicle do not count.
    async fn vehicles_with_parts(&self, vehicles: &[VehicleNo]) -> Result<Vec<VehicleNo>, StoreError>;

    /// The GTINs of these parts.
    async fn gtins(&self, ids: &[ProductId]) -> Result<Vec<(ProductId, Gtin)>, StoreError>;
}
