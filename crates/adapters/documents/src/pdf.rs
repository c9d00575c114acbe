//! A sheet as a PDF for archives and screen readers, with what is attached to it.

use domain::Timestamp;
use jiff::tz::TimeZone;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder, ConfigurationError};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::error::KrillaError;
use krilla::metadata::{DateTime, Metadata};
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use thiserror::Error;

use crate::draw::draw;
use crate::fonts::Fonts;
use crate::layout::lay_out;
use crate::sheet::Sheet;

/// Why no PDF was made: a bug.
#[derive(Debug, Error)]
pub(crate) enum PdfError {
    #[error("the standards exclude each other: {0:?}")]
    Standards(ConfigurationError),
    #[error("the page has no size")]
    Paper,
    #[error("the PDF is not written: {0:?}")]
    Written(KrillaError),
    #[error("the XML is not written")]
    Xml(#[from] std::io::Error),
}

/// A file inside the PDF.
pub(crate) struct Attachment {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Draws a sheet. `id` and `at` are the document's own, so that the same document gives the same bytes.
pub(crate) fn write(
    sheet: &Sheet,
    fonts: &Fonts,
    id: &str,
    at: Timestamp,
    attachment: Option<Attachment>,
) -> Result<Vec<u8>, PdfError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(PdfError::Standards)?;
    let mut document = Document::new_with(SerializeSettings {
        configuration,
        enable_tagging: true,
        xmp_metadata: true,
        ..SerializeSettings::default()
    });
    let (width, height) = sheet.paper.size();
    let page = PageSettings::from_wh(width, height).ok_or(PdfError::Paper)?;
    let title = format!("{} {}", sheet.title, sheet.number);
    draw(&mut document, lay_out(sheet, fonts), &page, &title);
    let moment = moment(at);
    document.set_metadata(
        Metadata::new()
            .title(title)
            .authors(vec![sheet.seller.clone()])
            .creator("Driveline".to_owned())
            .language("en".to_owned())
            .creation_date(moment)
            .document_id(id.to_owned()),
    );
    if let Some(attachment) = attachment {
        document.embed_file(EmbeddedFile {
            path: attachment.name.to_owned(),
            mime_type: MimeType::new("text/xml"),
            description: Some(attachment.description.to_owned()),
            association_kind: AssociationKind::Alternative,
            data: attachment.bytes.into(),
            modification_date: Some(moment),
            compress: Some(true),
            location: None,
        });
    }
    document.finish().map_err(PdfError::Written)
}

fn moment(at: Timestamp) -> DateTime {
    let at = at.to_zoned(TimeZone::UTC);
    let small = |part: i8| part.unsigned_abs();
    DateTime::new(at.year().unsigned_abs())
        .month(small(at.month()))
        .day(small(at.day()))
        .hour(small(at.hour()))
        .minute(small(at.minute()))
        .second(small(at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}
