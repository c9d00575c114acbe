//! Confirming an address by a letter's link.

use domain::Email;
use ports::{AccountToken, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why nothing was confirmed.
#[derive(Debug, Error)]
pub enum VerifyEmailError {
    /// The link was used, is too old, or never was one of ours: nobody learns which.
    #[error("the link has been used or is too old")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Verifies the address that a link was sent to, and answers it. Whoever has the link need not be signed in.
    ///
    /// # Errors
    /// [`VerifyEmailError`].
    pub async fn verify_email(&self, token: &AccountToken) -> Result<Email, VerifyEmailError> {
        let hash = self.account_tokens.hash(token);
        self.account_token_store.verify_email(&hash, self.clock.now()).await?.ok_or(VerifyEmailError::Gone)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{MockAccountTokenStore, MockAccountTokens, SecretHash};

    use super::*;
    use crate::testing::shop;

    #[tokio::test]
    async fn a_link_that_is_no_good_any_more_confirms_nothing() {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut store = MockAccountTokenStore::new();
        store.expect_verify_email().withf(|hash, _| hash.0 == [7; 32]).returning(|_, _| Ok(None));
        let shop = Shop { account_tokens: Arc::new(tokens), account_token_store: Arc::new(store), ..shop() };
        let refused = shop.verify_email(&AccountToken::new("token".into())).await;
        assert!(matches!(refused, Err(VerifyEmailError::Gone)));
    }
}
