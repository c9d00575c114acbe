//! Drawing documents.

use async_trait::async_trait;
use domain::{Confirmation, Invoice, PackingSlip};
use thiserror::Error;

use crate::platform::error::Cause;

/// Why a document was not drawn.
#[derive(Debug, Error)]
pub enum RenderError {
    /// As many documents as may wait are being drawn. Nothing was begun: ask again.
    #[error("too many documents are being drawn")]
    Busy,
    /// The drawing failed: a bug.
    #[error("the document cannot be drawn")]
    Failed(#[source] Cause),
}

/// Draws documents. The same document always gives the same bytes: neither clock nor chance is in them. No text whatsoever
/// makes it fail: what its fonts cannot show becomes a replacement character.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait DocumentRenderer: Send + Sync {
    /// An invoice or a credit note as PDF, with its XML inside.
    async fn pdf(&self, invoice: Invoice) -> Result<Vec<u8>, RenderError>;

    /// An invoice or a credit note as UBL 2.1, as EN 16931 has it.
    async fn xml(&self, invoice: Invoice) -> Result<Vec<u8>, RenderError>;

    /// Packing slips as one PDF, each beginning on a page of its own.
    async fn packing_slips(&self, slips: Vec<PackingSlip>) -> Result<Vec<u8>, RenderError>;

    /// An order confirmation as PDF.
    async fn confirmation(&self, confirmation: Confirmation) -> Result<Vec<u8>, RenderError>;
}
