//! Why a use case did not do what was asked.

use std::convert::Infallible;

use domain::SecondFactorNeeded;
use domain::accounts::access::Denied;
use ports::{Busy, ProviderError, StoreError, WriteError};
use thiserror::Error;

/// Why a use case failed. `R` holds the refusals of its own, which a caller treats one by one; what every use case may
/// meet is said here, once. A use case that refuses nothing else is a `Failure` of [`Infallible`], its default.
#[derive(Debug, Error)]
pub enum Failure<R = Infallible> {
    /// The caller may not do it, or must not learn that it exists.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The shop cannot answer now, or has a defect.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The shop refuses this request.
    #[error(transparent)]
    Refused(R),
}

/// What kept the shop from answering. If it was a write, it may have happened.
#[derive(Debug, Error)]
pub enum Unavailable {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A provider failed: payments, Google or the image host.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// Too many passwords are being hashed.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The order was changed by others each time that this call was about to change it.
    #[error("the order is changing too fast")]
    Contended,
}

impl<R> Failure<R> {
    /// The same failure, its refusal turned into another.
    pub(crate) fn map<S>(self, refusal: impl FnOnce(R) -> S) -> Failure<S> {
        match self {
            Self::Denied(denied) => Failure::Denied(denied),
            Self::Unavailable(cause) => Failure::Unavailable(cause),
            Self::Refused(refused) => Failure::Refused(refusal(refused)),
        }
    }
}

impl<R> From<SecondFactorNeeded> for Failure<R> {
    fn from(needed: SecondFactorNeeded) -> Self {
        Self::Denied(needed.into())
    }
}

impl<R> From<WriteError<R>> for Failure<R> {
    fn from(error: WriteError<R>) -> Self {
        match error {
            WriteError::Refused(refusal) => Self::Refused(refusal),
            WriteError::Store(error) => error.into(),
        }
    }
}

impl<R> From<StoreError> for Failure<R> {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.into())
    }
}

impl<R> From<ProviderError> for Failure<R> {
    fn from(error: ProviderError) -> Self {
        Self::Unavailable(error.into())
    }
}

impl<R> From<Busy> for Failure<R> {
    fn from(error: Busy) -> Self {
        Self::Unavailable(error.into())
    }
}
