//! Signing up with an e-mail address and a password.

use domain::{Account, AccountId, ClientNetwork, Email, EmailTaken, Password, Role, Text};
use ports::NewAccount;

use crate::{Failure, SignedIn, SigningIn};

/// The data of a new account.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// The display name.
    pub name: Text<120>,
    /// The e-mail address.
    pub email: Email,
    /// The chosen password.
    pub password: Password,
    /// The client's network.
    pub from: ClientNetwork,
}

impl SigningIn {
    /// Creates a customer's account and signs it in. An e-mail will ask to confirm the address.
    ///
    /// # Errors
    /// [`EmailTaken`]; no account was created, unless only opening the session failed.
    pub async fn sign_up(&self, command: SignUp) -> Result<SignedIn, Failure<EmailTaken>> {
        // Saves a password hash; the store below decides between two concurrent sign-ups.
        if self.accounts.by_email(&command.email).await?.is_some() {
            return Err(Failure::Refused(EmailTaken));
        }
        let account = Account {
            id: AccountId::new(self.ids.fresh()),
            email: command.email,
            display_name: command.name,
            photo_url: None,
            role: Role::Customer,
            created_at: self.clock.now(),
            email_verified_at: None,
            proved_at: None,
        };
        let password = Some(self.passwords.hash(&command.password, command.from).await?);
        let new = NewAccount { account, password };
        self.accounts.add(&new).await?;
        self.open_session(new.account, new.password).await?.ok_or(Failure::Refused(EmailTaken))
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use domain::Password;
    use ports::{MockAccountRepository, MockPasswordHasher, MockSessionRepository, MockSessionSecrets, PasswordHash};
    use ports::{SecretHash, SessionSecret};

    use super::*;
    use crate::testing::{credentials, signing_in};
    use ports::WriteError;

    fn command() -> SignUp {
        SignUp {
            name: Text::new("Nia").unwrap(),
            email: "nia@example.com".parse().unwrap(),
            password: Password::choose("torque wrench").unwrap(),
            from: Ipv4Addr::LOCALHOST.into(),
        }
    }

    #[tokio::test]
    async fn a_taken_address_is_refused_before_anything_is_hashed() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|_| Ok(Some(credentials("nia@example.com"))));
        let signing_in = SigningIn { accounts: Arc::new(accounts), ..signing_in() };
        assert!(matches!(signing_in.sign_up(command()).await, Err(Failure::Refused(EmailTaken))));
    }

    #[tokio::test]
    async fn of_two_concurrent_sign_ups_the_second_finds_the_address_taken() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|_| Ok(None));
        accounts.expect_add().returning(|_| Err(WriteError::Refused(EmailTaken)));
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_hash().returning(|_, _| Ok(PasswordHash::new("phc".into())));
        let signing_in = SigningIn { accounts: Arc::new(accounts), passwords: Arc::new(passwords), ..signing_in() };
        assert!(matches!(signing_in.sign_up(command()).await, Err(Failure::Refused(EmailTaken))));
    }

    #[tokio::test]
    async fn a_new_account_is_a_customer_and_signed_in() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|_| Ok(None));
        accounts
            .expect_add()
            .withf(|new| new.account.role == Role::Customer && new.account.email_verified_at.is_none())
            .returning(|_| Ok(()));
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_hash().returning(|_, _| Ok(PasswordHash::new("phc".into())));
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions.expect_open().withf(|session| session.secret == SecretHash([7; 32])).returning(|_| Ok(true));
        let signing_in = SigningIn {
            accounts: Arc::new(accounts),
            passwords: Arc::new(passwords),
            session_secrets: Arc::new(secrets),
            sessions: Arc::new(sessions),
            ..signing_in()
        };
        let signed_in = signing_in.sign_up(command()).await.unwrap();
        assert_eq!(signed_in.account.role, Role::Customer);
        assert_eq!(signed_in.secret.expose(), "secret");
    }
}
