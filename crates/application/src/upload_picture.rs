//! Uploading a product's picture.

use domain::access::Denied;
use domain::{Caller, Permission, PictureUrl};
use ports::ImageRefused;
use thiserror::Error;

use crate::Shop;

/// Why a picture was not taken.
#[derive(Debug, Error)]
pub enum UploadPictureError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The host refused it, or failed.
    #[error(transparent)]
    Image(#[from] ImageRefused),
}

impl Shop {
    /// Hands a picture to the image host, and answers where it can be fetched.
    ///
    /// # Errors
    /// [`UploadPictureError`].
    pub async fn upload_picture(&self, caller: &Caller, encoded: Vec<u8>) -> Result<PictureUrl, UploadPictureError> {
        caller.ask(Permission::ManageProducts)?;
        Ok(self.images.store(encoded).await?)
    }
}
