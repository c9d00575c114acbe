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

use crate::draw::{Placed, draw};
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

/// What a document says of itself. All of it is the document's own, so that the same document gives the same bytes.
pub(crate) struct About {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) at: Timestamp,
}

/// Draws sheets, one after the other.
pub(crate) fn write(
    sheets: &[Sheet],
    fonts: &Fonts,
    about: About,
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
    let placed = |sheet: &Sheet| {
        let (width, height) = sheet.paper.size();
        let paper = PageSettings::from_wh(width, height).ok_or(PdfError::Paper)?;
        Ok(Placed { laid: lay_out(sheet, fonts), paper, title: sheet.name() })
    };
    draw(&mut document, sheets.iter().map(placed).collect::<Result<_, PdfError>>()?);
    let moment = moment(about.at);
    document.set_metadata(
        Metadata::new()
            .title(about.title)
            .authors(sheets.first().map(|sheet| sheet.seller.clone()).into_iter().collect())
            .creator("Driveline".to_owned())
            .language("en".to_owned())
            .creation_date(moment)
            .document_id(about.id),
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
