//! Picture storage.

use async_trait::async_trait;
use domain::PictureUrl;
use thiserror::Error;

use crate::ProviderError;
use crate::platform::error::Cause;

/// Why a picture was refused.
#[derive(Debug, Error)]
pub enum ImageRefused {
    /// Not a PNG, JPEG or WebP picture, whatever its declared type.
    #[error("Choose a PNG, JPEG or WebP image")]
    NotAPicture,
    /// Larger than the shop accepts, in bytes.
    #[error("The image must be 5 MB or smaller")]
    TooLarge,
    /// Larger than the shop accepts once it is unpacked.
    #[error("The image must be 8,000 pixels or less on each side, and 40 megapixels in all")]
    TooManyPixels,
    /// The image host rejected the picture.
    #[error("The image host doesn't accept this image. Choose another one.")]
    NotTaken(#[source] Cause),
    /// The image host's quota for this shop is used up for now.
    #[error("The image host isn't accepting images right now. Try again later.")]
    LimitReached(#[source] Cause),
    /// The image host rejected the shop's API key. The user who uploads cannot fix that.
    #[error("Image upload isn't configured correctly. Please contact your administrator.")]
    KeyRefused(#[source] Cause),
    /// The image host failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// Stores pictures and serves them publicly.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ImageHost: Send + Sync {
    /// Stores an encoded picture of at most 5 MB and returns its public URL. The picture is re-encoded, which drops any
    /// metadata. Storing the same picture again may return the same URL.
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

/// The pictures that this shop serves itself, when it is its own image host.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PictureLibrary: Send + Sync {
    /// A picture by the last segment of its URL. A name never refers to another picture. `None` for an unknown name.
    async fn read(&self, name: &str) -> Result<Option<StoredPicture>, ProviderError>;
}
