//! Who is signed in.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bytea, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::{AccountId, Caller, SessionId, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{NewSession, PasswordHash, SecretHash, SessionStore, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::rows::Reading;
use crate::schema::{accounts, sessions};

#[async_trait]
impl SessionStore for Database {
    async fn open(&self, session: &NewSession) -> Result<bool, StoreError> {
        let session = session.clone();
        self.run(move |connection| {
            // The lock on the account's row makes a removal or another password either wait, and then close this session too, or
            // be seen.
            let opened = diesel::sql_query(
                "INSERT INTO sessions (id, account_id, secret_hash, opened_at, expires_at)
                SELECT $1, accounts.id, $3, $4, $5 FROM accounts
                WHERE accounts.id = $2 AND removed_at IS NULL AND ($6 IS NULL OR password_hash = $6)
                FOR SHARE",
            )
            .bind::<SqlUuid, _>(session.id.uuid())
            .bind::<SqlUuid, _>(session.account.uuid())
            .bind::<Bytea, _>(session.secret.0.to_vec())
            .bind::<Timestamptz, SqlTimestamp>(session.opened_at.to_diesel())
            .bind::<Timestamptz, SqlTimestamp>(session.expires_at.to_diesel())
            .bind::<Nullable<SqlText>, _>(session.proved_by.as_ref().map(PasswordHash::as_str))
            .execute(connection)?;
            Ok(opened > 0)
        })
        .await
    }

    async fn by_secret(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let secret = secret.0.to_vec();
        self.run(move |connection| {
            live(now)
                .filter(sessions::secret_hash.eq(secret))
                .select(CALLER)
                .first(connection)
                .optional()?
                .map(caller)
                .transpose()
        })
        .await
    }

    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.run(move |connection| {
            live(now)
                .filter(sessions::id.eq(id.uuid()))
                .select(CALLER)
                .first(connection)
                .optional()?
                .map(caller)
                .transpose()
        })
        .await
    }

    async fn close(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(sessions::table.find(id.uuid()))
                .filter(sessions::closed_at.is_null())
                .set(sessions::closed_at.eq(at.to_diesel()))
                .execute(connection)
                .map(drop)
        })
        .await
    }
}

type CallerColumns = (sessions::id, accounts::id, accounts::email, accounts::role);

const CALLER: CallerColumns = (sessions::id, accounts::id, accounts::email, accounts::role);

/// Sessions that open something: neither closed nor run out, of accounts that were not removed.
#[diesel::dsl::auto_type(no_type_alias)]
fn live(now: Timestamp) -> _ {
    let now: SqlTimestamp = now.to_diesel();
    sessions::table
        .inner_join(accounts::table)
        .filter(sessions::closed_at.is_null())
        .filter(sessions::expires_at.gt(now))
        .filter(accounts::removed_at.is_null())
}

fn caller((session, account, email, role): (Uuid, Uuid, String, String)) -> QueryResult<Caller> {
    let reading = Reading { what: "account", id: account };
    Ok(Caller {
        session: SessionId::new(session),
        account: AccountId::new(account),
        email: reading.parse("email", &email)?,
        role: reading.role(&role)?,
    })
}
