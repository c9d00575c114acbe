//! Account ownership: Google links, confirmation, takeover and deletion.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::notifications::delivery::{DeliveryId, Topic};
use domain::{AccountId, Email, OrderId, Role, SessionId, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{
    Credentials, Deletion, EmailLimit, GoogleClaim, GoogleClaimed, GoogleLink, GoogleSubject, Linking, OwnerProof,
    OwnershipRepository, PasswordHash, PendingSignIn, PendingSignInLimit, Recipient, SecretHash, SignInMethods,
    StoreError, TakeOver, TokenPurpose, Unlinking,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::account_tokens::{burn, good};
use crate::accounts::owner::{self, GoogleColumns, Held};
use crate::accounts::pending_sign_ins;
use crate::accounts::repository::verified;
use crate::accounts::rows::AccountRow;
use crate::accounts::sessions as session_store;
use crate::notifications::outbox as outbox_store;
use crate::notifications::unconfirmed_email as measure;
use crate::platform::decode::RowDecoder;
use crate::schema::{account_notices, account_tokens, accounts, sessions};

/// The account that a confirmation link was sent for.
enum Unproved {
    Customer(Held),
    Admin,
    Gone,
}

/// Locks the account that a confirmation token belongs to, and uses the token up, unless the account is an admin's: what
/// follows removes second factors, and whoever reads the mail of an admin must not get past theirs by it.
fn unproved_customer(connection: &mut PgConnection, token: &[u8], at: Timestamp) -> QueryResult<Unproved> {
    let owner: Option<(Uuid, String)> = accounts::table
        .filter(accounts::id.eq_any(good(TokenPurpose::Verify, token, at).select(account_tokens::account_id)))
        .filter(accounts::removed_at.is_null())
        .select((accounts::id, accounts::role))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let Some((account, role)) = owner else { return Ok(Unproved::Gone) };
    if role == Role::Admin.as_str() {
        return Ok(Unproved::Admin);
    }
    if burn(connection, TokenPurpose::Verify, token, at)?.is_none() {
        return Ok(Unproved::Gone);
    }
    Ok(owner::lock(connection, account)?.map_or(Unproved::Gone, Unproved::Customer))
}

#[async_trait]
impl OwnershipRepository for Database {
    async fn by_google(&self, google: &GoogleSubject) -> Result<Option<Credentials>, StoreError> {
        if google.subject.contains('\0') {
            return Ok(None);
        }
        let google = google.clone();
        self.read(move |connection| {
            accounts::table
                .filter(accounts::google_subject.eq(google.subject))
                // Links made by earlier versions have no issuer; there was only one provider then.
                .filter(accounts::google_issuer.is_null().or(accounts::google_issuer.eq(google.issuer)))
                .select(AccountRow::as_select())
                .first(connection)
                .optional()?
                .map(Credentials::try_from)
                .transpose()
        })
        .await
    }

    async fn claim(&self, claim: &GoogleClaim) -> Result<GoogleClaimed, StoreError> {
        let claim = claim.clone();
        if claim.google.subject.contains('\0') {
            return Ok(GoogleClaimed::SignInFirst);
        }
        self.run_on_accounts(move |connection| {
            match connection.transaction(|connection| owner::claim(connection, &claim)) {
                // Another account is linked to this Google account.
                Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(GoogleClaimed::SignInFirst),
                claimed => claimed,
            }
        })
        .await
    }

    async fn link_google(&self, link: &GoogleLink) -> Result<Linking, StoreError> {
        let link = link.clone();
        if link.google.subject.contains('\0') {
            return Ok(Linking::Taken);
        }
        self.run_on_accounts(move |connection| {
            match connection.transaction(|connection| owner::link(connection, &link)) {
                Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(Linking::Taken),
                linking => linking,
            }
        })
        .await
    }

    async fn unlink_google(
        &self,
        account: AccountId,
        caller_session: SessionId,
        at: Timestamp,
    ) -> Result<Unlinking, StoreError> {
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let Some(found) = owner::lock(connection, account.uuid())? else { return Ok(Unlinking::NotLinked) };
                if found.google_subject.is_none() {
                    return Ok(Unlinking::NotLinked);
                }
                if found.password_hash.is_none() {
                    return Ok(Unlinking::LastWay);
                }
                diesel::update(accounts::table.find(found.id)).set(GoogleColumns::default()).execute(connection)?;
                session_store::close_others(connection, found.id, caller_session, at)?;
                outbox_store::request_email(connection, Topic::AccountGoogleUnlinked, &found.email()?, at)?;
                Ok(Unlinking::Unlinked)
            })
        })
        .await
    }

    async fn sign_in_methods(&self, account: AccountId) -> Result<Option<SignInMethods>, StoreError> {
        self.read(move |connection| {
            let found: Option<(bool, bool, bool)> = accounts::table
                .find(account.uuid())
                .filter(accounts::removed_at.is_null())
                .select((
                    accounts::password_hash.is_not_null(),
                    accounts::google_subject.is_not_null(),
                    accounts::proved_at.is_not_null(),
                ))
                .first(connection)
                .optional()?;
            Ok(found.map(|(password, google, proved)| SignInMethods { password, google, proved }))
        })
        .await
    }

    async fn store_pending_sign_in(
        &self,
        sign_in: &PendingSignIn,
        browser: &SecretHash,
        window: PendingSignInLimit,
    ) -> Result<(), StoreError> {
        let (sign_in, browser) = (sign_in.clone(), *browser);
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| pending_sign_ins::store(connection, &sign_in, &browser, window))
        })
        .await
    }

    async fn add_pending_token(
        &self,
        email: DeliveryId,
        token: &SecretHash,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let token = *token;
        self.run_on_accounts(move |connection| pending_sign_ins::add_token(connection, email, &token, now)).await
    }

    async fn finish_pending_sign_in(
        &self,
        browser: &SecretHash,
        token: &SecretHash,
        now: Timestamp,
    ) -> Result<Option<PendingSignIn>, StoreError> {
        let (browser, token) = (*browser, *token);
        self.run_on_accounts(move |connection| pending_sign_ins::finish(connection, &browser, &token, now)).await
    }

    async fn owner_of(&self, token: &SecretHash, now: Timestamp) -> Result<Option<Credentials>, StoreError> {
        let hash = token.0.to_vec();
        self.read(move |connection| {
            accounts::table
                .filter(accounts::id.eq_any(good(TokenPurpose::Verify, &hash, now).select(account_tokens::account_id)))
                .filter(accounts::removed_at.is_null())
                .select(AccountRow::as_select())
                .first(connection)
                .optional()?
                .map(Credentials::try_from)
                .transpose()
        })
        .await
    }

    async fn confirm(
        &self,
        token: &SecretHash,
        proof: &OwnerProof,
        at: Timestamp,
    ) -> Result<Option<Email>, StoreError> {
        let (hash, proof) = (token.0.to_vec(), proof.clone());
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let Some(account) = account_for_proof(connection, &hash, &proof, at)? else { return Ok(None) };
                if burn(connection, TokenPurpose::Verify, &hash, at)?.is_none() {
                    return Ok(None);
                }
                let Some(found) = owner::lock(connection, account)? else { return Ok(None) };
                found.remove_access_of_before(connection, at)?;
                let email: String = diesel::update(accounts::table.find(account))
                    .set((verified(at), owner::proved(at)))
                    .returning(accounts::email)
                    .get_result(connection)?;
                RowDecoder { what: "account", id: account }.parse("email", &email).map(Some)
            })
        })
        .await
    }

    async fn take_over(
        &self,
        token: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<TakeOver, StoreError> {
        let (hash, password) = (token.0.to_vec(), password.clone());
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let found = match unproved_customer(connection, &hash, at)? {
                    Unproved::Customer(found) => found,
                    Unproved::Admin => return Ok(TakeOver::Admin),
                    Unproved::Gone => return Ok(TakeOver::Gone),
                };
                let email = found.email()?;
                found.empty(connection, &email.as_name(), None, at)?;
                diesel::update(accounts::table.find(found.id))
                    .set((
                        accounts::password_hash.eq(password.expose()),
                        GoogleColumns::default(),
                        verified(at),
                        owner::proved(at),
                    ))
                    .execute(connection)?;
                outbox_store::request_email(connection, Topic::AccountPasswordSet, &email, at)?;
                Ok(TakeOver::Taken(email))
            })
        })
        .await
    }

    async fn delete(&self, token: &SecretHash, at: Timestamp) -> Result<Deletion, StoreError> {
        let hash = token.0.to_vec();
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let found = match unproved_customer(connection, &hash, at)? {
                    Unproved::Customer(found) => found,
                    Unproved::Admin => return Ok(Deletion::Admin),
                    Unproved::Gone => return Ok(Deletion::Gone),
                };
                let email = found.email()?;
                found.delete(connection, at)?;
                outbox_store::request_email(connection, Topic::AccountDeleted, &email, at)?;
                Ok(Deletion::Deleted)
            })
        })
        .await
    }

    async fn abandoned_orders(&self, after: Option<OrderId>, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.run(move |connection| owner::abandoned_orders(connection, after, limit)).await
    }

    async fn recipient(
        &self,
        email: DeliveryId,
        to: &Email,
        bound: EmailLimit,
        now: Timestamp,
    ) -> Result<Recipient, StoreError> {
        let to = to.clone();
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| measure::count(connection, email, &to, bound, now))
        })
        .await
    }

    async fn account_of_notice(&self, email: DeliveryId) -> Result<Option<Email>, StoreError> {
        self.read(move |connection| {
            let about: Option<String> = account_notices::table
                .find(email.get())
                .select(account_notices::about_email)
                .first(connection)
                .optional()?;
            RowDecoder { what: "account notice", id: email.get() }.maybe("about_email", about.as_deref())
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run_on_accounts(move |connection| {
            let pending = pending_sign_ins::forget(connection, before, limit)?;
            // The batch is full only if both together are: then neither table is left with a rest unnoticed.
            let counted = measure::forget(connection, before, limit.saturating_sub(pending))?;
            Ok(pending + counted)
        })
        .await
    }
}

/// The account that the token was issued for, if the proof is valid for that account at this moment.
fn account_for_proof(
    connection: &mut PgConnection,
    hash: &[u8],
    proof: &OwnerProof,
    at: Timestamp,
) -> QueryResult<Option<Uuid>> {
    let owner = accounts::table
        .filter(accounts::id.eq_any(good(TokenPurpose::Verify, hash, at).select(account_tokens::account_id)))
        .filter(accounts::removed_at.is_null())
        .into_boxed();
    let owner = match proof {
        OwnerProof::Password(password) => owner.filter(accounts::password_hash.eq(password.expose().to_owned())),
        OwnerProof::Session(session) => owner.filter(
            accounts::id.eq_any(
                sessions::table
                    .filter(sessions::id.eq(session.uuid()))
                    .filter(sessions::closed_at.is_null())
                    .filter(sessions::expires_at.gt(at.to_diesel()))
                    .select(sessions::account_id),
            ),
        ),
    };
    // Locked from here on: a concurrent change that ends the session or sets another password waits, or was already
    // seen.
    let owner_id: Option<Uuid> = owner.select(accounts::id).first(connection).optional()?;
    let Some(id) = owner_id else { return Ok(None) };
    accounts::table.find(id).select(accounts::id).for_no_key_update().first(connection).optional()
}
