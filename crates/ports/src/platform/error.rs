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
