//! Reading and editing one's own profile.

use domain::accounts::access::Denied;
use domain::accounts::profile::ProfileEdit;
use domain::{AccountId, Caller, Permission, Profile};
use ports::{Saved, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why a profile was not returned or saved.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// It is another account's.
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The caller's profile; `person`, if given, has to be the caller's own address.
    ///
    /// # Errors
    /// [`ProfileError`].
    pub async fn profile(&self, caller: &Caller, person: Option<&str>) -> Result<Option<Profile>, ProfileError> {
        caller.require_self(Permission::KeepProfile, person.unwrap_or(caller.email.as_str()))?;
        Ok(self.profiles.find(caller.account).await?)
    }

    /// Edits the caller's profile, and creates it if there is none; `person`, if given, has to be the caller's own
    /// address. Returns the account's id and what changed.
    ///
    /// # Errors
    /// [`ProfileError`].
    pub async fn edit_profile(
        &self,
        caller: &Caller,
        person: Option<&str>,
        edit: &ProfileEdit,
    ) -> Result<(AccountId, Saved), ProfileError> {
        caller.require_self(Permission::KeepProfile, person.unwrap_or(caller.email.as_str()))?;
        let saved = self.profiles.save(caller.account, edit, self.clock.now()).await?;
        Ok((caller.account, saved))
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{caller, shop};

    #[tokio::test]
    async fn no_role_reads_or_edits_another_accounts_profile() {
        for role in [Role::Customer, Role::Admin] {
            let read = shop().profile(&caller(role), Some("other@example.com")).await;
            assert!(matches!(read, Err(ProfileError::Denied(Denied::Forbidden))));
            let edit = ProfileEdit::default();
            let edited = shop().edit_profile(&caller(role), Some("other@example.com"), &edit).await;
            assert!(matches!(edited, Err(ProfileError::Denied(Denied::Forbidden))));
        }
    }
}
