//! The link in the confirmation e-mail: proving the account, taking it over, or deleting it.

use domain::{ClientNetwork, Email, Password, WeakPassword};
use ports::{AccountToken, Deletion, HashingLane, HashingQueue, OwnerProof, SessionSecret, TakeOver};
use thiserror::Error;

use crate::{AccountLinks, Demanded, Failure};

/// Why the link had no effect.
#[derive(Debug, Error)]
pub enum VerifyEmailRefused {
    /// The link was used, has expired, or is not valid; which of these is not revealed.
    #[error("the link has been used or is too old")]
    LinkGone,
    /// The user who opened the link is not signed in to the account and did not enter its password: someone else may
    /// have signed up with the address.
    #[error("whoever reads the mail has not shown that the account is theirs")]
    OwnershipNotProved,
    /// The password that was entered is not the account's.
    #[error("the password is wrong")]
    WrongPassword,
    /// The account is an admin's, which a link neither gives away nor deletes.
    #[error("an admin's account is neither given away nor deleted by a link")]
    Admin,
    /// The new password is the owner's name or e-mail address.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
}

impl AccountLinks {
    /// Proves the account that a link was sent for, and returns its address. The link alone is not enough: if someone
    /// signed up with a foreign address, the click of the address's owner would confirm that account. A live session of
    /// the account or its password is needed as well.
    ///
    /// # Errors
    /// [`VerifyEmailRefused`]; the link stays valid.
    pub async fn verify_email(
        &self,
        token: &AccountToken,
        session: Option<&SessionSecret>,
        typed: Option<(&str, ClientNetwork)>,
    ) -> Result<Email, Failure<VerifyEmailRefused>> {
        let hash = self.account_tokens.hash(token);
        let now = self.clock.now();
        let owner = self.ownership.owner_of(&hash, now).await?.ok_or(Failure::Refused(VerifyEmailRefused::LinkGone))?;
        let caller = match session {
            Some(secret) => self.signing_in.caller_by_cookie(secret, Demanded::FIRST_FACTOR).await?,
            None => None,
        };
        let own = caller.filter(|caller| caller.account == owner.account.id);
        let proof = match (own, typed) {
            (Some(caller), _) => OwnerProof::Session(caller.session),
            (None, None) => return Err(Failure::Refused(VerifyEmailRefused::OwnershipNotProved)),
            (None, Some((typed, from))) => {
                let right = self
                    .passwords
                    .verify(typed, owner.password.clone(), HashingQueue { lane: HashingLane::Stranger, from })
                    .await?;
                OwnerProof::Password(
                    owner.password.filter(|_| right).ok_or(Failure::Refused(VerifyEmailRefused::WrongPassword))?,
                )
            }
        };
        self.ownership.confirm(&hash, &proof, now).await?.ok_or(Failure::Refused(VerifyEmailRefused::LinkGone))
    }

    /// Gives the account that a link was sent for to the reader of the mail, with a password of their choice. No
    /// earlier way to sign in works any more, its unpaid orders are cancelled and its profile is cleared. Returns its
    /// address.
    ///
    /// # Errors
    /// [`VerifyEmailRefused`].
    pub async fn take_account_over(
        &self,
        token: &AccountToken,
        password: Password,
        from: ClientNetwork,
    ) -> Result<Email, Failure<VerifyEmailRefused>> {
        let hash = self.account_tokens.hash(token);
        // Checked first, so that an invalid link does not cost a password hash.
        let owner = self
            .ownership
            .owner_of(&hash, self.clock.now())
            .await?
            .ok_or(Failure::Refused(VerifyEmailRefused::LinkGone))?;
        let password = password.of(owner.account.display_name.as_str(), &owner.account.email);
        let password = password.map_err(|weak| Failure::Refused(weak.into()))?;
        let password = self.passwords.hash(&password, from).await?;
        match self.ownership.take_over(&hash, &password, self.clock.now()).await? {
            TakeOver::Taken(email) => {
                self.orders.cancel_abandoned_soon().await;
                Ok(email)
            }
            TakeOver::Gone => Err(Failure::Refused(VerifyEmailRefused::LinkGone)),
            TakeOver::Admin => Err(Failure::Refused(VerifyEmailRefused::Admin)),
        }
    }

