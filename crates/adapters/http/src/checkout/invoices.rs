//! The documents of a checkout.

use domain::InvoiceKind;
use ports::InvoiceSummary;
use serde::Serialize;
use utoipa::ToSchema;

/// A document of a checkout.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CheckoutInvoice)]
pub(crate) struct InvoiceView {
    id: String,
    number: String,
    /// `invoice` or `credit`.
    kind: String,
    /// Where it is, as PDF.
    url: String,
}

impl From<InvoiceSummary> for InvoiceView {
    fn from(summary: InvoiceSummary) -> Self {
        let kind = match summary.number.kind() {
            InvoiceKind::Invoice => "invoice",
            InvoiceKind::Credit => "credit",
        };
        Self {
            id: summary.id.to_string(),
            number: summary.number.to_string(),
            kind: kind.to_owned(),
            url: format!("/invoices/{}.pdf", summary.id),
        }
    }
}
