//! Brands, part types, synonyms and part numbers.

use async_trait::async_trait;
use domain::{Category, PartNumber, PartRefused, ProductId, Text};

use crate::{StoreError, WriteError};

/// A brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    /// Its id.
    pub id: i32,
    /// Its name.
    pub name: Text<60>,
}

/// What a part can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartType {
    /// Its id.
    pub id: i32,
    /// Its name.
    pub name: Text<80>,
    /// The category to which such parts belong.
    pub category: Category,
}

/// A word that may mean something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synonym {
    /// Its id.
    pub id: i32,
    /// What people type.
    pub word: Text<60>,
    /// What they may mean.
    pub means: Text<60>,
}

/// Why an entry was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryRefused {
    /// There is no such entry.
    Unknown,
    /// Another one has this name.
    NameTaken,
    /// Products still use it: so many.
    InUse(u64),
    /// A word means itself.
    Itself,
}

/// What the shop knows about parts. Names are compared ignoring case.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PartRepository: Send + Sync {
    /// All brands, by name.
    async fn brands(&self) -> Result<Vec<Brand>, StoreError>;

    /// Adds a brand and returns its id; that of the one that has the name, if there is one.
    async fn add_brand(&self, name: &Text<60>) -> Result<i32, StoreError>;

    /// Renames a brand.
    async fn rename_brand(&self, id: i32, name: &Text<60>) -> Result<(), WriteError<EntryRefused>>;

    /// Removes a brand that nothing uses.
    async fn remove_brand(&self, id: i32) -> Result<(), WriteError<EntryRefused>>;

    /// All part types, by name.
    async fn part_types(&self) -> Result<Vec<PartType>, StoreError>;

    /// Adds a part type and returns its id.
    async fn add_part_type(&self, name: &Text<80>, category: Category) -> Result<i32, WriteError<EntryRefused>>;

    /// Changes a part type.
    async fn edit_part_type(&self, edited: &PartType) -> Result<(), WriteError<EntryRefused>>;

    /// Removes a part type that nothing uses.
    async fn remove_part_type(&self, id: i32) -> Result<(), WriteError<EntryRefused>>;

    /// All synonyms, by word.
    async fn synonyms(&self) -> Result<Vec<Synonym>, StoreError>;

    /// Adds a synonym and returns its id; that of the same one, if there is one.
    async fn add_synonym(&self, word: &Text<60>, means: &Text<60>) -> Result<i32, WriteError<EntryRefused>>;

    /// Changes a synonym.
    async fn edit_synonym(&self, edited: &Synonym) -> Result<(), WriteError<EntryRefused>>;

    /// Removes a synonym.
    async fn remove_synonym(&self, id: i32) -> Result<(), WriteError<EntryRefused>>;

    /// The numbers of a product, by kind; `None` if it is not for sale.
    async fn numbers(&self, id: ProductId) -> Result<Option<Vec<PartNumber>>, StoreError>;

    /// Replaces the numbers of a product that is for sale; its own stays if none is given. `None` if there is no such
    /// product. Products of the same brand under a superseded number are replaced by this one from now on.
    async fn set_numbers(&self, id: ProductId, numbers: &[PartNumber]) -> Result<Option<()>, WriteError<PartRefused>>;

    /// The part for sale that an archived one was replaced by, through at most eight others.
    async fn successor(&self, id: ProductId) -> Result<Option<ProductId>, StoreError>;
}
