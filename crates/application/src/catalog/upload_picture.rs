//! Uploading a product's picture.

use domain::{Caller, Permission, PictureUrl};
use ports::ImageRefused;

use crate::{Catalog, Failure};

impl Catalog {
    /// Stores a picture at the image host and returns its URL.
    ///
    /// # Errors
    /// [`ImageRefused`].
    pub async fn upload_picture(&self, caller: &Caller, encoded: Vec<u8>) -> Result<PictureUrl, Failure<ImageRefused>> {
        caller.require(Permission::ManageProducts)?;
        self.images.store(encoded).await.map_err(Failure::Refused)
    }
}
