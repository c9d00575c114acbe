//! Reading whether an account is an admin.

use domain::{Caller, Email, Permission, Role};

use crate::{Accounts, Failure};

impl Accounts {
    /// Whether the account of an address is an admin; `false` if there is none, or it is removed.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it is another account's address.
    pub async fn is_admin(&self, caller: &Caller, email: &str) -> Result<bool, Failure> {
        caller.require_self(Permission::ReadRole, email)?;
        let Ok(email) = email.parse::<Email>() else { return Ok(false) };
        let found = self.accounts.by_email(&email).await?;
        Ok(found.is_some_and(|found| !found.removed && found.account.role == Role::Admin))
    }
}
