//! VAT numbers without a register.

use async_trait::async_trait;
use domain::VatId;
use ports::{ProviderError, VatAnswer, VatCheck};

/// Asks nobody, and therefore confirms nothing: a number has the form of its country, or it would be no [`VatId`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfflineVatCheck;

#[async_trait]
impl VatCheck for OfflineVatCheck {
    async fn check(&self, _id: &VatId) -> Result<VatAnswer, ProviderError> {
        Ok(VatAnswer::Unchecked)
    }
}
