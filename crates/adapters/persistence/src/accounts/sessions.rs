//! Sessions.

use std::time::Duration;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Bytea, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::{AccountId, Caller, Role, SecondFactor, SessionId, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Browser, Ending, LiveSession, NewSession, PasswordHash, SecretHash, SessionRepository, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::RowDecoder;
use crate::platform::delete_batch::delete_batch;
use crate::platform::sql_file::sql_file;
use crate::schema::{accounts, sessions};

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
            let (at, admins, others) = bounds(now);
            let found =
                live(at, admins, others).filter(sessions::secret_hash.eq(secret)).first(connection).optional()?;
            seen(connection, found, now)
        })
        .await
    }

    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.read(move |connection| {
            let (at, admins, others) = bounds(now);
            let found = live(at, admins, others).filter(sessions::id.eq(id.uuid())).first(connection).optional()?;
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
            let (at, admins, others) = bounds(now);
            let found: Vec<LiveRow> = live(at, admins, others)
                .filter(accounts::id.eq(account.uuid()))
                .order((sessions::last_seen_at.desc(), sessions::id))
                .load(connection)?;
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

/// A live session, and who it belongs to.
#[derive(Queryable)]
struct LiveRow {
    session: Uuid,
    device: Option<String>,
    opened_at: SqlTimestamp,
    last_seen_at: SqlTimestamp,
    account: Uuid,
    email: String,
    role: String,
    second_factor_since: Option<SqlTimestamp>,
    second_factor_at: Option<SqlTimestamp>,
}

/// Now, and since when admins and others must have used their sessions for them to be live.
fn bounds(now: Timestamp) -> (SqlTimestamp, SqlTimestamp, SqlTimestamp) {
    let used_since = |role: Role| now.checked_sub(role.idle_life()).unwrap_or(Timestamp::MIN).to_diesel();
    (now.to_diesel(), used_since(Role::Admin), used_since(Role::Customer))
}

/// Live sessions: neither closed nor expired, not idle for too long, of accounts that were not removed.
#[diesel::dsl::auto_type(no_type_alias)]
fn live(now: SqlTimestamp, admins_used_since: SqlTimestamp, others_used_since: SqlTimestamp) -> _ {
    let admin: &'static str = Role::Admin.as_str();
    let used_by_admin = accounts::role.eq(admin).and(sessions::last_seen_at.gt(admins_used_since));
    let used_by_other = accounts::role.ne(admin).and(sessions::last_seen_at.gt(others_used_since));
    sessions::table
        .inner_join(accounts::table)
        .filter(sessions::closed_at.is_null())
        .filter(sessions::expires_at.gt(now))
        .filter(accounts::removed_at.is_null())
        .filter(used_by_admin.or(used_by_other))
        .select((
            sessions::id,
            sessions::device,
            sessions::opened_at,
            sessions::last_seen_at,
            accounts::id,
            accounts::email,
            accounts::role,
            accounts::second_factor_since,
            sessions::second_factor_at,
        ))
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
        signed_in_at: row.opened_at.to_jiff(),
        second_factor: match (row.second_factor_since, row.second_factor_at) {
            (None, _) => SecondFactor::None,
            (Some(_), None) => SecondFactor::Unproved,
            (Some(_), Some(at)) => SecondFactor::Proved(at.to_jiff()),
        },
    })
}
