//! Reading and editing one's own profile.

use domain::accounts::profile::ProfileEdit;
use domain::{AccountId, Caller, Permission, Profile};
use ports::Saved;

use crate::{Accounts, Failure};

impl Accounts {
    /// The caller's profile; `email`, if given, has to be the caller's own address.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it is another account's.
    pub async fn profile(&self, caller: &Caller, email: Option<&str>) -> Result<Option<Profile>, Failure> {
        caller.require_self(Permission::KeepProfile, email.unwrap_or(caller.email.as_str()))?;
        Ok(self.profiles.find(caller.account).await?)
    }

    /// Edits the caller's profile, and creates it if there is none; `email`, if given, has to be the caller's own
    /// address. Returns the account's id and what changed.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it is another account's.
    pub async fn edit_profile(
        &self,
        caller: &Caller,
        email: Option<&str>,
        edit: &ProfileEdit,
    ) -> Result<(AccountId, Saved), Failure> {
        caller.require_self(Permission::KeepProfile, email.unwrap_or(caller.email.as_str()))?;
        let saved = self.profiles.save(caller.account, edit, self.clock.now()).await?;
        Ok((caller.account, saved))
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;
    use domain::accounts::access::Denied;

    use super::*;
    use crate::testing::{accounts, caller};

    #[tokio::test]
    async fn no_role_reads_or_edits_another_accounts_profile() {
        for role in [Role::Customer, Role::Admin] {
            let read = accounts().profile(&caller(role), Some("other@example.com")).await;
            assert!(matches!(read, Err(Failure::Denied(Denied::Forbidden))));
            let edit = ProfileEdit::default();
            let edited = accounts().edit_profile(&caller(role), Some("other@example.com"), &edit).await;
            assert!(matches!(edited, Err(Failure::Denied(Denied::Forbidden))));
        }
    }
}
