//! Removing an account.

use domain::{Caller, Email, Permission};
use ports::Removal;
use thiserror::Error;

use crate::{Accounts, Failure};

/// Why no account was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RemoveAccountRefused {
    /// There is no account with that address, or it is removed already.
    #[error("no account has that address")]
    Unknown,
    /// The account is the caller's own.
    #[error("an admin cannot remove themselves")]
    Oneself,
    /// It would leave the shop without an admin.
    #[error("the last admin stays")]
    LastAdmin,
}

impl Accounts {
    /// Removes an account: its sessions end and it can no longer be signed in to; its orders stay.
    ///
    /// # Errors
    /// [`RemoveAccountRefused`].
    pub async fn remove_account(&self, caller: &Caller, email: &str) -> Result<(), Failure<RemoveAccountRefused>> {
        caller.require(Permission::ManageAccounts)?;
        let email = email.parse::<Email>().map_err(|_| Failure::Refused(RemoveAccountRefused::Unknown))?;
        if email == caller.email {
            return Err(Failure::Refused(RemoveAccountRefused::Oneself));
        }
        match self.accounts.remove(&email, self.clock.now()).await? {
            Removal::Removed => Ok(()),
            Removal::Unknown => Err(Failure::Refused(RemoveAccountRefused::Unknown)),
            Removal::LastAdmin => Err(Failure::Refused(RemoveAccountRefused::LastAdmin)),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{accounts, caller};
    use domain::accounts::access::Denied;

    #[tokio::test]
    async fn an_admin_cannot_remove_their_own_account() {
        let admin = caller(Role::Admin);
        let refused = accounts().remove_account(&admin, "Customer@Example.com").await;
        assert!(matches!(refused, Err(Failure::Refused(RemoveAccountRefused::Oneself))));
    }

    #[tokio::test]
    async fn a_customer_cannot_remove_an_account() {
        let refused = accounts().remove_account(&caller(Role::Customer), "other@example.com").await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
