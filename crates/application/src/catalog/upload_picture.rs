//! Uploading a product's picture, or one's own.

use domain::accounts::access::Denied;
use domain::{Account, Caller, Permission, PictureUrl};
use ports::{ImageRefused, StoreError};
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

/// Why somebody has the picture that they had.
#[derive(Debug, Error)]
pub enum UploadPhotoError {
    /// They may not.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The host refused it, or failed.
    #[error(transparent)]
    Image(#[from] ImageRefused),
    /// The account was removed in the meantime.
    #[error("the account is gone")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Hands a picture to the image host, and answers where it can be fetched.
    ///
    /// # Errors
    /// [`UploadPictureError`].
    pub async fn upload_picture(&self, caller: &Caller, encoded: Vec<u8>) -> Result<PictureUrl, UploadPictureError> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.images.store(encoded).await?)
    }

    /// Hands the caller's own picture to the image host, which encodes it anew, and gives it to their account.
    ///
    /// # Errors
    /// [`UploadPhotoError`]; the account has the picture that it had.
    pub async fn upload_photo(&self, caller: &Caller, encoded: Vec<u8>) -> Result<Account, UploadPhotoError> {
        let photo = self.images.store(encoded).await?;
        self.accounts.set_uploaded_photo(caller.account, &photo).await?.ok_or(UploadPhotoError::Gone)
    }
}
