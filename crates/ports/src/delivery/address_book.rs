//! The addresses that customers keep.

use async_trait::async_trait;
use domain::{AccountId, AddressId, KeptAddress};
use thiserror::Error;

use crate::{IdempotencyKey, StoreError, WriteError};

/// The account keeps [`domain::ADDRESSES_MAX`] addresses already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an account keeps at most {} addresses", domain::ADDRESSES_MAX)]
pub struct AddressBookFull;

/// An address to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAddress {
    /// Whose it is.
    pub account: AccountId,
    /// The address.
    pub kept: KeptAddress,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// The addresses that customers keep. Every call names the account: another's addresses are never found.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait AddressBook: Send + Sync {
    /// An account's addresses: the default first, then those added last first.
    async fn list(&self, account: AccountId) -> Result<Vec<KeptAddress>, StoreError>;

    /// Adds an address and returns it as it is kept: the first one becomes the default, and a default replaces the one before.
    /// However many calls add at once, an account never has more than [`domain::ADDRESSES_MAX`]. Repeating the call with the
    /// same idempotency key changes nothing and returns the first address.
    async fn add(&self, new: &NewAddress) -> Result<KeptAddress, WriteError<AddressBookFull>>;

    /// Replaces all of an address but the time when it was added; a default replaces the one before. `None` if the account
    /// has no such address.
    async fn replace(&self, account: AccountId, kept: &KeptAddress) -> Result<Option<KeptAddress>, StoreError>;

    /// Removes an address. `false` if the account has no such address.
    async fn remove(&self, account: AccountId, id: AddressId) -> Result<bool, StoreError>;
}
