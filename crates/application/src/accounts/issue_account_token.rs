//! Issuing the token of an e-mailed link, at the moment when the e-mail is sent.

use std::sync::Arc;
use std::time::Duration;

use domain::Email;
use domain::notifications::delivery::DeliveryId;
use ports::{
    AccountToken, AccountTokenRepository, AccountTokens, Clock, EmailLimit, NewAccountToken, StoreError, TokenPurpose,
};

use crate::platform::moments::{earlier, later};
use crate::{AccountLinks, Ports};

/// How many e-mails of a kind are sent to an address within [`WINDOW`]: enough for a second and a third try, too few to
/// flood a mailbox.
pub(crate) const MOST: u32 = 3;
/// How long an e-mail counts.
pub(crate) const WINDOW: Duration = Duration::from_hours(1);

/// How long a link is valid.
pub(crate) const fn life(purpose: TokenPurpose) -> Duration {
    match purpose {
        TokenPurpose::Verify => Duration::from_hours(24),
        TokenPurpose::Reset => Duration::from_hours(1),
    }
}

/// How long tokens are stored after they expired: longer than their e-mails count.
const RETENTION: Duration = Duration::from_hours(24);

/// Issues the tokens of e-mailed links.
#[derive(Clone)]
pub(crate) struct AccountTokenIssuer {
    store: Arc<dyn AccountTokenRepository>,
    tokens: Arc<dyn AccountTokens>,
    clock: Arc<dyn Clock>,
}

impl AccountTokenIssuer {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            store: Arc::clone(&ports.account_token_store),
            tokens: Arc::clone(&ports.account_tokens),
            clock: Arc::clone(&ports.clock),
        }
    }

    /// A new token for an e-mail to an address. `None` if no such e-mail is to be sent: the address has no account,
    /// there is nothing to verify, or the address has reached its limit.
    ///
    /// A repeated attempt gets a token of its own; the tokens of earlier attempts stay valid.
    ///
    /// # Errors
    /// [`StoreError`] if the token could not be stored.
    pub(crate) async fn issue(
        &self,
        purpose: TokenPurpose,
        email: &Email,
        message: DeliveryId,
    ) -> Result<Option<AccountToken>, StoreError> {
        let token = self.tokens.fresh();
        let created_at = self.clock.now();
        let new = NewAccountToken {
            hash: self.tokens.hash(&token),
            purpose,
            message,
            created_at,
            expires_at: later(created_at, life(purpose)),
        };
        let bound = EmailLimit { most: MOST, since: earlier(created_at, WINDOW) };
        Ok(self.store.store(&new, email, bound).await?.then_some(token))
    }
}

impl AccountLinks {
    /// Deletes expired sign-ins and e-mail counts, and returns how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_ownership(&self) -> Result<u64, StoreError> {
        let before = earlier(self.clock.now(), RETENTION);
        self.clocks.forget_what_is_old(|limit| self.ownership.forget(before, limit)).await
    }

    /// Deletes tokens that expired long ago.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_account_tokens(&self) -> Result<u64, StoreError> {
        let before = earlier(self.clock.now(), RETENTION);
        self.clocks.forget_what_is_old(|limit| self.account_token_store.forget(before, limit)).await
    }
}

#[cfg(test)]
mod tests {
    use ports::{MockAccountTokenRepository, MockOwnershipRepository};

    use super::*;
    use crate::testing::{account_links, now};

    #[test]
    fn a_link_is_valid_for_as_long_as_its_email_says() {
        const VERIFY: &str = include_str!("../../../adapters/email/templates/verify_address/body.txt");
        const RESET: &str = include_str!("../../../adapters/email/templates/reset_password/body.txt");
        for (purpose, text) in [(TokenPurpose::Verify, VERIFY), (TokenPurpose::Reset, RESET)] {
            let said = match life(purpose).as_secs() / 3_600 {
                24 => "The link expires in 24 hours ",
                1 => "The link expires in one hour ",
                hours => panic!("no e-mail says {hours} hours"),
            };
            assert!(text.contains(said), "{text}");
        }
    }

    #[tokio::test]
    async fn tokens_and_pending_sign_ins_are_deleted_a_day_after_they_expired() {
        let yesterday = earlier(now(), Duration::from_hours(24));
        let mut tokens = MockAccountTokenRepository::new();
        tokens.expect_forget().times(1).withf(move |before, _| *before == yesterday).returning(|_, _| Ok(7));
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_forget().times(1).withf(move |before, _| *before == yesterday).returning(|_, _| Ok(5));
        let account_links =
            AccountLinks { account_token_store: Arc::new(tokens), ownership: Arc::new(ownership), ..account_links() };
        assert_eq!(account_links.forget_old_account_tokens().await.unwrap(), 7);
        assert_eq!(account_links.forget_old_ownership().await.unwrap(), 5);
    }
}
