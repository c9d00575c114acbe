//! How stores and providers fail.

use std::error::Error as StdError;

use thiserror::Error;

pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

/// Why a store operation failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database is unavailable, overloaded or too slow: retry later. Nothing was changed, unless the connection was
    /// lost or timed out during a write; then the write may have been committed.
    #[error("the database does not answer")]
    Unavailable(#[source] Cause),
    /// The database returned something that the code does not expect: a bug.
    #[error("the database and the code disagree")]
    Internal(#[source] Cause),
    /// The idempotency key was used by another request, whose effect is stored. Nothing was changed.
    #[error("the idempotency key belongs to another request")]
    KeyReused,
    /// The same request has claimed its idempotency key or has a response under it: claim the key first. Nothing was
    /// changed.
    #[error("the idempotency key is claimed")]
    KeyClaimed,
}

/// Why a write did not happen.
#[derive(Debug, Error)]
pub enum WriteError<R> {
    /// The rule that stands in its way, as the store sees it; nothing was changed.
    #[error(transparent)]
    Refused(R),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a call to a provider (payments, Google, the image host) failed.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// It did not answer in time, or answered that it is unavailable. It may have acted on the request.
    #[error("the provider does not answer")]
    Unavailable(#[source] Cause),
    /// It returned a response that makes no sense.
    #[error("the provider's answer makes no sense")]
    InvalidResponse(#[source] Cause),
}

/// An error and its causes on one line, for a log or an admin: `the database does not answer: connection refused`.
///
/// A cause that the error's text already contains is not repeated.
#[must_use]
pub fn error_chain(error: &dyn StdError) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !line.contains(&said) {
            line.push_str(": ");
            line.push_str(&said);
        }
        cause = error.source();
    }
    // Postgres' client library ends its sentences with line breaks, and writes one per address that it tried.
    line.lines().map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Error)]
    #[error("it failed: {0}")]
    struct Repeats(#[source] StoreError);

    #[test]
    fn causes_follow_on_one_line_and_are_not_repeated() {
        let cause = std::io::Error::other("connection refused\n\tby 127.0.0.1\n");
        let error = StoreError::Unavailable(Box::new(cause));
        assert_eq!(error_chain(&error), "the database does not answer: connection refused; by 127.0.0.1");
        let repeats = Repeats(StoreError::KeyReused);
        assert_eq!(error_chain(&repeats), "it failed: the idempotency key belongs to another request");
    }
}
