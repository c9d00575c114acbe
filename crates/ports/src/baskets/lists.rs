//! Lists that accounts keep to order from.

use async_trait::async_trait;
use domain::{AccountId, BasketLine, ListId, Text, Timestamp};
use thiserror::Error;

use crate::{IdempotencyKey, StoreError, WriteError};

/// The account has [`domain::LISTS_MAX`] lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an account has at most {} lists", domain::LISTS_MAX)]
pub struct ListsFull;

/// A list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedList {
    /// Its id.
    pub id: ListId,
    /// What its owner calls it. Two may have the same name.
    pub name: Text<80>,
    /// Its lines, each product once.
    pub lines: Vec<BasketLine>,
    /// When it was changed last.
    pub changed_at: Timestamp,
}

/// A list without its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSummary {
    /// Its id.
    pub id: ListId,
    /// What its owner calls it.
    pub name: Text<80>,
    /// How many lines it has.
    pub lines: usize,
    /// When it was changed last.
    pub changed_at: Timestamp,
}

/// A list to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewList {
    /// The account whose it is.
    pub account: AccountId,
    /// The list.
    pub list: SavedList,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What is to be changed of a list; `None` stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListEdit {
    /// What it is called from now on.
    pub name: Option<Text<80>>,
    /// Its lines from now on.
    pub lines: Option<Vec<BasketLine>>,
}

/// The lists of accounts. Every call names the account: another's lists are never found.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ListRepository: Send + Sync {
    /// An account's lists, by name and then by age.
    async fn lists(&self, account: AccountId) -> Result<Vec<ListSummary>, StoreError>;

    /// One list of an account.
    async fn list(&self, account: AccountId, id: ListId) -> Result<Option<SavedList>, StoreError>;

    /// Adds a list, and returns its id. However many calls add at once, an account never has more than [`domain::LISTS_MAX`].
    /// Repeating the call with the same idempotency key changes nothing and returns the first id.
    async fn add_list(&self, new: &NewList) -> Result<ListId, WriteError<ListsFull>>;

    /// Changes a list. `Some(false)` if it is so already; `None` if the account has no such list.
    async fn edit_list(
        &self,
        account: AccountId,
        id: ListId,
        edit: &ListEdit,
        at: Timestamp,
    ) -> Result<Option<bool>, StoreError>;

    /// Removes a list. `false` if the account has no such list.
    async fn remove_list(&self, account: AccountId, id: ListId) -> Result<bool, StoreError>;
}
