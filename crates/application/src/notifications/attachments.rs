//! The invoice that comes with the e-mail that says what was paid, or shipped on account.

use domain::{InvoiceKind, OrderId};
use ports::{EmailAttachment, Notification, PurchaseId, StoreError, error_chain};

use crate::Notifications;

impl Notifications {
    /// The invoice as PDF, if the e-mail is one that brings it. The e-mail does not wait for a drawing: without the file, the
    /// invoice is where the customer's others are.
    pub(super) async fn attachments(&self, about: &Notification) -> Result<Vec<EmailAttachment>, StoreError> {
        let Some(order) = brings_invoice(about) else { return Ok(Vec::new()) };
        let listed = self.documents.invoices_about(PurchaseId::Order(order)).await?;
        let Some(invoice) = listed.iter().find(|one| one.number.kind() == InvoiceKind::Invoice) else {
            return Ok(Vec::new());
        };
        let Some(stored) = self.documents.invoice(invoice.id).await? else { return Ok(Vec::new()) };
        let name = format!("{}.pdf", invoice.number);
        match self.document_renderer.pdf(stored.invoice).await {
            Ok(bytes) => Ok(vec![EmailAttachment { name, media_type: "application/pdf", bytes }]),
            Err(error) => {
                let error = error_chain(&error);
                tracing::warn!(error, invoice = %invoice.number, "an e-mail goes without its invoice");
                Ok(Vec::new())
            }
        }
    }
}

/// The order whose invoice comes with an e-mail. One that may not repeat what was typed has none: the document does.
fn brings_invoice(about: &Notification) -> Option<OrderId> {
    match about {
        Notification::OrderPaid { order, .. } | Notification::OrderShipped { order, on_account: true, .. } => {
            order.contact.as_ref().map(|_| order.id)
        }
        _ => None,
    }
}
