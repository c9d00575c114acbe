//! The registers of VAT numbers.

use async_trait::async_trait;
use domain::VatId;

use crate::ProviderError;

/// What a register says of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VatAnswer {
    /// Somebody has it.
    Confirmed,
    /// Nobody has it.
    Unknown,
    /// No register was asked. That is no confirmation.
    Unchecked,
}

/// Asks the register of the number's country.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait VatCheck: Send + Sync {
    /// What the register says. An error is no confirmation either.
    async fn check(&self, id: &VatId) -> Result<VatAnswer, ProviderError>;
}
