//! What people tell about themselves, and who wants the newsletter.

use async_trait::async_trait;
use domain::accounts::profile::ProfileEdit;
use domain::{AccountId, Email, Profile, Timestamp};

use crate::StoreError;

/// How a profile was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// There was none.
    Created,
    /// Something in it is different now.
    Changed,
    /// It is what it was.
    Same,
}

/// Profiles, one per account.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ProfileRepository: Send + Sync {
    /// An account's profile.
    async fn find(&self, account: AccountId) -> Result<Option<Profile>, StoreError>;

    /// Changes the edited fields of an account's profile in one statement, which makes the profile if there is none.
    async fn save(&self, account: AccountId, edit: &ProfileEdit, at: Timestamp) -> Result<Saved, StoreError>;
}

/// Who wants the newsletter.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait NewsletterRepository: Send + Sync {
    /// Notes an address, once, however often it is given.
    async fn subscribe(&self, email: &Email, at: Timestamp) -> Result<(), StoreError>;
}