    /// Deletes the account that a link was sent for; its address is free again.
    ///
    /// # Errors
    /// [`VerifyEmailRefused`].
    pub async fn delete_unproved_account(&self, token: &AccountToken) -> Result<(), Failure<VerifyEmailRefused>> {
        let hash = self.account_tokens.hash(token);
        match self.ownership.delete(&hash, self.clock.now()).await? {
            Deletion::Deleted => {
                self.orders.cancel_abandoned_soon().await;
                Ok(())
            }
            Deletion::Gone => Err(Failure::Refused(VerifyEmailRefused::LinkGone)),
            Deletion::Admin => Err(Failure::Refused(VerifyEmailRefused::Admin)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{
        MockAccountTokens, MockOwnershipRepository, MockPasswordHasher, MockSessionRepository, MockSessionSecrets,
        SecretHash,
    };

    use super::*;
    use crate::testing::{caller, credentials, ports};
    use crate::{App, Ports};

    fn service_with(ownership: MockOwnershipRepository) -> Arc<AccountLinks> {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut passwords = MockPasswordHasher::new();
        passwords.expect_verify().returning(|typed, _, _| Ok(typed == "right"));
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_hash().returning(|_| SecretHash([8; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_secret().returning(|_, _| Ok(Some(caller(Role::Customer))));
        let ports = Ports {
            account_tokens: Arc::new(tokens),
            ownership: Arc::new(ownership),
            passwords: Arc::new(passwords),
            session_secrets: Arc::new(secrets),
            sessions: Arc::new(sessions),
            ..ports()
        };
        App::new(&ports).account_links
    }

    fn here() -> ClientNetwork {
        std::net::Ipv4Addr::LOCALHOST.into()
    }

    fn token() -> AccountToken {
        AccountToken::new("token".into())
    }

    /// Deletes the account of a link by which the store does this.
    async fn delete(
        mut ownership: MockOwnershipRepository,
        outcome: Deletion,
    ) -> Result<(), Failure<VerifyEmailRefused>> {
        ownership.expect_delete().times(1).withf(|hash, _| hash.0 == [7; 32]).returning(move |_, _| Ok(outcome));
        service_with(ownership).delete_unproved_account(&token()).await
    }

    #[tokio::test]
    async fn an_invalid_link_confirms_nothing() {
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_owner_of().withf(|hash, _| hash.0 == [7; 32]).returning(|_, _| Ok(None));
        let refused = service_with(ownership).verify_email(&token(), None, Some(("right", here()))).await;
        assert!(matches!(refused, Err(Failure::Refused(VerifyEmailRefused::LinkGone))));
    }

    #[tokio::test]
    async fn a_link_alone_or_in_another_accounts_session_confirms_nothing() {
        let elsewhere = SessionSecret::new("somebody else's".into());
        for (session, typed, not_shown) in
            [(None, None, true), (Some(&elsewhere), None, true), (None, Some("wrong"), false)]
        {
            let mut ownership = MockOwnershipRepository::new();
            ownership.expect_owner_of().returning(|_, _| Ok(Some(credentials("nia@example.com"))));
            let refused =
                service_with(ownership).verify_email(&token(), session, typed.map(|typed| (typed, here()))).await;
            assert_eq!(
                matches!(refused, Err(Failure::Refused(VerifyEmailRefused::OwnershipNotProved))),
                not_shown,
                "{refused:?}"
            );
            assert_eq!(
                matches!(refused, Err(Failure::Refused(VerifyEmailRefused::WrongPassword))),
                !not_shown,
                "{refused:?}"
            );
        }
    }

    #[tokio::test]
    async fn the_accounts_session_or_its_password_proves_it() {
        let session = SessionSecret::new("the account's".into());
        for (session, typed) in [(Some(&session), None), (None, Some("right"))] {
            let mut ownership = MockOwnershipRepository::new();
            ownership.expect_owner_of().returning(|_, _| {
                let mut found = credentials("customer@example.com");
                found.account.id = caller(Role::Customer).account;
                Ok(Some(found))
            });
            let by_session = session.is_some();
            ownership
                .expect_confirm()
                .times(1)
                .withf(move |_, proof, _| matches!(proof, OwnerProof::Session(_)) == by_session)
                .returning(|_, _, _| Ok(Some("customer@example.com".parse().unwrap())));
            service_with(ownership).verify_email(&token(), session, typed.map(|typed| (typed, here()))).await.unwrap();
        }
    }

    #[tokio::test]
    async fn an_account_that_its_addressee_deletes_leaves_no_unpaid_orders() {
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_abandoned_orders().times(1).returning(|_, _| Ok(Vec::new()));
        delete(ownership, Deletion::Deleted).await.unwrap();
    }

    #[tokio::test]
    async fn neither_an_invalid_link_nor_one_of_an_admins_account_deletes_it() {
        let refused = delete(MockOwnershipRepository::new(), Deletion::Gone).await;
        assert!(matches!(refused, Err(Failure::Refused(VerifyEmailRefused::LinkGone))));
        let refused = delete(MockOwnershipRepository::new(), Deletion::Admin).await;
        assert!(matches!(refused, Err(Failure::Refused(VerifyEmailRefused::Admin))));
    }
}
