//! Ladders and price lists.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::{AccountId, Email, Ladder, PriceListDetails, PriceListRefused, ProductId};

use crate::{StoreError, WriteError};

/// A price list's id.
pub type PriceListId = i32;

/// Changes with every rule of prices but the list prices of products. What was decided under one epoch is written only
/// under the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PriceEpoch(pub i64);

/// A price list, and how much is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceList {
    /// Its id.
    pub id: PriceListId,
    /// What an admin says of it.
    pub details: PriceListDetails,
    /// How many accounts have it.
    pub accounts: u64,
    /// How many prices it has.
    pub prices: u64,
}

/// All price lists and whose they are, without their prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceBook {
    /// As of when.
    pub epoch: PriceEpoch,
    /// The lists.
    pub lists: HashMap<PriceListId, PriceListDetails>,
    /// The lists of each account that has any.
    pub accounts: HashMap<AccountId, Vec<PriceListId>>,
}

/// The prices of one product on one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPrices {
    /// The list.
    pub list: PriceListId,
    /// The product.
    pub product: ProductId,
    /// Its prices.
    pub ladder: Ladder,
}

/// Ladders and price lists.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PriceRepository: Send + Sync {
    /// The current epoch.
    async fn epoch(&self) -> Result<PriceEpoch, StoreError>;

    /// The lists and whose they are, as of one moment.
    async fn book(&self) -> Result<PriceBook, StoreError>;

    /// What these lists say of these products, as of one moment, and the epoch of that moment.
    async fn prices(
        &self,
        lists: &[PriceListId],
        products: &[ProductId],
    ) -> Result<(PriceEpoch, Vec<ListedPrices>), StoreError>;

    /// Replaces the tiers of a product that is for sale; `false` if there is none.
    async fn set_tiers(&self, product: ProductId, ladder: &Ladder) -> Result<bool, StoreError>;

    /// All lists, by name.
    async fn lists(&self) -> Result<Vec<PriceList>, StoreError>;

    /// Adds a list without prices, and returns its id.
    async fn add_list(&self, details: &PriceListDetails) -> Result<PriceListId, WriteError<PriceListRefused>>;

    /// Replaces what is said of a list. One that gets a percentage loses its prices.
    async fn edit_list(&self, id: PriceListId, details: &PriceListDetails) -> Result<(), WriteError<PriceListRefused>>;

    /// Removes a list, its prices, and from accounts. `false` if there is none.
    async fn remove_list(&self, id: PriceListId) -> Result<bool, StoreError>;

    /// The prices of a list, by product; `None` if there is no such list.
    async fn prices_of(&self, id: PriceListId) -> Result<Option<Vec<ListedPrices>>, StoreError>;

    /// Replaces the prices of a list: all of them or none. `false` if there is no such list.
    ///
    /// # Errors
    /// The products among them that do not exist.
    async fn set_prices(
        &self,
        id: PriceListId,
        prices: &[(ProductId, Ladder)],
    ) -> Result<bool, WriteError<Vec<ProductId>>>;

    /// The e-mail addresses of the accounts that have a list, in alphabetical order; `None` if there is no such list.
    async fn accounts_of(&self, id: PriceListId) -> Result<Option<Vec<Email>>, StoreError>;

    /// Gives a list to exactly these accounts. `false` if there is no such list.
    ///
    /// # Errors
    /// The addresses of which there is no account.
    async fn set_accounts(&self, id: PriceListId, emails: &[Email]) -> Result<bool, WriteError<Vec<Email>>>;
}
