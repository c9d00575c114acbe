//! Classifies database errors: whether a retry may help, and whether the connection is still usable.
//!
//! Constraints are recognised by their names, and a dozen errors by the SQLSTATE that Diesel 2.3 reads. It hides the SQLSTATE
//! of all others, so those are classified by the server's sentence where it is English: the session asks for that
//! ([`super::session`]), and a check at startup says whether it was granted ([`crate::platform::examine`]). From a server
//! that goes on in another language, by what comes beside the sentence.

use std::error::Error as StdError;
use std::sync::atomic::{AtomicBool, Ordering};

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use ports::StoreError;

use crate::platform::idempotency::{KeyClaimed, is_key_reused};

/// Whether the server's sentences cannot be read. Of the process, which has one database.
static IN_ANOTHER_LANGUAGE: AtomicBool = AtomicBool::new(false);

/// Notes whether the server's sentences are in English.
pub(crate) fn note_language(is_english: bool) {
    IN_ANOTHER_LANGUAGE.store(!is_english, Ordering::Relaxed);
}

/// Whether its sentences can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    English,
    Another,
}

fn language() -> Language {
    if IN_ANOTHER_LANGUAGE.load(Ordering::Relaxed) { Language::Another } else { Language::English }
}

pub(crate) fn unavailable(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(cause.into())
}

pub(crate) fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Internal(cause.into())
}

/// Maps a failed query to a store error, by whether a retry may soon help.
pub(crate) fn classify_error(error: Error) -> StoreError {
    match &error {
        _ if is_key_reused(&error) => StoreError::KeyReused,
        Error::QueryBuilderError(cause) if cause.is::<KeyClaimed>() => StoreError::KeyClaimed,
        _ if is_retryable(&error) => unavailable(error),
        _ => internal(error),
    }
}

/// What an error says about the connection that it occurred on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The connection is fine: at most, the statement was at fault.
    Kept,
    /// It is checked before it is used again.
    Doubted,
    /// It is closed, and so may be all others that are as old.
    Lost,
}

pub(super) fn trust_after(error: &Error) -> Trust {
    match error {
        // A server that refuses writes (25006) has become a replica: only a new connection leads to the writer.
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::ReadOnlyTransaction,
            _,
        ) => Trust::Lost,
        Error::RollbackErrorOnCommit { commit_error, rollback_error } => {
            if [commit_error, rollback_error].iter().any(|error| trust_after(error) == Trust::Lost) {
                Trust::Lost
            } else {
                Trust::Doubted
            }
        }
        // Every error without a kind of its own, whether we understand its message or not.
        Error::DatabaseError(DatabaseErrorKind::Unknown, _) => Trust::Doubted,
        error if is_retryable(error) => Trust::Doubted,
        _ => Trust::Kept,
    }
}

/// Whether a migration gave up waiting for a lock, so that it did nothing and may be retried.
pub(crate) fn is_lock_timeout(error: &(dyn StdError + 'static)) -> bool {
    let of_a_query = match (error.downcast_ref::<Error>(), language()) {
        (Some(Error::DatabaseError(DatabaseErrorKind::Unknown, info)), Language::Another) => is_unexplained(&**info),
        _ => error.to_string().contains("canceling statement due to lock timeout"),
    };
    of_a_query || error.source().is_some_and(is_lock_timeout)
}

/// Whether a retry may soon help.
pub(crate) fn is_retryable(error: &Error) -> bool {
    match error {
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::SerializationFailure
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::ReadOnlyTransaction,
            _,
        )
        | Error::BrokenTransactionManager => true,
        Error::DatabaseError(DatabaseErrorKind::Unknown, info) => is_passing(&**info, language()),
        Error::RollbackErrorOnCommit { commit_error, rollback_error } => {
            is_retryable(commit_error) || is_retryable(rollback_error)
        }
        _ => false,
    }
}

/// A server whose language we cannot read is given the benefit of the doubt: the client comes again, and the log has its
/// sentence.
fn is_passing(info: &dyn DatabaseErrorInformation, language: Language) -> bool {
    is_passing_trouble(info.message()) || language == Language::Another && is_unexplained(info)
}

/// Whether an error blames neither a place in the statement nor a row, as one of the server's own trouble does not.
fn is_unexplained(info: &dyn DatabaseErrorInformation) -> bool {
    let blamed = [info.table_name(), info.column_name(), info.constraint_name()];
    info.statement_position().is_none() && blamed.iter().all(Option::is_none)
}

fn is_passing_trouble(message: &str) -> bool {
    [
        "canceling statement due to",
        "terminating connection due to",
        "deadlock detected",
        "the database system is",
        "server closed the connection",
        "remaining connection slots",
        "too many clients",
        "too many connections",
        "could not connect",
        "no connection to the server",
        "SSL connection has been closed",
        "SSL SYSCALL error",
        "could not receive data from server",
        "could not send data to server",
        "connection to server was lost",
        "out of shared memory",
        "out of memory",
        "No space left on device",
        "Disk quota exceeded",
        "Input/output error",
        // PgBouncer's messages.
        "query_wait_timeout",
        "server conn crashed?",
        "server_login_retry",
        "pgbouncer cannot connect to server",
        "server_lifetime",
        "no more connections allowed",
    ]
    .iter()
    .any(|words| message.contains(words))
}

