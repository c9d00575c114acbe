//! What a failure of the database means: whether another try may help, and whether the connection is still good.
//!
//! Diesel 2.3 hands on the SQLSTATE of a dozen errors and only the server's words for all others, so those are told apart by
//! their words. That they are English is seen to by the session ([`super::session`]) and checked at the start
//! ([`crate::platform::examine`]).

use std::error::Error as StdError;

use diesel::result::{DatabaseErrorKind, Error};
use ports::StoreError;

use crate::platform::idempotency::KeyReused;

pub(crate) fn unavailable(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(cause.into())
}

pub(crate) fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Internal(cause.into())
}

/// A failed query, by whether it is worth another try in a moment.
pub(crate) fn classify_error(error: Error) -> StoreError {
    match &error {
        Error::QueryBuilderError(cause) if cause.is::<KeyReused>() => StoreError::KeyReused,
        _ if is_passing(&error) => unavailable(error),
        _ => internal(error),
    }
}

/// What a failure says of the connection that it happened on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The statement was at fault, if anything.
    Kept,
    /// It has to prove itself before it is used again.
    Doubted,
    /// It is closed, and so may all others be that are as old.
    Lost,
}

pub(super) fn trust_after(error: &Error) -> Trust {
    match error {
        // A server that takes no writes (25006) has become a replica: what leads to the writer is another connection.
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
        // Whatever has no kind of its own, whether we understand its words or not.
        Error::DatabaseError(DatabaseErrorKind::Unknown, _) => Trust::Doubted,
        error if is_passing(error) => Trust::Doubted,
        _ => Trust::Kept,
    }
}

/// Whether a step of a migration gave up waiting for a lock, so that it did nothing and may be tried again.
pub(crate) fn is_lock_timeout(error: &(dyn StdError + 'static)) -> bool {
    error.to_string().contains("canceling statement due to lock timeout") || error.source().is_some_and(is_lock_timeout)
}

fn is_passing(error: &Error) -> bool {
    match error {
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::SerializationFailure
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::ReadOnlyTransaction,
            _,
        )
        | Error::BrokenTransactionManager => true,
        Error::DatabaseError(DatabaseErrorKind::Unknown, info) => is_passing_trouble(info.message()),
        Error::RollbackErrorOnCommit { commit_error, rollback_error } => {
            is_passing(commit_error) || is_passing(rollback_error)
        }
        _ => false,
    }
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
        "No space left on device",
        // PgBouncer's own.
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

/// Whether a server was reached that takes no writes: a replica, or one that was set to read-only.
pub(crate) fn is_read_only(error: &(dyn StdError + 'static)) -> bool {
    let said = error.to_string();
    ["session is read-only", "server is in hot standby mode", "cannot execute"].iter().any(|words| said.contains(words))
        || error.source().is_some_and(is_read_only)
}

/// Whether the server refused us for what somebody wrote: trying again does not mend a wrong password.
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
    // PgBouncer says the same of a database that nobody has told it of.
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
    fn passing_trouble_is_told_apart_from_defects() {
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

    #[test]
    fn a_connection_is_doubted_after_whatever_is_not_understood_and_closed_once_it_takes_no_writes() {
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
    fn what_a_person_has_to_mend_is_told_apart_from_what_passes() {
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
