//! Reading whether an account is an admin.

use domain::accounts::access::Denied;
use domain::{Caller, Email, Permission, Role};
use ports::StoreError;
use thiserror::Error;

use crate::Shop;

/// Why a role was not returned.
#[derive(Debug, Error)]
pub enum ReadRoleError {
    /// It is another account's.
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Whether the account of an address is an admin; `false` if there is none, or it is removed.
    ///
    /// # Errors
    /// [`ReadRoleError`].
    pub async fn is_admin(&self, caller: &Caller, person: &str) -> Result<bool, ReadRoleError> {
        caller.require_self(Permission::ReadRole, person)?;
        let Ok(email) = person.parse::<Email>() else { return Ok(false) };
        let found = self.accounts.by_email(&email).await?;
        Ok(found.is_some_and(|found| !found.removed && found.account.role == Role::Admin))
    }
}
