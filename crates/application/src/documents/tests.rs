use domain::{AccountId, CheckoutId, InvoiceKind, InvoiceNumber, Money, OrderId, Role, Text};
use ports::{MockDocumentRepository, PurchaseId};
use uuid::Uuid;

use super::*;
use crate::testing::{caller, now, ports};

fn documents(repository: MockDocumentRepository) -> Documents {
    Documents { repository: Arc::new(repository), ..Documents::new(&ports()) }
}

fn id() -> InvoiceId {
    InvoiceId::new(Uuid::from_u128(1))
}

/// A document about the order 2.
fn summary(kind: InvoiceKind, cents: i64) -> InvoiceSummary {
    InvoiceSummary {
        id: id(),
        number: InvoiceNumber::new(kind, 1).unwrap(),
        issued_at: now(),
        order: Some(OrderId::new(Uuid::from_u128(2))),
        checkout: None,
        total: Money::from_cents(cents).unwrap(),
    }
}

fn seller() -> Seller {
    Seller {
        name: Text::new("Driveline").unwrap(),
        line1: Text::new("1 Main Street").unwrap(),
        line2: None,
        city: Text::new("Dayton").unwrap(),
        region: Some(Text::new("OH").unwrap()),
        postcode: Some(Text::new("45402").unwrap()),
        country: "US".parse().unwrap(),
        tax_id: None,
        email: "orders@example.com".parse().unwrap(),
        phone: None,
        terms: None,
    }
}

#[tokio::test]
async fn a_document_that_never_was_is_not_found_and_nothing_is_drawn() {
    let mut repository = MockDocumentRepository::new();
    repository.expect_invoice().returning(|_| Ok(None));
    repository.expect_purchase().returning(|_| Ok(None));
    let (service, customer) = (documents(repository), caller(Role::Customer));
    let not_found = |refused| matches!(refused, Err(Failure::Denied(Denied::NotFound)));
    assert!(not_found(service.invoice(&customer, id()).await.map(drop)));
    assert!(not_found(service.invoice_pdf(&customer, id()).await.map(drop)));
    assert!(not_found(service.invoice_xml(&customer, id()).await.map(drop)));
    let order = PurchaseId::Order(OrderId::new(Uuid::from_u128(2)));
    assert!(not_found(service.packing_slip(&customer, order).await.map(drop)));
    let checkout = PurchaseId::Checkout(CheckoutId::new(Uuid::from_u128(3)));
    assert!(not_found(service.confirmation(&customer, checkout).await.map(drop)));
}

#[tokio::test]
async fn a_customer_lists_only_their_own_documents() {
    let customer = caller(Role::Customer);
    let own: AccountId = customer.account;
    let mut repository = MockDocumentRepository::new();
    repository.expect_invoices_of().withf(move |owner, _| *owner == own).returning(|_, _| Ok(Page::empty(7)));
    let service = documents(repository);
    for address in [None, Some("customer@example.com"), Some("CUSTOMER@example.com")] {
        assert_eq!(service.invoices_of(&customer, address, Pagination::whole()).await.unwrap().total, 7);
    }
    let refused = service.invoices_of(&customer, Some("other@example.com"), Pagination::whole()).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
}

#[tokio::test]
async fn the_documents_about_a_purchase_are_in_the_order_in_which_they_were_issued() {
    let issued = || vec![summary(InvoiceKind::Invoice, 11_900), summary(InvoiceKind::Credit, 2_380)];
    let order = PurchaseId::Order(OrderId::new(Uuid::from_u128(2)));
    let mut repository = MockDocumentRepository::new();
    repository.expect_invoices_about().times(1).withf(move |of| *of == order).returning(move |_| Ok(issued()));
    assert_eq!(documents(repository).invoices_about(order).await.unwrap(), issued());
}

#[tokio::test]
async fn only_an_admin_reads_and_changes_the_seller() {
    // No repository may be called.
    let (service, customer) = (documents(MockDocumentRepository::new()), caller(Role::Customer));
    assert!(matches!(service.seller(&customer).await, Err(Failure::Denied(Denied::Forbidden))));
    assert!(matches!(service.set_seller(&customer, &seller()).await, Err(Failure::Denied(Denied::Forbidden))));
}

#[tokio::test]
async fn an_admin_replaces_the_seller_that_documents_name() {
    let mut repository = MockDocumentRepository::new();
    repository.expect_set_seller().times(1).withf(|named| *named == seller()).returning(|_| Ok(()));
    documents(repository).set_seller(&caller(Role::Admin), &seller()).await.unwrap();
}
