//! Uploading a product's picture or a profile picture.

use domain::accounts::access::Denied;
use domain::{Account, Caller, Permission, PictureUrl};
use ports::{ImageRefused, StoreError};
use thiserror::Error;

use crate::Shop;

/// Why a picture was not stored.
#[derive(Debug, Error)]
pub enum UploadPictureError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The image host refused it, or failed.
    #[error(transparent)]
    Image(#[from] ImageRefused),
}

/// Why a profile picture was not changed.
#[derive(Debug, Error)]
pub enum UploadPhotoError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The image host refused it, or failed.
    #[error(transparent)]
    Image(#[from] ImageRefused),
    /// The account was removed in the meantime.
    #[error("the account is gone")]
    Gone,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Stores a picture at the image host and returns its URL.
    ///
    /// # Errors
    /// [`UploadPictureError`].
    pub async fn upload_picture(&self, caller: &Caller, encoded: Vec<u8>) -> Result<PictureUrl, UploadPictureError> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.images.store(encoded).await?)
    }

    /// Stores the caller's profile picture at the image host, which re-encodes it, and sets it on their account.
    ///
    /// # Errors
    /// [`UploadPhotoError`]; the account keeps its previous picture.
    pub async fn upload_photo(&self, caller: &Caller, encoded: Vec<u8>) -> Result<Account, UploadPhotoError> {
        let photo = self.images.store(encoded).await?;
        self.accounts.set_uploaded_photo(caller.account, &photo).await?.ok_or(UploadPhotoError::Gone)
    }
}
