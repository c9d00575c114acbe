//! Whether a database is one that the shop's promises can be kept on.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use ports::StoreError;

use crate::Database;
use crate::migrations::pending;
use crate::platform::db::errors::{is_read_only, is_refusal};
use crate::platform::db::{Pooler, blocking, classify_error, establish};

/// What Postgres says in English when a whole number is divided by nothing.
const IN_ENGLISH: &str = "division by zero";

/// What a database says of itself, over a session as the shop's are.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
#[expect(missing_docs, reason = "they are Postgres' own names")]
pub struct Examination {
    #[diesel(sql_type = Text)]
    pub server_encoding: String,
    #[diesel(sql_type = Text)]
    pub fsync: String,
    #[diesel(sql_type = Text)]
    pub full_page_writes: String,
    #[diesel(sql_type = Text)]
    pub synchronous_commit: String,
    #[diesel(sql_type = Text)]
    pub synchronous_standby_names: String,
    #[diesel(sql_type = Text)]
    pub isolation: String,
    #[diesel(sql_type = Text)]
    pub statement_timeout: String,
    /// What it says of a division by zero.
    #[diesel(sql_type = Text)]
    pub words: String,
    #[diesel(sql_type = Bool)]
    pub read_only: bool,
    /// Its clock, in milliseconds since 1970.
    #[diesel(sql_type = BigInt)]
    pub clock: i64,
}

impl Examination {
    /// What has to be put right before the shop can be trusted to this database, one line each.
    #[must_use]
    pub fn refusals(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.server_encoding != "UTF8" {
            lines.push(format!(
                "the database's encoding is {} and has to be UTF8: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0",
                self.server_encoding
            ));
        }
        if self.isolation != "read committed" {
            lines.push(format!(
                "transactions are {:?} and have to be 'read committed': ALTER ROLE ... SET default_transaction_isolation",
                self.isolation
            ));
        }
        if self.words != IN_ENGLISH {
            lines.push(format!(
                "the server's messages are not in English ({:?}), and errors are told apart by them: ALTER ROLE ... SET lc_messages = 'C', as a superuser",
                self.words
            ));
        }
        lines
    }

    /// What lets a crash of the server's machine lose or tear what was acknowledged, one line each.
    #[must_use]
    pub fn not_durable(&self) -> Vec<String> {
        [("fsync", &self.fsync), ("full_page_writes", &self.full_page_writes)]
            .into_iter()
            .filter(|(_, value)| *value == "off")
            .chain(
                // A session of ours sets it for itself; one that is a pooler's does not.
                matches!(self.synchronous_commit.as_str(), "off" | "local")
                    .then_some(("synchronous_commit", &self.synchronous_commit)),
            )
            .map(|(name, value)| format!("{name} is {value}: a power cut may lose or tear acknowledged orders"))
            .collect()
    }

    /// Whether a commit waits for a standby, so that losing the server's machine loses no acknowledged order.
    #[must_use]
    pub fn waits_for_a_standby(&self) -> bool {
        !self.synchronous_standby_names.trim().is_empty() && self.synchronous_commit != "local"
    }
}

/// What is to be known of a database every second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// It takes no writes.
    pub read_only: bool,
    /// Its clock, in milliseconds since 1970.
    pub clock: i64,
    /// The names of the steps that this program knows and it has not taken.
    pub pending: Vec<String>,
}

/// Why a database that was tried for could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectFailure {
    /// It is away, or does not answer yet: trying again may help.
    Unavailable,
    /// It answers and takes no writes: a replica, or set to read-only.
    ReadOnly,
    /// It refuses us for what somebody wrote: trying again does not mend that.
    Refused,
}

impl ConnectFailure {
    /// What an error of [`Database::wait`] means.
    #[must_use]
    pub fn of(error: &StoreError) -> Self {
        if is_refusal(error) {
            Self::Refused
        } else if is_read_only(error) {
            Self::ReadOnly
        } else {
            Self::Unavailable
        }
    }
}

