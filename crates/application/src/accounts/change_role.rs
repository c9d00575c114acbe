//! Granting and revoking the admin role.

use domain::{Caller, Email, Permission, Role};
use ports::{RoleChange, RoleGrant};
use thiserror::Error;

use crate::{Accounts, Failure};

/// Why a role was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ChangeRoleRefused {
    /// There is no account with that address, or it is removed.
    #[error("no account has that address")]
    Unknown,
    /// It would leave the shop without an admin.
    #[error("the last admin stays one")]
    LastAdmin,
    /// The account's address is unproved.
    #[error("the address is not proved")]
    Unproved,
}

impl Accounts {
    /// Sets the role of an account. Returns whether this call changed it; `false` if the account already had the role.
    ///
    /// # Errors
    /// [`ChangeRoleRefused`].
    pub async fn change_role(
        &self,
        caller: &Caller,
        email: &str,
        role: Role,
    ) -> Result<bool, Failure<ChangeRoleRefused>> {
        caller.require(Permission::ManageAccounts)?;
        let email = email.parse::<Email>().map_err(|_| Failure::Refused(ChangeRoleRefused::Unknown))?;
        let grant = RoleGrant { role, needs_proof: self.roles_need_proof, at: self.clock.now() };
        match self.accounts.set_role(&email, grant).await? {
            RoleChange::Changed => Ok(true),
            RoleChange::Same => Ok(false),
            RoleChange::Unknown => Err(Failure::Refused(ChangeRoleRefused::Unknown)),
            RoleChange::LastAdmin => Err(Failure::Refused(ChangeRoleRefused::LastAdmin)),
            RoleChange::Unproved => Err(Failure::Refused(ChangeRoleRefused::Unproved)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{accounts, caller};
    use domain::accounts::access::Denied;

    #[tokio::test]
    async fn a_customer_makes_no_account_an_admin_not_even_their_own() {
        for address in ["customer@example.com", "other@example.com", "no address"] {
            let refused = accounts().change_role(&caller(Role::Customer), address, Role::Admin).await;
            assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{address}");
        }
    }

    #[tokio::test]
    async fn a_string_that_is_no_address_has_no_account() {
        let refused = accounts().change_role(&caller(Role::Admin), "no address", Role::Admin).await;
        assert!(matches!(refused, Err(Failure::Refused(ChangeRoleRefused::Unknown))));
    }
}
