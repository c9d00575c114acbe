//! Uploading a product's picture.

use domain::{Caller, Permission, PictureUrl};
use ports::{AuditNote, ImageRefused};

use crate::{Catalog, Failure};

impl Catalog {
    /// Stores a picture at the image host and returns its URL. No row of the database changes, so that the entry of the audit trail
    /// is written here; if that fails, so does the upload.
    ///
    /// # Errors
    /// [`ImageRefused`].
    pub async fn upload_picture(&self, caller: &Caller, encoded: Vec<u8>) -> Result<PictureUrl, Failure<ImageRefused>> {
        caller.require(Permission::ManageProducts)?;
        let url = self.images.store(encoded).await.map_err(Failure::Refused)?;
        self.audit_trail
            .note(&AuditNote { kind: "upload", target: Some(url.to_string()), details: Vec::new() })
            .await?;
        Ok(url)
    }
}
