//! How the world fails.

use std::error::Error as StdError;

use thiserror::Error;

pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

/// Why a store could not answer.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database is away, overloaded or too slow: worth another try in a moment. Nothing was changed, unless the
    /// connection broke, or the wait for it ended, while a change was being made.
    #[error("the database does not answer")]
    Unavailable(#[source] Cause),
    /// The database answered something that the code does not understand: a defect of ours.
    #[error("the database and the code disagree")]
    Internal(#[source] Cause),
    /// The idempotency key belongs to another request, whose work is kept. Nothing was changed.
    #[error("the idempotency key belongs to another request")]
    KeyReused,
}

/// Why a provider (payments, Google, the image host) could not answer.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// It did not answer in time, or said that it cannot now. It may have acted.
    #[error("the provider does not answer")]
    Unavailable(#[source] Cause),
    /// It answered something that makes no sense.
    #[error("the provider's answer makes no sense")]
    Nonsense(#[source] Cause),
}
