//! Customer profiles and newsletter subscriptions.

use async_trait::async_trait;
use domain::accounts::profile::ProfileEdit;
use domain::{AccountId, Email, Profile, Timestamp};

use crate::StoreError;

/// What saving a profile changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// The profile did not exist and was created.
    Created,
    /// The profile was changed.
    Changed,
    /// The profile already had these values.
    Same,
}

/// Customer profiles, one per account.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ProfileRepository: Send + Sync {
    /// An account's profile, if it has one.
    async fn find(&self, account: AccountId) -> Result<Option<Profile>, StoreError>;

    /// Applies an edit to an account's profile in one statement, and creates the profile if there is none.
    async fn save(&self, account: AccountId, edit: &ProfileEdit, at: Timestamp) -> Result<Saved, StoreError>;
}

/// Newsletter subscriptions.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait NewsletterRepository: Send + Sync {
    /// Subscribes an address. Idempotent.
    async fn subscribe(&self, email: &Email, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets an address. Idempotent: one that is not subscribed changes nothing.
    async fn unsubscribe(&self, email: &Email) -> Result<(), StoreError>;
}