/// Whether the server that was reached accepts no writes: a replica, or one that was set to read-only.
pub(crate) fn is_read_only(error: &(dyn StdError + 'static)) -> bool {
    if let Some(Error::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _)) = error.downcast_ref() {
        return true;
    }
    // What our own end says of a server that it would not use; it is always in English.
    let said = error.to_string();
    ["session is read-only", "server is in hot standby mode"].iter().any(|words| said.contains(words))
        || error.source().is_some_and(is_read_only)
}

/// Whether the server refused us because of our configuration: a retry does not fix a wrong password. What a server says of it
/// in another language is taken for an outage, and its sentence is logged.
pub(crate) fn is_refusal(error: &(dyn StdError + 'static)) -> bool {
    const REFUSALS: [&str; 7] = [
        "password authentication failed",
        "no password supplied",
        "invalid connection option",
        "invalid URI query parameter",
        "invalid port number",
        "invalid sslmode value",
        "invalid target_session_attrs value",
    ];
    // PgBouncer says the same of a database that it is not configured for.
    const MISSING: [&str; 4] = ["database \"", "role \"", "no such database", "no such user"];
    let said = error.to_string();
    REFUSALS.iter().any(|words| said.contains(words))
        || MISSING.iter().any(|words| said.contains(words))
            && (said.contains("does not exist") || said.contains("no such"))
        || error.source().is_some_and(is_refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(kind: DatabaseErrorKind, message: &str) -> Error {
        Error::DatabaseError(kind, Box::new(message.to_owned()))
    }

    #[test]
    fn transient_errors_are_distinguished_from_defects() {
        for (kind, message) in [
            (DatabaseErrorKind::ClosedConnection, "gone"),
            (DatabaseErrorKind::SerializationFailure, "could not serialize access"),
            (DatabaseErrorKind::Unknown, "canceling statement due to lock timeout"),
            (DatabaseErrorKind::Unknown, "terminating connection due to administrator command"),
            (DatabaseErrorKind::Unknown, "deadlock detected"),
        ] {
            assert!(matches!(classify_error(failed(kind, message)), StoreError::Unavailable(_)), "{message}");
        }
        for (kind, message) in [
            (DatabaseErrorKind::CheckViolation, "products_available_check"),
            (DatabaseErrorKind::UniqueViolation, "orders_pkey"),
            (DatabaseErrorKind::Unknown, "syntax error at or near"),
        ] {
            assert!(matches!(classify_error(failed(kind, message)), StoreError::Internal(_)), "{message}");
        }
    }

    struct Sentence {
        position: Option<i32>,
        table: Option<&'static str>,
    }

    impl DatabaseErrorInformation for Sentence {
        fn message(&self) -> &'static str {
            "eine Störung"
        }
        fn details(&self) -> Option<&str> {
            None
        }
        fn hint(&self) -> Option<&str> {
            None
        }
        fn table_name(&self) -> Option<&str> {
            self.table
        }
        fn column_name(&self) -> Option<&str> {
            None
        }
        fn constraint_name(&self) -> Option<&str> {
            None
        }
        fn statement_position(&self) -> Option<i32> {
            self.position
        }
    }

    #[test]
    fn in_another_language_an_error_that_blames_no_statement_and_no_row_passes() {
        let plain = Sentence { position: None, table: None };
        assert!(is_passing(&plain, Language::Another));
        assert!(!is_passing(&plain, Language::English));
        for blaming in [Sentence { position: Some(8), table: None }, Sentence { position: None, table: Some("orders") }]
        {
            assert!(!is_passing(&blaming, Language::Another));
        }
    }

    #[test]
    fn a_server_that_refuses_writes_is_recognised_whatever_it_says() {
        let refused = failed(DatabaseErrorKind::ReadOnlyTransaction, "INSERT kann nicht ausgeführt werden");
        assert!(is_read_only(&classify_error(refused)));
        assert!(!is_read_only(&classify_error(failed(DatabaseErrorKind::ClosedConnection, "gone"))));
    }

    #[test]
    fn an_unknown_error_makes_a_connection_suspect_and_a_read_only_one_discards_it() {
        for (kind, message, trust) in [
            (DatabaseErrorKind::ReadOnlyTransaction, "cannot execute INSERT in a read-only transaction", Trust::Lost),
            (DatabaseErrorKind::ClosedConnection, "gone", Trust::Lost),
            (DatabaseErrorKind::Unknown, "breche Anweisung ab wegen Zeitüberschreitung", Trust::Doubted),
            (DatabaseErrorKind::SerializationFailure, "could not serialize access", Trust::Doubted),
            (DatabaseErrorKind::UniqueViolation, "orders_pkey", Trust::Kept),
        ] {
            assert_eq!(trust_after(&failed(kind, message)), trust, "{message}");
        }
    }

    #[test]
    fn configuration_errors_are_distinguished_from_transient_errors() {
        for said in [
            "FATAL:  password authentication failed for user \"shop\"",
            "FATAL:  database \"shop\" does not exist",
            "FATAL:  role \"shop\" does not exist",
            "invalid connection option \"conect_timeout\"",
        ] {
            assert!(is_refusal(&std::io::Error::other(said)), "{said}");
        }
        for said in [
            "connection to server at \"127.0.0.1\", port 1 failed: Connection refused",
            "FATAL:  the database system is starting up",
            "could not translate host name \"db\" to address: Name or service not known",
            "session is read-only",
        ] {
            assert!(!is_refusal(&std::io::Error::other(said)), "{said}");
        }
    }
}
