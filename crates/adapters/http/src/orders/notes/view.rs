//! Notes as admins see and send them.

use domain::{Note, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::wire::fields::Fields;

/// An internal note; customers never see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Note)]
pub(crate) struct NoteView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// The e-mail of the admin who wrote it.
    author: String,
    text: String,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Note> for NoteView {
    fn from(note: Note) -> Self {
        Self {
            id: note.id.to_string(),
            author: note.author_email.to_string(),
            text: note.text.into_string(),
            created_at: note.created_at.to_string(),
        }
    }
}

/// A note to be written.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewNote {
    /// Up to 2,000 characters.
    #[schema(required, nullable = false)]
    text: Option<String>,
}

impl NewNote {
    pub(super) fn parse(self) -> Result<Text<2000>, Problem> {
        let mut fields = Fields::default();
        let text = fields.required("text", "Note", self.text.as_deref(), Text::new);
        fields.all(text)
    }
}
