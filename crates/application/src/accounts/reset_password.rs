//! Choosing another password by a letter's link.

use domain::{ClientNetwork, Email, Password, WeakPassword};
use ports::{AccountToken, Busy, StoreError, TokenPurpose};
use thiserror::Error;

use crate::Shop;

/// Why the password is what it was.
#[derive(Debug, Error)]
pub enum ResetPasswordError {
    /// The link was used, is too old, or never was one of ours: nobody learns which.
    #[error("the link has been used or is too old")]
    Gone,
    /// The password is its owner's name or address.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
    /// Too many passwords are being hashed.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Gives the account that a link was sent for another password, and ends all its sessions. Answers its address.
    ///
    /// # Errors
    /// [`ResetPasswordError`]; the password is what it was then.
    pub async fn reset_password(
        &self,
        token: &AccountToken,
        password: Password,
        from: ClientNetwork,
    ) -> Result<Email, ResetPasswordError> {
        let hash = self.account_tokens.hash(token);
        // Saves the hashing, which made-up links must not cost; two uses of one link are told apart by the store below.
        let holder = self.account_token_store.holder(&hash, TokenPurpose::Reset, self.clock.now()).await?;
        let holder = holder.ok_or(ResetPasswordError::Gone)?;
        let password = password.of(holder.display_name.as_str(), &holder.email)?;
        let password = self.passwords.hash(&password, from).await?;
        self.account_token_store
            .reset_password(&hash, &password, self.clock.now())
            .await?
            .ok_or(ResetPasswordError::Gone)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use ports::{MockAccountTokenRepository, MockAccountTokens, MockPasswordHasher, PasswordHash, SecretHash};

    use super::*;
    use crate::testing::{credentials, shop};

    fn shop_with(store: MockAccountTokenRepository, passwords: MockPasswordHasher) -> Shop {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_hash().withf(|token| token.expose() == "token").returning(|_| SecretHash([7; 32]));
        Shop {
            account_tokens: Arc::new(tokens),
            account_token_store: Arc::new(store),
            passwords: Arc::new(passwords),
            ..shop()
        }
    }

    async fn reset_to(shop: Shop, password: &str) -> Result<Email, ResetPasswordError> {
        let password = Password::choose(password).unwrap();
        shop.reset_password(&AccountToken::new("token".into()), password, Ipv4Addr::LOCALHOST.into()).await
    }

    async fn reset(shop: Shop) -> Result<Email, ResetPasswordError> {
        reset_to(shop, "torque wrench").await
    }

    fn held_by_nia() -> MockAccountTokenRepository {
        let mut store = MockAccountTokenRepository::new();
        store.expect_holder().returning(|_, _, _| Ok(Some(credentials("nia.jones@example.com").account)));
        store
    }

    fn hashing() -> MockPasswordHasher {
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_hash().times(1).returning(|_, _| Ok(PasswordHash::new("phc".into())));
        passwords
    }

    #[tokio::test]
    async fn a_made_up_link_costs_no_hashing() {
        let mut store = MockAccountTokenRepository::new();
        store.expect_holder().withf(|_, purpose, _| *purpose == TokenPurpose::Reset).returning(|_, _, _| Ok(None));
        let refused = reset(shop_with(store, MockPasswordHasher::new())).await;
        assert!(matches!(refused, Err(ResetPasswordError::Gone)));
    }

    #[tokio::test]
    async fn ones_own_address_is_no_password_and_the_link_stays_good() {
        let refused = reset_to(shop_with(held_by_nia(), MockPasswordHasher::new()), "Nia.Jones@example.com").await;
        assert!(matches!(refused, Err(ResetPasswordError::Weak(WeakPassword::Personal))));
    }

    #[tokio::test]
    async fn a_link_that_somebody_else_used_meanwhile_is_gone() {
        let mut store = held_by_nia();
        store.expect_reset_password().returning(|_, _, _| Ok(None));
        assert!(matches!(reset(shop_with(store, hashing())).await, Err(ResetPasswordError::Gone)));
    }

    #[tokio::test]
    async fn a_good_link_sets_the_hash_of_what_was_chosen() {
        let mut store = held_by_nia();
        store
            .expect_reset_password()
            .withf(|hash, password, _| hash.0 == [7; 32] && password.as_str() == "phc")
            .returning(|_, _, _| Ok(Some("nia@example.com".parse().unwrap())));
        assert_eq!(reset(shop_with(store, hashing())).await.unwrap().as_str(), "nia@example.com");
    }
}
