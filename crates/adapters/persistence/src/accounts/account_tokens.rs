//! Tokens sent by e-mail. The database stores only their hashes.

use async_trait::async_trait;
use diesel::dsl::count;
use diesel::prelude::*;
use domain::notifications::delivery::Topic;
use domain::{Account, Email, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    AccountTokenRepository, Credentials, EmailLimit, NewAccountToken, PasswordHash, SecretHash, StoreError,
    TokenPurpose,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::repository::verified;
use crate::accounts::rows::AccountRow;
use crate::accounts::{login_attempts, owner, sessions, void_tokens};
use crate::notifications::outbox as outbox_store;
use crate::platform::decode::RowDecoder;
use crate::platform::delete_batch::delete_batch;
use crate::schema::{account_tokens, accounts};

#[async_trait]
impl AccountTokenRepository for Database {
    async fn store(&self, token: &NewAccountToken, email: &Email, bound: EmailLimit) -> Result<bool, StoreError> {
        let (token, email) = (token.clone(), email.as_str().to_owned());
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                // Locked, so that two e-mails to one address are counted one after the other.
                let found: Option<(Uuid, bool)> = accounts::table
                    .filter(accounts::email.eq(email))
                    .filter(accounts::removed_at.is_null())
                    .select((accounts::id, accounts::proved_at.is_not_null()))
                    .for_no_key_update()
                    .first(connection)
                    .optional()?;
                let Some((account, is_proved)) = found else { return Ok(false) };
                let is_settled = is_proved && token.purpose == TokenPurpose::Verify;
                if is_settled || others(connection, account, &token, bound.since)? >= i64::from(bound.most) {
                    return Ok(false);
                }
                diesel::insert_into(account_tokens::table)
                    .values((
                        account_tokens::hash.eq(token.hash.0.to_vec()),
                        account_tokens::account_id.eq(account),
                        account_tokens::purpose.eq(token.purpose.as_str()),
                        account_tokens::letter_id.eq(token.message.get()),
                        account_tokens::made_at.eq(token.created_at.to_diesel()),
                        account_tokens::expires_at.eq(token.expires_at.to_diesel()),
                    ))
                    .execute(connection)?;
                Ok(true)
            })
        })
        .await
    }

    async fn account_of(
        &self,
        hash: &SecretHash,
        purpose: TokenPurpose,
        now: Timestamp,
    ) -> Result<Option<Account>, StoreError> {
        let hash = hash.0.to_vec();
        self.read(move |connection| {
            let found = good(purpose, &hash, now)
                .inner_join(accounts::table)
                .filter(accounts::removed_at.is_null())
                .select(AccountRow::as_select())
                .first(connection)
                .optional()?;
            found.map(|row| Credentials::try_from(row).map(|credentials| credentials.account)).transpose()
        })
        .await
    }

    async fn reset_password(
        &self,
        hash: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<Option<Email>, StoreError> {
        let (hash, password) = (hash.0.to_vec(), password.clone());
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let Some(account) = burn(connection, TokenPurpose::Reset, &hash, at)? else { return Ok(None) };
                if let Some(found) = owner::lock(connection, account)? {
                    found.remove_access_of_before(connection, at)?;
                }
                let email: String = diesel::update(accounts::table.find(account))
                    .set((accounts::password_hash.eq(password.expose()), verified(at), owner::proved(at)))
                    .returning(accounts::email)
                    .get_result(connection)?;
                void_tokens::void(connection, account, Some(TokenPurpose::Reset), at)?;
                sessions::close_all(connection, account, at)?;
                // They were attempts at the old password, and mostly the owner's own.
                login_attempts::forget_of(connection, &email)?;
                let email = RowDecoder { what: "account", id: account }.parse("email", &email)?;
                outbox_store::request_email(connection, Topic::AccountPasswordSet, &email, at)?;
                Ok(Some(email))
            })
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run_on_accounts(move |connection| {
            delete_batch(
                connection,
                "DELETE FROM account_tokens WHERE hash = ANY (ARRAY (
                    SELECT hash FROM account_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
                    FOR UPDATE SKIP LOCKED))",
                before,
                limit,
            )
        })
        .await
    }
}

/// Number of other e-mails of this purpose for which the account was issued tokens since `since`.
fn others(connection: &mut PgConnection, account: Uuid, token: &NewAccountToken, since: Timestamp) -> QueryResult<i64> {
    account_tokens::table
        .filter(account_tokens::account_id.eq(account))
        .filter(account_tokens::purpose.eq(token.purpose.as_str()))
        .filter(account_tokens::made_at.gt(since.to_diesel()))
        .filter(account_tokens::letter_id.ne(token.message.get()))
        .select(count(account_tokens::letter_id).aggregate_distinct())
        .first(connection)
}

/// Marks a valid token as used and returns its account. Of two concurrent calls, the second waits for the first and
/// then finds the token used.
pub(crate) fn burn(
    connection: &mut PgConnection,
    purpose: TokenPurpose,
    hash: &[u8],
    at: Timestamp,
) -> QueryResult<Option<Uuid>> {
    // Lock the account's row first, as every other change to an account does. The same lock order prevents deadlocks.
    let held: Option<Uuid> = accounts::table
        .filter(accounts::id.eq_any(good(purpose, hash, at).select(account_tokens::account_id)))
        .filter(accounts::removed_at.is_null())
        .select(accounts::id)
        .for_no_key_update()
        .first(connection)
        .optional()?;
    if held.is_none() {
        return Ok(None);
    }
    diesel::update(good(purpose, hash, at))
        .set(account_tokens::used_at.eq(at.to_diesel()))
        .returning(account_tokens::account_id)
        .get_result(connection)
        .optional()
}

/// The token with this hash, unless its purpose differs, it was used or it has expired.
#[diesel::dsl::auto_type(no_type_alias)]
pub(crate) fn good<'a>(purpose: TokenPurpose, hash: &'a [u8], now: Timestamp) -> _ {
    let purpose: &'static str = purpose.as_str();
    let now: SqlTimestamp = now.to_diesel();
    account_tokens::table
        .filter(account_tokens::hash.eq(hash))
        .filter(account_tokens::purpose.eq(purpose))
        .filter(account_tokens::used_at.is_null())
        .filter(account_tokens::expires_at.gt(now))
}
