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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::notifications::delivery::Topic;
    use domain::{
        Actor, Buyer, DocumentLine, Invoice, InvoiceFacts, InvoiceId, InvoiceNumber, InvoiceSubject, InvoicedPurchase,
        Money, Order, OrderNumber, PrintedTax, Seller, Settlement, Text,
    };
    use ports::{InvoiceSummary, MockDocumentRenderer, MockDocumentRepository, RenderError, StoredInvoice};
    use uuid::Uuid;

    use super::*;
    use crate::notifications::notification::{about_order, about_shipment};
    use crate::testing::{customers_order, meta, notifications, now, paid_order};

    fn text<const MAX: usize>(text: &str) -> Text<MAX> {
        Text::new(text).unwrap()
    }

    fn number(kind: InvoiceKind) -> InvoiceNumber {
        InvoiceNumber::new(kind, 12).unwrap()
    }

    fn id(kind: InvoiceKind) -> InvoiceId {
        InvoiceId::new(Uuid::from_u128(if kind == InvoiceKind::Invoice { 41 } else { 42 }))
    }

    fn summary(kind: InvoiceKind) -> InvoiceSummary {
        InvoiceSummary {
            id: id(kind),
            number: number(kind),
            issued_at: now(),
            order: Some(paid_order().id),
            checkout: None,
            total: paid_order().item.total,
        }
    }

    fn invoice() -> Invoice {
        let seller = Seller {
            name: text("Driveline"),
            line1: text("1 Main Street"),
            line2: None,
            city: text("Dayton"),
            region: None,
            postcode: None,
            country: "US".parse().unwrap(),
            tax_id: None,
            email: "orders@example.com".parse().unwrap(),
            phone: None,
            terms: None,
        };
        let (order, address, price) = (paid_order(), seller.address(), Money::from_cents(500).unwrap());
        let facts = InvoiceFacts {
            id: id(InvoiceKind::Invoice),
            number: number(InvoiceKind::Invoice),
            issued_at: now(),
            subject: InvoiceSubject::Invoice(Settlement::Paid { at: now() }),
            purchase: InvoicedPurchase { order: Some(order.id), checkout: None, number: text("DL-10001") },
            seller,
            buyer: Buyer {
                name: order.contact.name,
                email: order.contact.email,
                phone: order.contact.phone,
                vat_id: None,
                address: address.clone(),
            },
            deliver_to: address,
            po_number: None,
        };
        let line = DocumentLine {
            order: OrderNumber::new(10_001).unwrap(),
            part_number: None,
            name: text("Ventilated brake disc"),
            quantity: 1,
            unit_price: price,
            goods: price,
            freight: Money::ZERO,
            rate: PrintedTax::none(),
            tax: Money::ZERO,
        };
        Invoice::new(facts, vec![line]).unwrap()
    }

    /// A shop that has issued these documents about the order, and whose invoices are drawn so.
    fn having(issued: &[InvoiceKind], drawn: fn() -> Result<Vec<u8>, RenderError>) -> Notifications {
        let listed: Vec<_> = issued.iter().map(|kind| summary(*kind)).collect();
        let mut documents = MockDocumentRepository::new();
        documents
            .expect_invoices_about()
            .withf(|purchase| *purchase == PurchaseId::Order(paid_order().id))
            .returning(move |_| Ok(listed.clone()));
        documents
            .expect_invoice()
            .withf(|asked| *asked == id(InvoiceKind::Invoice))
            .returning(|_| Ok(Some(StoredInvoice { invoice: invoice(), owner: paid_order().customer })));
        let mut document_renderer = MockDocumentRenderer::new();
        document_renderer.expect_pdf().withf(|asked| *asked == invoice()).returning(move |_| drawn());
        Notifications {
            documents: Arc::new(documents),
            document_renderer: Arc::new(document_renderer),
            ..notifications()
        }
    }

    fn receipt(may_repeat_user_input: bool) -> Notification {
        about_order(Topic::OrderPaid, paid_order(), None, may_repeat_user_input).unwrap()
    }

    fn shipped(order: Order) -> Notification {
        let order = order.ship(meta(Actor::Shop)).unwrap().after;
        about_shipment(Topic::OrderShipped, None, order, true).unwrap()
    }

    #[tokio::test]
    async fn a_receipt_and_the_email_about_goods_sent_on_account_bring_the_invoice_and_no_credit_note() {
        let shop = having(&[InvoiceKind::Credit, InvoiceKind::Invoice], || Ok(b"%PDF-1.7".to_vec()));
        for about in [receipt(true), shipped(customers_order())] {
            let (name, bytes) = ("INV-000012.pdf".to_owned(), b"%PDF-1.7".to_vec());
            let expected = [EmailAttachment { name, media_type: "application/pdf", bytes }];
            assert_eq!(shop.attachments(&about).await.unwrap(), expected, "{about:?}");
        }
    }

    #[tokio::test]
    async fn no_invoice_comes_to_an_unconfirmed_address_or_with_an_email_about_anything_else() {
        let placed = about_order(Topic::OrderOrdered, customers_order(), None, true).unwrap();
        for about in [receipt(false), shipped(paid_order()), placed, Notification::PasswordChanged] {
            // No document is even looked up.
            assert_eq!(notifications().attachments(&about).await.unwrap(), [], "{about:?}");
        }
    }

    #[tokio::test]
    async fn an_email_does_not_wait_for_an_invoice_that_is_not_issued_or_cannot_be_drawn() {
        let unissued = having(&[InvoiceKind::Credit], || Ok(Vec::new()));
        let undrawn = having(&[InvoiceKind::Invoice], || Err(RenderError::Busy));
        for shop in [unissued, undrawn] {
            assert_eq!(shop.attachments(&receipt(true)).await.unwrap(), []);
        }
    }
}
