//! Checks whether a database has the settings that the shop's guarantees depend on.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use ports::StoreError;

use crate::Database;
use crate::migrations::pending;
use crate::platform::db::errors::{is_read_only, is_refusal, note_language};
use crate::platform::db::{Pooler, blocking, classify_error, establish};

/// Postgres' English message for a division by zero.
const IN_ENGLISH: &str = "division by zero";

/// What a database reports about itself, over a session with the shop's settings.
#[derive(Debug, Clone, PartialEq, Eq, QueryableByName)]
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
    /// Its message for a division by zero.
    #[diesel(sql_type = Text)]
    pub words: String,
    #[diesel(sql_type = Bool)]
    pub read_only: bool,
    /// Its clock, in milliseconds since 1970.
    #[diesel(sql_type = BigInt)]
    pub clock: i64,
}

impl Examination {
    /// What has to be fixed before the shop may use this database, one line each.
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
        lines
    }

    /// What is less clear than it could be, one line each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let line = format!(
            "the server's messages are not in English ({:?}), so that its own trouble and our mistakes are told apart less well: ALTER ROLE ... SET lc_messages = 'C', as a superuser",
            self.words
        );
        if self.speaks_english() { Vec::new() } else { vec![line] }
    }

    fn speaks_english(&self) -> bool {
        self.words == IN_ENGLISH
    }

    /// Settings that let a crash of the server's machine lose or corrupt acknowledged commits, one line each.
    #[must_use]
    pub fn not_durable(&self) -> Vec<String> {
        [("fsync", &self.fsync), ("full_page_writes", &self.full_page_writes)]
            .into_iter()
            .filter(|(_, value)| *value == "off")
            .chain(
                // A direct session sets it for itself; a pooler's session does not.
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

/// What the monitor checks of a database every second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// It accepts no writes.
    pub read_only: bool,
    /// Its clock, in milliseconds since 1970.
    pub clock: i64,
    /// The names of the migrations that this version knows and the database has not applied.
    pub pending: Vec<String>,
}

/// Why no connection to the database could be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectFailure {
    /// It is unavailable or does not answer yet: a retry may help.
    Unavailable,
    /// It answers but accepts no writes: a replica, or set to read-only.
    ReadOnly,
    /// It refuses us because of our configuration: a retry does not fix that.
    Refused,
}

impl ConnectFailure {
    /// Classifies an error of [`Database::wait`].
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
    /// Reads the settings that the shop depends on.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn examine(&self) -> Result<Examination, StoreError> {
        let examining = self.health(|connection| {
            connection.transaction(|connection| {
                // A caught error yields its message without a line in the server's log.
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
                .get_result::<Examination>(connection)
            })
        });
        let examination = examining.await?;
        note_language(examination.speaks_english());
        Ok(examination)
    }

    /// Reads whether the database is writable and up to date, over a connection that is reserved for health checks.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
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

    /// Whether two statements of one connection may reach two sessions of the server, as they do behind a pooler in
    /// transaction mode.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn shares_sessions(&self) -> Result<bool, StoreError> {
        let url = self.writer_url();
        blocking(move || shares_sessions(&url)).await?
    }
}

/// One connection asks twice for its backend's process id. In between, other connections open transactions, to which a
/// pooler in transaction mode assigns the session that it just got back.
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
    // Without named statements, or this check would itself run into another client's statement.
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
    fn a_sound_database_has_nothing_to_fix() {
        assert!(sound().refusals().is_empty());
        assert!(sound().not_durable().is_empty());
        assert!(!sound().waits_for_a_standby());
    }

    #[test]
    fn each_wrong_setting_is_reported_in_one_line() {
        for (spoil, word) in [
            ((|it| it.server_encoding = "SQL_ASCII".to_owned()) as fn(&mut Examination), "UTF8"),
            (|it| it.isolation = "serializable".to_owned(), "read committed"),
        ] {
            let mut spoilt = sound();
            spoil(&mut spoilt);
            let lines = spoilt.refusals();
            assert!(matches!(lines.as_slice(), [line] if line.contains(word)), "{lines:?}");
        }
        let foreign = Examination { words: "Division durch Null".to_owned(), ..sound() };
        assert!(foreign.refusals().is_empty());
        assert!(matches!(foreign.remarks().as_slice(), [line] if line.contains("Division durch Null")));
        assert!(sound().remarks().is_empty());
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
