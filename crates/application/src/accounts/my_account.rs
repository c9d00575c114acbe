//! Reading and editing one's own account.

use domain::{Account, Caller, Edit, PictureUrl, Text};
use thiserror::Error;

use crate::{Accounts, Failure};

/// The caller's account was removed in the meantime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the account is removed")]
pub struct AccountRemoved;

impl Accounts {
    /// The caller's own account.
    ///
    /// # Errors
    /// [`AccountRemoved`].
    pub async fn me(&self, caller: &Caller) -> Result<Account, Failure<AccountRemoved>> {
        self.accounts.find(caller.account).await?.ok_or(Failure::Refused(AccountRemoved))
    }

    /// Changes the caller's display name and picture; what is not given stays.
    ///
    /// # Errors
    /// [`AccountRemoved`].
    pub async fn edit_my_account(
        &self,
        caller: &Caller,
        display_name: Option<Text<120>>,
        photo_url: Edit<PictureUrl>,
    ) -> Result<Account, Failure<AccountRemoved>> {
        self.accounts.update(caller.account, display_name, photo_url).await?.ok_or(Failure::Refused(AccountRemoved))
    }
}