impl Database {
    /// Asks the database what it is like.
    ///
    /// # Errors
    /// [`StoreError`] if it does not say.
    pub async fn examine(&self) -> Result<Examination, StoreError> {
        self.health(|connection| {
            connection.transaction(|connection| {
                // An error that is caught leaves its words and no line in the server's log.
                connection.batch_execute(
                    "DO $$ BEGIN
                        PERFORM 1 / nothing FROM (VALUES (0)) AS numbers (nothing);
                    EXCEPTION WHEN division_by_zero THEN
                        PERFORM set_config('driveline.words', SQLERRM, true);
                    END $$",
                )?;
                diesel::sql_query(
                    "SELECT current_setting('server_encoding') AS server_encoding, current_setting('fsync') AS fsync,
                        current_setting('full_page_writes') AS full_page_writes,
                        current_setting('synchronous_commit') AS synchronous_commit,
                        current_setting('synchronous_standby_names') AS synchronous_standby_names,
                        current_setting('transaction_isolation') AS isolation,
                        current_setting('statement_timeout') AS statement_timeout,
                        coalesce(current_setting('driveline.words', true), '') AS words,
                        pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
                        (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock",
                )
                .get_result(connection)
            })
        })
        .await
    }

    /// Asks the database whether it is still well, over a connection that is kept for this.
    ///
    /// # Errors
    /// [`StoreError`] if it does not say.
    pub async fn look(&self) -> Result<Look, StoreError> {
        #[derive(QueryableByName)]
        struct Answer {
            #[diesel(sql_type = Bool)]
            read_only: bool,
            #[diesel(sql_type = BigInt)]
            clock: i64,
        }
        self.health(|connection| {
            let Answer { read_only, clock } = diesel::sql_query(
                "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock",
            )
            .get_result(connection)?;
            Ok(Look { read_only, clock, pending: pending(connection)? })
        })
        .await
    }

    /// Whether two statements of one connection may reach two sessions of the server, as they do behind a pooler that lends
    /// sessions for a transaction.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not say.
    pub async fn shares_sessions(&self) -> Result<bool, StoreError> {
        let url = self.writer_url();
        blocking(move || shares_sessions(&url)).await?
    }
}

/// One connection asks twice who serves it; meanwhile another holds a transaction open, for which a pooler of that kind gives
/// away the session that it has just got back.
fn shares_sessions(url: &str) -> Result<bool, StoreError> {
    #[derive(QueryableByName)]
    struct Session {
        #[diesel(sql_type = BigInt)]
        pid: i64,
    }
    let session = |connection: &mut PgConnection| -> Result<i64, StoreError> {
        diesel::sql_query("SELECT pg_backend_pid()::bigint AS pid")
            .get_result::<Session>(connection)
            .map(|session| session.pid)
            .map_err(classify_error)
    };
    // Nothing that is asked here has a name, or the question would itself meet somebody else's statement.
    let open = || establish(url, Pooler::Transaction).map_err(crate::platform::db::unavailable);
    let mut first = open()?;
    let mut others = [open()?, open()?, open()?];
    let before = session(&mut first)?;
    for other in &mut others {
        other.batch_execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '20s'").map_err(classify_error)?;
        if session(other)? == before {
            return Ok(true);
        }
    }
    Ok(session(&mut first)? != before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> Examination {
        Examination {
            server_encoding: "UTF8".to_owned(),
            fsync: "on".to_owned(),
            full_page_writes: "on".to_owned(),
            synchronous_commit: "on".to_owned(),
            synchronous_standby_names: String::new(),
            isolation: "read committed".to_owned(),
            statement_timeout: "5s".to_owned(),
            words: IN_ENGLISH.to_owned(),
            read_only: false,
            clock: 0,
        }
    }

    #[test]
    fn a_sound_database_has_nothing_to_put_right() {
        assert!(sound().refusals().is_empty());
        assert!(sound().not_durable().is_empty());
        assert!(!sound().waits_for_a_standby());
    }

    #[test]
    fn each_thing_that_promises_rest_on_is_one_line() {
        for (spoil, word) in [
            ((|it| it.server_encoding = "SQL_ASCII".to_owned()) as fn(&mut Examination), "UTF8"),
            (|it| it.isolation = "serializable".to_owned(), "read committed"),
            (|it| it.words = "Division durch Null".to_owned(), "English"),
        ] {
            let mut spoilt = sound();
            spoil(&mut spoilt);
            let lines = spoilt.refusals();
            assert!(matches!(lines.as_slice(), [line] if line.contains(word)), "{lines:?}");
        }
        for spoil in [
            (|it| it.fsync = "off".to_owned()) as fn(&mut Examination),
            |it| it.full_page_writes = "off".to_owned(),
            |it| it.synchronous_commit = "local".to_owned(),
        ] {
            let mut spoilt = sound();
            spoil(&mut spoilt);
            assert_eq!(spoilt.not_durable().len(), 1);
        }
    }

    #[test]
    fn a_commit_waits_for_a_standby_only_if_one_is_named() {
        let named = Examination { synchronous_standby_names: "ANY 1 (n2, n3)".to_owned(), ..sound() };
        assert!(named.waits_for_a_standby());
    }
}
