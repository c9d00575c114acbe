//! Giving and taking the admin role.

use domain::accounts::access::Denied;
use domain::{Caller, Email, Permission, Role};
use ports::{RoleChange, RoleGrant, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why a role was not changed.
#[derive(Debug, Error)]
pub enum ChangeRoleError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Nobody has that address.
    #[error("nobody has that address")]
    Unknown,
    /// It would leave the shop without an admin.
    #[error("the last admin stays one")]
    LastAdmin,
    /// Nobody has proved that they read the mail of the address.
    #[error("the address is not proved")]
    Unproved,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Gives a person a role. Answers whether this call did it; `false` if they had it.
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
    async fn a_customer_makes_nobody_an_admin_not_even_themselves() {
        for person in ["customer@example.com", "other@example.com", "no address"] {
            let refused = shop().change_role(&caller(Role::Customer), person, Role::Admin).await;
            assert!(matches!(refused, Err(ChangeRoleError::Denied(Denied::Forbidden))), "{person}");
        }
    }

    #[tokio::test]
    async fn a_string_that_is_no_address_is_nobodys() {
        let refused = shop().change_role(&caller(Role::Admin), "no address", Role::Admin).await;
        assert!(matches!(refused, Err(ChangeRoleError::Unknown)));
    }
}
