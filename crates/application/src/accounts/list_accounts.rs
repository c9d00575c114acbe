//! Listing accounts.

use domain::{AccountId, Caller, Permission};
use ports::{AccountQuery, AccountTotals, Page};

use crate::{Accounts, Failure};

impl Accounts {
    /// The accounts that match, without removed ones.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn list_accounts(
        &self,
        caller: &Caller,
        query: &AccountQuery,
    ) -> Result<Page<AccountTotals, AccountId>, Failure> {
        caller.require(Permission::ListAccounts)?;
        Ok(self.accounts.list(query).await?)
    }
}
