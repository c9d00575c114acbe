//! Invoices and credit notes, the seller, and what purchases say.

use async_trait::async_trait;
use domain::{
    AccountId, CheckoutId, DocumentLine, Invoice, InvoiceId, InvoiceNumber, Money, OrderId, Seller, SheetFacts,
    Timestamp,
};

use crate::{Page, Pagination, StoreError};

/// What was bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PurchaseId {
    /// One order, also one of a checkout.
    Order(OrderId),
    /// All orders of a checkout.
    Checkout(CheckoutId),
}

/// A document with whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredInvoice {
    /// The document.
    pub invoice: Invoice,
    /// The account that bought.
    pub owner: AccountId,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceSummary {
    /// Its id.
    pub id: InvoiceId,
    /// Its number, which says which document it is.
    pub number: InvoiceNumber,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// The order, of a document about one.
    pub order: Option<OrderId>,
    /// The checkout, of a document about lines of one.
    pub checkout: Option<CheckoutId>,
    /// What it comes to.
    pub total: Money,
}

/// What a purchase says now, without what of it was cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedPurchase {
    /// The account that bought.
    pub owner: AccountId,
    /// All but its lines.
    pub facts: SheetFacts,
    /// Whether its freight waits for a figure.
    pub freight_waits: bool,
    /// Its lines; at least one.
    pub lines: Vec<DocumentLine>,
}

/// Documents that were issued, and what others are drawn from. They are issued by the store itself, in the transaction that
/// settles, ships on account or refunds.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait DocumentRepository: Send + Sync {
    /// A document by its id.
    async fn invoice(&self, id: InvoiceId) -> Result<Option<StoredInvoice>, StoreError>;

    /// An account's documents, latest first.
    async fn invoices_of(
        &self,
        owner: AccountId,
        page: Pagination<InvoiceId>,
    ) -> Result<Page<InvoiceSummary, InvoiceId>, StoreError>;

    /// The documents about a purchase, in the order in which they were issued. Those of an order are the invoice that it is
    /// on, and its own credit notes.
    async fn invoices_about(&self, purchase: PurchaseId) -> Result<Vec<InvoiceSummary>, StoreError>;

    /// What a purchase says now; `None` if there is none, or all of it was cancelled.
    async fn purchase(&self, purchase: PurchaseId) -> Result<Option<PrintedPurchase>, StoreError>;

    /// The shop as the seller.
    async fn seller(&self) -> Result<Seller, StoreError>;

    /// Replaces the seller. Documents that were issued keep theirs.
    async fn set_seller(&self, seller: &Seller) -> Result<(), StoreError>;
}
