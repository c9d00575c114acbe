//! The token that a letter about an account carries, made at the moment when the letter is sent.

use std::time::Duration;

use domain::Email;
use domain::notifications::delivery::DeliveryId;
use ports::{AccountToken, EmailLimit, NewAccountToken, StoreError, TokenPurpose};

use crate::Shop;
use crate::platform::forget::Forgotten;
use crate::shop::{earlier, later};

/// How many letters of a kind go to an address within [`WINDOW`]: enough for a second and a third try, too few to fill
/// anybody's mailbox.
pub(crate) const MOST: u32 = 3;
/// How long a letter counts.
pub(crate) const WINDOW: Duration = Duration::from_hours(1);

/// How long a link works.
pub(crate) const fn life(purpose: TokenPurpose) -> Duration {
    match purpose {
        TokenPurpose::Verify => Duration::from_hours(24),
        TokenPurpose::Reset => Duration::from_hours(1),
    }
}

/// How long tokens are kept after they ran out: longer than they count.
const KEPT: Duration = Duration::from_hours(24);

impl Shop {
    /// A fresh token for a letter to an address. `None` if no such letter is to be sent: nobody has the address, there is
    /// nothing to verify, or the address has had its share.
    ///
    /// A letter that is tried again gets a token of its own; those of earlier tries stay good.
    ///
    /// # Errors
    /// [`StoreError`] if the token could not be kept.
    pub(crate) async fn issue_account_token(
        &self,
        purpose: TokenPurpose,
        email: &Email,
        message: DeliveryId,
    ) -> Result<Option<AccountToken>, StoreError> {
        let token = self.account_tokens.fresh();
        let made_at = self.clock.now();
        let new = NewAccountToken {
            hash: self.account_tokens.hash(&token),
            purpose,
            message,
            made_at,
            expires_at: later(made_at, life(purpose)),
        };
        let bound = EmailLimit { most: MOST, since: earlier(made_at, WINDOW) };
        Ok(self.account_token_store.keep(&new, email, bound).await?.then_some(token))
    }

    /// Forgets what else ran out that e-mails about accounts left behind, and answers how much.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_ownership(&self) -> Result<u64, StoreError> {
        if !self.clocks_agree().await? {
            return Ok(0);
        }
        self.ownership.forget(earlier(self.clock.now(), KEPT)).await
    }

    /// Forgets tokens that ran out long ago.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_account_tokens(&self) -> Result<Forgotten, StoreError> {
        let before = earlier(self.clock.now(), KEPT);
        self.forget_what_is_old(|bite| self.account_token_store.forget(before, bite)).await
    }
}
