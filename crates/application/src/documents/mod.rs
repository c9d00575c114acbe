//! Documents: invoices, credit notes, packing slips, confirmations, and the seller that they name.

use std::sync::Arc;

use domain::accounts::access::Denied;
use domain::{Caller, Confirmation, Email, Invoice, InvoiceId, PackedLine, PackingSlip, Permission, Seller};
use ports::{
    AccountRepository, DocumentRenderer, DocumentRepository, InvoiceSummary, Page, Pagination, PrintedPurchase,
    ProviderError, PurchaseId, RenderError,
};

use crate::{Failure, Ports};

/// A drawn document, with the name that its file gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Documents, and the seller that they name.
#[derive(Clone)]
pub struct Documents {
    accounts: Arc<dyn AccountRepository>,
    repository: Arc<dyn DocumentRepository>,
    renderer: Arc<dyn DocumentRenderer>,
}

impl Documents {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            accounts: Arc::clone(&ports.accounts),
            repository: Arc::clone(&ports.documents),
            renderer: Arc::clone(&ports.document_renderer),
        }
    }

    /// An account's invoices and credit notes, latest first; without `address` the caller's own. An address without an
    /// account has none.
    ///
    /// # Errors
    /// [`Failure::Denied`] for those of another account, except to an admin.
    pub async fn invoices_of(
        &self,
        caller: &Caller,
        address: Option<&str>,
        page: Pagination<InvoiceId>,
    ) -> Result<Page<InvoiceSummary, InvoiceId>, Failure> {
        let address = address.unwrap_or(caller.email.as_str());
        caller.require_self(Permission::ListOrdersOf, address)?;
        let none = Page::empty(0);
        let Ok(email) = address.parse::<Email>() else { return Ok(none) };
        let owner = if email == caller.email {
            caller.account
        } else {
            match self.accounts.by_email(&email).await? {
                Some(found) => found.account.id,
                None => return Ok(none),
            }
        };
        Ok(self.repository.invoices_of(owner, page).await?)
    }

    /// The documents about a purchase that the caller was already allowed to read, in the order in which they were issued.
    ///
    /// # Errors
    /// [`Unavailable`](crate::Unavailable) if the store failed.
    pub async fn invoices_about(&self, purchase: PurchaseId) -> Result<Vec<InvoiceSummary>, Failure> {
        Ok(self.repository.invoices_about(purchase).await?)
    }

    /// An invoice or a credit note.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it belongs to another account or does not exist.
    pub async fn invoice(&self, caller: &Caller, id: InvoiceId) -> Result<Invoice, Failure> {
        let stored = self.repository.invoice(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, stored.owner)?;
        Ok(stored.invoice)
    }

    /// An invoice or a credit note as PDF.
    ///
    /// # Errors
    /// As [`Self::invoice`].
    pub async fn invoice_pdf(&self, caller: &Caller, id: InvoiceId) -> Result<Drawn, Failure> {
        let invoice = self.invoice(caller, id).await?;
        let name = format!("{}.pdf", invoice.facts().number);
        Ok(Drawn { name, bytes: self.renderer.pdf(invoice).await.map_err(not_drawn)? })
    }

    /// An invoice or a credit note as XML.
    ///
    /// # Errors
    /// As [`Self::invoice`].
    pub async fn invoice_xml(&self, caller: &Caller, id: InvoiceId) -> Result<Drawn, Failure> {
        let invoice = self.invoice(caller, id).await?;
        let name = format!("{}.xml", invoice.facts().number);
        Ok(Drawn { name, bytes: self.renderer.xml(invoice).await.map_err(not_drawn)? })
    }

    /// What goes into the parcel of a purchase.
    ///
    /// # Errors
    /// [`Failure::Denied`] if it belongs to another account, was cancelled or does not exist.
    pub async fn packing_slip(&self, caller: &Caller, purchase: PurchaseId) -> Result<Drawn, Failure> {
        let slip = self.slip(caller, purchase).await?;
        let name = format!("{}-packing-slip.pdf", slip.facts.number);
        self.slips(name, vec![slip]).await
    }

    /// What goes into the parcels of several purchases, as one document, in their order. One that was cancelled meanwhile is left
    /// out.
    ///
    /// # Errors
    /// As [`Self::packing_slip`], if none is left.
    pub async fn packing_slips(&self, caller: &Caller, purchases: &[PurchaseId]) -> Result<Drawn, Failure> {
        let mut slips = Vec::with_capacity(purchases.len());
        for purchase in purchases {
            match self.slip(caller, *purchase).await {
                Ok(slip) => slips.push(slip),
                Err(Failure::Denied(Denied::NotFound)) => {}
                Err(failure) => return Err(failure),
            }
        }
        if slips.is_empty() {
            return Err(Denied::NotFound.into());
        }
        self.slips("packing-slips.pdf".to_owned(), slips).await
    }

    async fn slips(&self, name: String, slips: Vec<PackingSlip>) -> Result<Drawn, Failure> {
        Ok(Drawn { name, bytes: self.renderer.packing_slips(slips).await.map_err(not_drawn)? })
    }

    async fn slip(&self, caller: &Caller, purchase: PurchaseId) -> Result<PackingSlip, Failure> {
        let PrintedPurchase { facts, lines, .. } = self.purchase(caller, purchase).await?;
        let lines = lines.into_iter().map(|line| PackedLine {
            order: line.order,
            part_number: line.part_number,
            name: line.name,
            quantity: line.quantity,
        });
        Ok(PackingSlip { facts, lines: lines.collect() })
    }

    /// What a purchase is, at which prices.
    ///
    /// # Errors
    /// As [`Self::packing_slip`].
    pub async fn confirmation(&self, caller: &Caller, purchase: PurchaseId) -> Result<Drawn, Failure> {
        let PrintedPurchase { facts, freight_waits, lines, .. } = self.purchase(caller, purchase).await?;
        let name = format!("{}-confirmation.pdf", facts.number);
        let confirmation = Confirmation::new(facts, freight_waits, lines)
            .map_err(|why| not_drawn(RenderError::Failed(Box::new(why))))?;
        Ok(Drawn { name, bytes: self.renderer.confirmation(confirmation).await.map_err(not_drawn)? })
    }

    async fn purchase(&self, caller: &Caller, purchase: PurchaseId) -> Result<PrintedPurchase, Failure> {
        let found = self.repository.purchase(purchase).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, found.owner)?;
        Ok(found)
    }

    /// The seller that documents name from now on.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn seller(&self, caller: &Caller) -> Result<Seller, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.seller().await?)
    }

    /// Replaces the seller. Documents that were issued keep theirs.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn set_seller(&self, caller: &Caller, seller: &Seller) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.set_seller(seller).await?)
    }
}

/// A queue that is full is worth another try; a drawing that failed is not.
fn not_drawn(error: RenderError) -> Failure {
    match error {
        RenderError::Busy => ProviderError::Unavailable(Box::new(error)).into(),
        RenderError::Failed(_) => ProviderError::InvalidResponse(Box::new(error)).into(),
    }
}

#[cfg(test)]
mod tests;
