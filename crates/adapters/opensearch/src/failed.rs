//! How searches fail.

use ports::{EngineError, StoreError};
use thiserror::Error;

/// Why a search failed: because of the engine, or of the database that knows the synonyms.
#[derive(Debug, Error)]
pub(crate) enum Failed {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(StoreError),
}

impl From<Failed> for StoreError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Store(error) => error,
            Failed::Engine(error @ (EngineError::InvalidResponse(_) | EngineError::Refused(_))) => {
                Self::Internal(Box::new(error))
            }
            Failed::Engine(error) => Self::Unavailable(Box::new(error)),
        }
    }
}
