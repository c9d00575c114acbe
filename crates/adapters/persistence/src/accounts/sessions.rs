//! Sessions.

use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_types::{Bytea, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::{AccountId, Caller, Role, SessionId, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Browser, Ending, LiveSession, NewSession, PasswordHash, SecretHash, SessionRepository, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::RowDecoder;
use crate::platform::delete_batch::delete_batch;
use crate::platform::sql_file::sql_file;
use crate::schema::sessions;

#[async_trait]
impl SessionRepository for Database {
    async fn open(&self, session: &NewSession) -> Result<bool, StoreError> {
        let session = session.clone();
        self.run(move |connection| {
            let opened = sql_file!("open_session.sql", {
                id: SqlUuid = session.id.uuid(),
                account: SqlUuid = session.account.uuid(),
                secret_hash: Bytea = session.secret.0.to_vec(),
                opened_at: Timestamptz = session.opened_at.to_diesel(),
                expires_at: Timestamptz = session.expires_at.to_diesel(),
                password_hash: Nullable<SqlText> = session.proved_by.as_ref().map(PasswordHash::expose),
            })
            .execute(connection)?;
            Ok(opened > 0)
        })
        .await
    }

    async fn note_browser(&self, secret: &SecretHash, browser: &Browser, at: Timestamp) -> Result<(), StoreError> {
        let (secret, browser) = (secret.0.to_vec(), browser.clone());
        self.run_on_accounts(move |connection| {
            connection.transaction(|connection| {
                let account: Option<Uuid> = diesel::update(sessions::table)
                    .filter(sessions::secret_hash.eq(&secret))
                    .set(sessions::device.eq(browser.device.as_ref().map(Text::as_str)))
                    .returning(sessions::account_id)
                    .get_result(connection)
                    .optional()?;
                let (Some(account), Some(held)) = (account, browser.held) else { return Ok(()) };
                diesel::update(open_sessions_of(account))
                    .filter(sessions::secret_hash.eq(held.0.to_vec()))
                    .filter(sessions::secret_hash.ne(secret))
                    .set(sessions::closed_at.eq(at.to_diesel()))
                    .execute(connection)
                    .map(drop)
            })
        })
        .await
    }

    async fn by_secret(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let secret = secret.0.to_vec();
        self.read(move |connection| {
            let query = format!("{SELECT} AND sessions.secret_hash = $4");
            let found = live(&query, now).bind::<Bytea, _>(secret).get_result(connection).optional()?;
            seen(connection, found, now)
        })
        .await
    }

    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.read(move |connection| {
            let query = format!("{SELECT} AND sessions.id = $4");
            let found = live(&query, now).bind::<SqlUuid, _>(id.uuid()).get_result(connection).optional()?;
            seen(connection, found, now)
        })
        .await
    }

    async fn close(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.run_on_accounts(move |connection| {
            diesel::update(sessions::table.find(id.uuid()))
                .filter(sessions::closed_at.is_null())
                .set(sessions::closed_at.eq(at.to_diesel()))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn list(&self, account: AccountId, now: Timestamp) -> Result<Vec<LiveSession>, StoreError> {
        self.read(move |connection| {
            let query = format!("{SELECT} AND accounts.id = $4 ORDER BY sessions.last_seen_at DESC, sessions.id");
            let found: Vec<LiveRow> = live(&query, now).bind::<SqlUuid, _>(account.uuid()).load(connection)?;
            found.into_iter().map(listed).collect()
        })
        .await
    }

    async fn close_of(&self, account: AccountId, id: SessionId, at: Timestamp) -> Result<Ending, StoreError> {
        self.run_on_accounts(move |connection| {
            let ended = diesel::update(open_sessions_of(account.uuid()))
                .filter(sessions::id.eq(id.uuid()))
                .set(sessions::closed_at.eq(at.to_diesel()))
                .execute(connection)?;
            if ended > 0 {
                return Ok(Ending::Ended);
            }
            let theirs = sessions::table.find(id.uuid()).filter(sessions::account_id.eq(account.uuid()));
            let is_theirs: bool = diesel::select(exists(theirs)).get_result(connection)?;
            Ok(if is_theirs { Ending::EndedBefore } else { Ending::Unknown })
        })
        .await
    }

    async fn close_others(&self, account: AccountId, except: SessionId, at: Timestamp) -> Result<u64, StoreError> {
        self.run_on_accounts(move |connection| {
            let ended = close_others(connection, account.uuid(), except, at)?;
            Ok(u64::try_from(ended).unwrap_or(u64::MAX))
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            delete_batch(
                connection,
                "DELETE FROM sessions WHERE id IN (
                    (SELECT id FROM sessions WHERE closed_at < $1 ORDER BY closed_at LIMIT $2)
                    UNION (SELECT id FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)
                    LIMIT $2)",
                before,
                limit,
            )
        })
        .await
    }
}

/// How often the use of a session is recorded. A write for each request would cost too much.
const NOTED_EVERY: Duration = Duration::from_mins(1);

/// Live sessions: neither closed nor expired, not idle for too long, of accounts that were not removed.
const SELECT: &str = "SELECT sessions.id AS session, sessions.device, sessions.opened_at, sessions.last_seen_at,
        accounts.id AS account, accounts.email, accounts.role
    FROM sessions JOIN accounts ON accounts.id = sessions.account_id
    WHERE sessions.closed_at IS NULL AND sessions.expires_at > $1 AND accounts.removed_at IS NULL
        AND sessions.last_seen_at > CASE accounts.role WHEN 'admin' THEN $2 ELSE $3 END";

#[derive(QueryableByName)]
struct LiveRow {
    #[diesel(sql_type = SqlUuid)]
    session: Uuid,
    #[diesel(sql_type = Nullable<SqlText>)]
    device: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    opened_at: SqlTimestamp,
    #[diesel(sql_type = Timestamptz)]
    last_seen_at: SqlTimestamp,
    #[diesel(sql_type = SqlUuid)]
    account: Uuid,
    #[diesel(sql_type = SqlText)]
    email: String,
    #[diesel(sql_type = SqlText)]
    role: String,
}

/// A query on [`SELECT`], with its timestamps bound.
fn live(query: &str, now: Timestamp) -> BoxedSqlQuery<'static, Pg, SqlQuery> {
    let unused_since = |role: Role| now.checked_sub(role.idle_life()).unwrap_or(Timestamp::MIN);
    diesel::sql_query(query)
        .into_boxed()
        .bind::<Timestamptz, SqlTimestamp>(now.to_diesel())
        .bind::<Timestamptz, SqlTimestamp>(unused_since(Role::Admin).to_diesel())
        .bind::<Timestamptz, SqlTimestamp>(unused_since(Role::Customer).to_diesel())
}

/// Records that a session was used, and returns its caller.
fn seen(connection: &mut PgConnection, found: Option<LiveRow>, now: Timestamp) -> QueryResult<Option<Caller>> {
    let Some(row) = found else { return Ok(None) };
    let noted_before = now.checked_sub(NOTED_EVERY).unwrap_or(Timestamp::MIN);
    if row.last_seen_at.to_jiff() < noted_before {
        let noted = diesel::update(sessions::table.find(row.session))
            .filter(sessions::last_seen_at.lt(noted_before.to_diesel()))
            .set(sessions::last_seen_at.eq(now.to_diesel()))
            .execute(connection);
        if let Err(error) = noted {
            // The session stays valid: a database that accepts no writes at this moment can still say who is signed in.
            tracing::debug!(%error, "could not record that a session was used");
        }
    }
    caller(&row).map(Some)
}

/// Sessions of an account that are not closed; they may have expired.
#[diesel::dsl::auto_type(no_type_alias)]
fn open_sessions_of(account: Uuid) -> _ {
    sessions::table.filter(sessions::account_id.eq(account)).filter(sessions::closed_at.is_null())
}

/// Ends every session of an account.
pub(crate) fn close_all(connection: &mut PgConnection, account: Uuid, at: Timestamp) -> QueryResult<usize> {
    diesel::update(open_sessions_of(account)).set(sessions::closed_at.eq(at.to_diesel())).execute(connection)
}

/// Ends every session of an account except one.
pub(crate) fn close_others(
    connection: &mut PgConnection,
    account: Uuid,
    except: SessionId,
    at: Timestamp,
) -> QueryResult<usize> {
    diesel::update(open_sessions_of(account))
        .filter(sessions::id.ne(except.uuid()))
        .set(sessions::closed_at.eq(at.to_diesel()))
        .execute(connection)
}

fn listed(row: LiveRow) -> QueryResult<LiveSession> {
    let decoder = RowDecoder { what: "session", id: row.session };
    Ok(LiveSession {
        id: SessionId::new(row.session),
        device: row.device.map(|device| decoder.text("device", &device)).transpose()?,
        opened_at: row.opened_at.to_jiff(),
        last_seen_at: row.last_seen_at.to_jiff(),
    })
}

fn caller(row: &LiveRow) -> QueryResult<Caller> {
    let decoder = RowDecoder { what: "account", id: row.account };
    Ok(Caller {
        session: SessionId::new(row.session),
        account: AccountId::new(row.account),
        email: decoder.parse("email", &row.email)?,
        role: decoder.parse("role", &row.role)?,
    })
}
