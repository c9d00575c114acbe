//! Where pictures go.

use async_trait::async_trait;
use domain::PictureUrl;
use thiserror::Error;

use crate::ProviderError;
use crate::platform::error::Cause;

/// Why a picture was not taken.
#[derive(Debug, Error)]
pub enum ImageRefused {
    /// It is not a PNG, JPEG or WebP picture, whatever it calls itself.
    #[error("Please choose a PNG, JPEG or WebP picture")]
    NotAPicture,
    /// It is larger than the shop takes: bytes, or width and height.
    #[error("The picture is too large")]
    TooLarge,
    /// The image host looked at it and does not take it.
    #[error("The image host does not take this picture, please choose another one")]
    NotTaken(#[source] Cause),
    /// The image host takes no more pictures of this shop's for now.
    #[error("The image host takes no more pictures at the moment, please try again later")]
    LimitReached(#[source] Cause),
    /// The image host does not know the key that the shop signs in with: nobody who uploads can mend that.
    #[error("The image host does not accept the shop's key; whoever runs the shop has to look at it")]
    KeyRefused(#[source] Cause),
    /// The host failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// Hosts pictures.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ImageHost: Send + Sync {
    /// Takes an encoded picture of at most 5 MB, re-encodes it (which drops whatever else was inside), and answers where
    /// it can be fetched. The same picture again may answer the same address.
    async fn store(&self, encoded: Vec<u8>) -> Result<PictureUrl, ImageRefused>;
}

/// A picture that this shop serves itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPicture {
    /// The encoded picture.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
}

/// The pictures that this shop serves itself, if it is its own image host.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PictureLibrary: Send + Sync {
    /// A picture by the last part of its address. A name never changes its picture. `None` for a name it never gave.
    async fn read(&self, name: &str) -> Result<Option<StoredPicture>, ProviderError>;
}
