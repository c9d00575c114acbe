//! Who has an account.

use domain::accounts::access::Denied;
use domain::{Caller, Permission};
use ports::{AccountPage, AccountQuery, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why accounts were not listed.
#[derive(Debug, Error)]
pub enum ListAccountsError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The living accounts that match.
    ///
    /// # Errors
    /// [`ListAccountsError`].
    pub async fn list_accounts(&self, caller: &Caller, query: &AccountQuery) -> Result<AccountPage, ListAccountsError> {
        caller.require(Permission::ListAccounts)?;
        Ok(self.accounts.list(query).await?)
    }
}
