//! Uploading one's profile picture.

use domain::{Account, Caller};
use ports::ImageRefused;
use thiserror::Error;

use crate::accounts::my_account::AccountRemoved;
use crate::{Accounts, Failure};

/// Why a profile picture was not changed.
#[derive(Debug, Error)]
pub enum UploadPhotoRefused {
    /// The image host refused it, or failed.
    #[error(transparent)]
    Image(#[from] ImageRefused),
    #[error(transparent)]
    Removed(#[from] AccountRemoved),
}

impl Accounts {
    /// Stores the caller's profile picture at the image host, which re-encodes it, and sets it on their account.
    ///
    /// # Errors
    /// [`UploadPhotoRefused`]; the account keeps its previous picture.
    pub async fn upload_photo(
        &self,
        caller: &Caller,
        encoded: Vec<u8>,
    ) -> Result<Account, Failure<UploadPhotoRefused>> {
        let photo = self.images.store(encoded).await.map_err(|refused| Failure::Refused(refused.into()))?;
        let account = self.accounts.set_uploaded_photo(caller.account, &photo).await?;
        account.ok_or(Failure::Refused(AccountRemoved.into()))
    }
}
