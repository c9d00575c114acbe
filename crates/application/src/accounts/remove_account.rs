//! Removing an account.

use domain::accounts::access::Denied;
use domain::{Caller, Email, Permission};
use ports::{Removal, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why no account was removed.
#[derive(Debug, Error)]
pub enum RemoveAccountError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// There is no account with that address, or it is removed already.
    #[error("nobody has that address")]
    Unknown,
    /// The account is the caller's own.
    #[error("nobody removes themselves")]
    Oneself,
    /// It would leave the shop without an admin.
    #[error("the last admin stays")]
    LastAdmin,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Removes an account: its sessions end and it can no longer be signed in to; its orders stay.
    ///
    /// # Errors
    /// [`RemoveAccountError`].
    pub async fn remove_account(&self, caller: &Caller, person: &str) -> Result<(), RemoveAccountError> {
        caller.require(Permission::ManageAccounts)?;
        let email = person.parse::<Email>().map_err(|_| RemoveAccountError::Unknown)?;
        if email == caller.email {
            return Err(RemoveAccountError::Oneself);
        }
        match self.accounts.remove(&email, self.clock.now()).await? {
            Removal::Removed => Ok(()),
            Removal::Unknown => Err(RemoveAccountError::Unknown),
            Removal::LastAdmin => Err(RemoveAccountError::LastAdmin),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{caller, shop};

    #[tokio::test]
    async fn an_admin_cannot_remove_their_own_account() {
        let admin = caller(Role::Admin);
        let refused = shop().remove_account(&admin, "Customer@Example.com").await;
        assert!(matches!(refused, Err(RemoveAccountError::Oneself)));
    }

    #[tokio::test]
    async fn a_customer_cannot_remove_an_account() {
        let refused = shop().remove_account(&caller(Role::Customer), "other@example.com").await;
        assert!(matches!(refused, Err(RemoveAccountError::Denied(Denied::Forbidden))));
    }
}
