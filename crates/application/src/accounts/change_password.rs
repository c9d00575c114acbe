//! Changing the password while signed in.

use domain::{Caller, ClientNetwork, Password, WeakPassword};
use ports::{DeviceAccount, PasswordChange};
use thiserror::Error;

use crate::{Failure, LogIn, LogInRefused, SigningIn};

/// The new password, and proof that the caller may set it.
#[derive(Clone)]
pub struct ChangePassword {
    /// The current password as entered; any string.
    pub current: String,
    /// The new password.
    pub new: Password,
    /// The client's network.
    pub from: ClientNetwork,
    /// The device cookie, if the browser sent one.
    pub device_cookie: Option<String>,
}

/// Why the password was not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordRefused {
    /// The account has no password: it signs in with Google only, and gets its first password by e-mail.
    #[error("the account has no password")]
    NoPassword,
    /// The current password is wrong, or too many were.
    #[error(transparent)]
    Current(#[from] LogInRefused),
    /// The new password is too easy to guess.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
}

impl SigningIn {
    /// Changes the password of the caller's account and ends all its sessions except the current one. Wrong current
    /// passwords count as failed logins. An e-mail reports the change. Returns the account as devices are known to it from now on.
    ///
    /// # Errors
    /// [`ChangePasswordRefused`]; the password is unchanged.
    pub async fn change_password(
        &self,
        caller: &Caller,
        change: ChangePassword,
    ) -> Result<DeviceAccount, Failure<ChangePasswordRefused>> {
        let wrong = || Failure::Refused(LogInRefused::Wrong.into());
        let own = self.accounts.by_email(&caller.email).await?.filter(|own| own.account.id == caller.account);
        let own = own.ok_or_else(wrong)?;
        if own.password.is_none() {
            return Err(Failure::Refused(ChangePasswordRefused::NoPassword));
        }
        let new = change.new.of(own.account.display_name.as_str(), &own.account.email);
        let new = new.map_err(|weak| Failure::Refused(weak.into()))?;
        let attempt = LogIn {
            email: caller.email.clone(),
            password: change.current,
            from: change.from,
            device_cookie: change.device_cookie,
        };
        let proved = self.check_password(&attempt).await.map_err(|failure| failure.map(ChangePasswordRefused::from))?;
        let from = proved.password.ok_or(Failure::Refused(ChangePasswordRefused::NoPassword))?;
        let to = self.passwords.hash(&new, change.from).await?;
        let known = DeviceAccount { email: caller.email.clone(), password: Some(to.clone()) };
        let change = PasswordChange { account: caller.account, from, to, kept: caller.session, at: self.clock.now() };
        // The password was changed concurrently: the one that was entered is no longer right.
        if self.accounts.change_password(&change).await? { Ok(known) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use domain::{Account, Role};
    use ports::{
        Counted, Credentials, LoginAttemptId, MockAccountRepository, MockLoginAttempts, MockPasswordHasher,
        PasswordHash,
    };

    use super::*;
    use crate::testing::{caller, credentials, signing_in};

    fn own() -> Credentials {
        let found = credentials("customer@example.com");
        Credentials { account: Account { id: caller(Role::Customer).account, ..found.account }, ..found }
    }

    fn command(new: &str) -> ChangePassword {
        ChangePassword {
            current: "typed".into(),
            new: Password::choose(new).unwrap(),
            from: Ipv4Addr::LOCALHOST.into(),
            device_cookie: None,
        }
    }

    fn service_with(own: Credentials, right: bool, changed: Option<bool>) -> SigningIn {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(move |_| Ok(Some(own.clone())));
        if let Some(changed) = changed {
            accounts
                .expect_change_password()
                .times(1)
                .withf(|change| {
                    (change.from.expose(), change.to.expose()) == ("phc", "new")
                        && change.kept == caller(Role::Customer).session
                })
                .returning(move |_| Ok(changed));
        }
        let mut login_attempts = MockLoginAttempts::new();
        login_attempts.expect_retry_after().returning(|_| Ok(None));
        login_attempts.expect_count().returning(|_| Ok(Counted::Check(LoginAttemptId::new(1))));
        login_attempts.expect_forgive().returning(|_| Ok(()));
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_verify().returning(move |_, _, _| Ok(right));
        passwords.expect_hash().returning(|_, _| Ok(PasswordHash::new("new".into())));
        SigningIn {
            accounts: Arc::new(accounts),
            login_attempts: Arc::new(login_attempts),
            passwords: Arc::new(passwords),
            ..signing_in()
        }
    }

    #[tokio::test]
    async fn the_right_current_password_and_a_valid_new_one_change_it() {
        let signing_in = service_with(own(), true, Some(true));
        assert!(signing_in.change_password(&caller(Role::Customer), command("torque wrench")).await.is_ok());
    }

    #[tokio::test]
    async fn a_wrong_password_changes_nothing() {
        let refused =
            service_with(own(), false, None).change_password(&caller(Role::Customer), command("torque wrench")).await;
        assert!(matches!(refused, Err(Failure::Refused(ChangePasswordRefused::Current(LogInRefused::Wrong)))));
    }

    #[tokio::test]
    async fn of_two_concurrent_changes_the_second_is_refused() {
        let signing_in = service_with(own(), true, Some(false));
        let refused = signing_in.change_password(&caller(Role::Customer), command("torque wrench")).await;
        assert!(matches!(refused, Err(Failure::Refused(ChangePasswordRefused::Current(LogInRefused::Wrong)))));
    }

    #[tokio::test]
    async fn the_owners_address_and_an_account_without_a_password_are_refused() {
        let refused =
            service_with(own(), true, None).change_password(&caller(Role::Customer), command("customer1")).await;
        assert!(matches!(refused, Err(Failure::Refused(ChangePasswordRefused::Weak(WeakPassword::Personal)))));
        let by_google = Credentials { password: None, ..own() };
        let refused = service_with(by_google, true, None)
            .change_password(&caller(Role::Customer), command("torque wrench"))
            .await;
        assert!(matches!(refused, Err(Failure::Refused(ChangePasswordRefused::NoPassword))));
    }
}
