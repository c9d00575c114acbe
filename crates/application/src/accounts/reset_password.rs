//! Setting another password through an e-mailed link.

use domain::{ClientNetwork, Email, Password, WeakPassword};
use ports::{AccountToken, TokenPurpose};
use thiserror::Error;

use crate::{AccountLinks, Failure};

/// Why the password was not changed.
#[derive(Debug, Error)]
pub enum ResetPasswordRefused {
    /// The link was used, has expired, or is not valid; which of these is not revealed.
    #[error("the link has been used or is too old")]
    LinkGone,
    /// The password is its owner's name or e-mail address.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
}

impl AccountLinks {
    /// Sets another password for the account that a link was sent for, and ends all its sessions. Returns its address.
    ///
    /// # Errors
    /// [`ResetPasswordRefused`]; the password is unchanged.
    pub async fn reset_password(
        &self,
        token: &AccountToken,
        password: Password,
        from: ClientNetwork,
    ) -> Result<Email, Failure<ResetPasswordRefused>> {
        let hash = self.account_tokens.hash(token);
        // Checked first, so that an invalid link does not cost a password hash; the store below decides between two
        // concurrent uses of a link.
        let account = self.account_token_store.account_of(&hash, TokenPurpose::Reset, self.clock.now()).await?;
        let account = account.ok_or(Failure::Refused(ResetPasswordRefused::LinkGone))?;
        let password = password.of(account.display_name.as_str(), &account.email);
        let password = password.map_err(|weak| Failure::Refused(weak.into()))?;
        let password = self.passwords.hash(&password, from).await?;
        self.account_token_store
            .reset_password(&hash, &password, self.clock.now())
            .await?
            .ok_or(Failure::Refused(ResetPasswordRefused::LinkGone))
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use ports::{MockAccountTokenRepository, MockAccountTokens, MockPasswordHasher, PasswordHash, SecretHash};

    use super::*;
    use crate::testing::{account_links, credentials};

    fn service_with(store: MockAccountTokenRepository, passwords: MockPasswordHasher) -> AccountLinks {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_hash().withf(|token| token.expose() == "token").returning(|_| SecretHash([7; 32]));
        AccountLinks {
            account_tokens: Arc::new(tokens),
            account_token_store: Arc::new(store),
            passwords: Arc::new(passwords),
            ..account_links()
        }
    }

    async fn reset_to(account_links: AccountLinks, password: &str) -> Result<Email, Failure<ResetPasswordRefused>> {
        let password = Password::choose(password).unwrap();
        account_links.reset_password(&AccountToken::new("token".into()), password, Ipv4Addr::LOCALHOST.into()).await
    }

    async fn reset(account_links: AccountLinks) -> Result<Email, Failure<ResetPasswordRefused>> {
        reset_to(account_links, "torque wrench").await
    }

    fn held_by_nia() -> MockAccountTokenRepository {
        let mut store = MockAccountTokenRepository::new();
        store.expect_account_of().returning(|_, _, _| Ok(Some(credentials("nia.jones@example.com").account)));
        store
    }

    fn hashing() -> MockPasswordHasher {
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_hash().times(1).returning(|_, _| Ok(PasswordHash::new("phc".into())));
        passwords
    }

    #[tokio::test]
    async fn an_invalid_link_costs_no_password_hash() {
        let mut store = MockAccountTokenRepository::new();
        store.expect_account_of().withf(|_, purpose, _| *purpose == TokenPurpose::Reset).returning(|_, _, _| Ok(None));
        let refused = reset(service_with(store, MockPasswordHasher::new())).await;
        assert!(matches!(refused, Err(Failure::Refused(ResetPasswordRefused::LinkGone))));
    }

    #[tokio::test]
    async fn the_owners_address_is_refused_as_a_password_and_the_link_stays_valid() {
        let refused = reset_to(service_with(held_by_nia(), MockPasswordHasher::new()), "Nia.Jones@example.com").await;
        assert!(matches!(refused, Err(Failure::Refused(ResetPasswordRefused::Weak(WeakPassword::Personal)))));
    }

    #[tokio::test]
    async fn a_link_that_was_used_in_the_meantime_is_refused() {
        let mut store = held_by_nia();
        store.expect_reset_password().returning(|_, _, _| Ok(None));
        assert!(matches!(
            reset(service_with(store, hashing())).await,
            Err(Failure::Refused(ResetPasswordRefused::LinkGone))
        ));
    }

    #[tokio::test]
    async fn a_valid_link_sets_the_hash_of_the_new_password() {
        let mut store = held_by_nia();
        store
            .expect_reset_password()
            .withf(|hash, password, _| hash.0 == [7; 32] && password.expose() == "phc")
            .returning(|_, _, _| Ok(Some("nia@example.com".parse().unwrap())));
        assert_eq!(reset(service_with(store, hashing())).await.unwrap().as_str(), "nia@example.com");
    }
}
