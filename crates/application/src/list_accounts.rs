//! Who has an account.

use domain::access::Denied;
use domain::{Account, Caller, Permission};
use ports::StoreError;
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
    /// Every living account, oldest first.
    ///
    /// # Errors
    /// [`ListAccountsError`].
    pub async fn list_accounts(&self, caller: &Caller) -> Result<Vec<Account>, ListAccountsError> {
        caller.ask(Permission::ListAccounts)?;
        Ok(self.accounts.all().await?)
    }
}
