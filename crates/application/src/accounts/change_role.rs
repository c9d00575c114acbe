//! Granting and revoking the admin role.

use domain::accounts::access::Denied;
use domain::{Caller, Email, Permission, Role};
use ports::{RoleChange, RoleGrant, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why a role was not changed.
#[derive(Debug, Error)]
pub enum ChangeRoleError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// There is no account with that address, or it is removed.
    #[error("nobody has that address")]
    Unknown,
    /// It would leave the shop without an admin.
    #[error("the last admin stays one")]
    LastAdmin,
    /// The account's address is unproved.
    #[error("the address is not proved")]
    Unproved,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Sets the role of an account. Returns whether this call changed it; `false` if the account already had the role.
    ///
    /// # Errors
    /// [`ChangeRoleError`].
    pub async fn change_role(&self, caller: &Caller, person: &str, role: Role) -> Result<bool, ChangeRoleError> {
        caller.require(Permission::ManageAccounts)?;
        let email = person.parse::<Email>().map_err(|_| ChangeRoleError::Unknown)?;
        let grant = RoleGrant { role, needs_proof: self.roles_need_proof, at: self.clock.now() };
        match self.accounts.set_role(&email, grant).await? {
            RoleChange::Changed => Ok(true),
            RoleChange::Same => Ok(false),
            RoleChange::Unknown => Err(ChangeRoleError::Unknown),
            RoleChange::LastAdmin => Err(ChangeRoleError::LastAdmin),
            RoleChange::Unproved => Err(ChangeRoleError::Unproved),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{caller, shop};

    #[tokio::test]
    async fn a_customer_makes_no_account_an_admin_not_even_their_own() {
        for person in ["customer@example.com", "other@example.com", "no address"] {
            let refused = shop().change_role(&caller(Role::Customer), person, Role::Admin).await;
            assert!(matches!(refused, Err(ChangeRoleError::Denied(Denied::Forbidden))), "{person}");
        }
    }

    #[tokio::test]
    async fn a_string_that_is_no_address_has_no_account() {
        let refused = shop().change_role(&caller(Role::Admin), "no address", Role::Admin).await;
        assert!(matches!(refused, Err(ChangeRoleError::Unknown)));
    }
}
