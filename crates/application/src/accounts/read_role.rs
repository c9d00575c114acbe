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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Account;
    use domain::accounts::access::Denied;
    use ports::{Credentials, MockAccountRepository};

    use super::*;
    use crate::Ports;
    use crate::testing::{accounts, caller, credentials, ports};

    fn holding(found: Option<(Role, bool)>) -> Accounts {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().times(1).returning(move |email| {
            let found = found.map(|(role, removed)| {
                let kept = credentials(email.as_str());
                Credentials { account: Account { role, ..kept.account }, removed, ..kept }
            });
            Ok(found)
        });
        Accounts::new(&Ports { accounts: Arc::new(accounts), ..ports() })
    }

    #[tokio::test]
    async fn an_admin_is_one_until_they_are_demoted_or_removed() {
        for (found, expected) in [
            (Some((Role::Admin, false)), true),
            (Some((Role::Admin, true)), false),
            (Some((Role::Customer, false)), false),
            (Some((Role::Customer, true)), false),
            (None, false),
        ] {
            let caller = caller(Role::Customer);
            assert_eq!(holding(found).is_admin(&caller, caller.email.as_str()).await.unwrap(), expected, "{found:?}");
        }
    }

    #[tokio::test]
    async fn a_customer_reads_nobody_elses_role() {
        let refused = accounts().is_admin(&caller(Role::Customer), "boss@example.com").await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }
}
