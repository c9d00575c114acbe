//! Listing accounts.

use domain::accounts::access::Denied;
use domain::{Caller, Permission};
use ports::{AccountPage, AccountQuery, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why accounts were not listed.
#[derive(Debug, Error)]
pub enum ListAccountsError {
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The accounts that match, without removed ones.
    ///
    /// # Errors
    /// [`ListAccountsError`].
    pub async fn list_accounts(&self, caller: &Caller, query: &AccountQuery) -> Result<AccountPage, ListAccountsError> {
        caller.require(Permission::ListAccounts)?;
        Ok(self.accounts.list(query).await?)
    }
}
