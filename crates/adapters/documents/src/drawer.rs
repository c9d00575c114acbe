//! The port's implementation: documents drawn by a few threads of their own.

use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Confirmation, Invoice, PackingSlip, Timestamp};
use ports::{DocumentRenderer, RenderError};
use thiserror::Error;

use crate::fonts::{Fonts, NoFont};
use crate::pdf::{self, About, Attachment, PdfError};
use crate::pool::Pool;
use crate::sheet::Sheet;
use crate::{sheets, ubl};

/// Threads that draw. A document of a thousand lines keeps one busy for a moment.
const THREADS: usize = 2;
/// Documents that may wait for one of these threads.
const WAITING: usize = 32;

/// Why drawing cannot begin.
#[derive(Debug, Error)]
pub enum StartError {
    /// A font of the program is none.
    #[error("the fonts of documents cannot be read")]
    Fonts,
    /// No thread could be started.
    #[error("the threads that draw documents cannot be started")]
    Threads(#[source] io::Error),
}

impl From<NoFont> for StartError {
    fn from(NoFont: NoFont) -> Self {
        Self::Fonts
    }
}

/// Draws documents: PDF/A-3 with all fonts inside, and UBL 2.1.
pub struct DocumentDrawer {
    fonts: Arc<Fonts>,
    pool: Pool,
}

impl DocumentDrawer {
    /// Reads the fonts and starts the threads.
    ///
    /// # Errors
    /// [`StartError`] if one cannot be read or started.
    pub fn start() -> Result<Self, StartError> {
        let pool = Pool::start(THREADS, WAITING).map_err(StartError::Threads)?;
        Ok(Self { fonts: Arc::new(Fonts::load()?), pool })
    }

    async fn draw<F>(&self, job: F) -> Result<Vec<u8>, RenderError>
    where
        F: FnOnce(&Fonts) -> Result<Vec<u8>, PdfError> + Send + 'static,
    {
        let fonts = Arc::clone(&self.fonts);
        self.pool.run(move || job(&fonts).map_err(|error| RenderError::Failed(Box::new(error)))).await
    }
}

pub(crate) fn invoice_pdf(invoice: &Invoice, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
    let attachment = Attachment {
        name: "invoice.xml",
        description: "This document as UBL 2.1 (EN 16931)",
        bytes: ubl::write(invoice)?,
    };
    let (facts, sheet) = (invoice.facts(), sheets::of_invoice(invoice));
    let about = About { id: facts.id.to_string(), title: sheet.name(), at: facts.issued_at };
    pdf::write(&[sheet], fonts, about, Some(attachment))
}

fn plain_pdf(sheets: &[Sheet], fonts: &Fonts, at: Timestamp) -> Result<Vec<u8>, PdfError> {
    let names: Vec<String> = sheets.iter().map(Sheet::name).collect();
    let names = names.join(", ");
    pdf::write(sheets, fonts, About { id: names.clone(), title: names, at }, None)
}

#[async_trait]
impl DocumentRenderer for DocumentDrawer {
    async fn pdf(&self, invoice: Invoice) -> Result<Vec<u8>, RenderError> {
        self.draw(move |fonts| invoice_pdf(&invoice, fonts)).await
    }

    async fn xml(&self, invoice: Invoice) -> Result<Vec<u8>, RenderError> {
        self.draw(move |_| Ok(ubl::write(&invoice)?)).await
    }

    async fn packing_slips(&self, slips: Vec<PackingSlip>) -> Result<Vec<u8>, RenderError> {
        let at = slips.iter().map(|slip| slip.facts.placed_at).max().unwrap_or_default();
        self.draw(move |fonts| {
            let sheets: Vec<Sheet> = slips.iter().map(sheets::of_packing_slip).collect();
            plain_pdf(&sheets, fonts, at)
        })
        .await
    }

    async fn confirmation(&self, confirmation: Confirmation) -> Result<Vec<u8>, RenderError> {
        self.draw(move |fonts| {
            plain_pdf(&[sheets::of_confirmation(&confirmation)], fonts, confirmation.facts.placed_at)
        })
        .await
    }
}
