//! Exemptions from tax.

use async_trait::async_trait;
use domain::{AccountId, Email, Exemption, ExemptionId, Timestamp};
use thiserror::Error;

use crate::{StoreError, WriteError};

/// The account has an exemption of this kind for this place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the account has such an exemption already")]
pub struct ExemptionRepeated;

/// How many exemptions are listed at most.
pub const EXEMPTIONS_MAX: usize = 1_000;

/// An exemption with the address of its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedExemption {
    /// The exemption.
    pub exemption: Exemption,
    /// The account's address.
    pub email: Email,
}

/// Who pays no tax where.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait Exemptions: Send + Sync {
    /// The exemptions, those entered last first; at most [`EXEMPTIONS_MAX`].
    async fn list(&self) -> Result<Vec<ListedExemption>, StoreError>;

    /// The exemptions of an account, valid or not.
    async fn of(&self, account: AccountId) -> Result<Vec<Exemption>, StoreError>;

    /// Adds an exemption.
    async fn add(&self, exemption: &Exemption, at: Timestamp) -> Result<(), WriteError<ExemptionRepeated>>;

    /// Removes an exemption. `false` if there is no such exemption.
    async fn remove(&self, id: ExemptionId) -> Result<bool, StoreError>;
}
