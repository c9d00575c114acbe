//! Repository of internal notes.

use async_trait::async_trait;
use domain::{AccountId, Note, NoteId, NoteSubject, Timestamp};

use crate::{IdempotencyKey, StoreError};

/// A note to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNote {
    /// The note.
    pub note: Note,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Internal notes about orders and customers.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait NoteRepository: Send + Sync {
    /// Adds a note. Repeating the call with the same idempotency key changes nothing and returns the first id, even if
    /// that note has been removed.
    async fn add(&self, new: &NewNote) -> Result<NoteId, StoreError>;

    /// The latest notes about something, at most `limit` of them, latest first.
    async fn about(&self, about: NoteSubject, limit: u32) -> Result<Vec<Note>, StoreError>;

    /// Removes a note from the lists and records who did it and when. `false` if it was not there.
    async fn remove(&self, id: NoteId, by: AccountId, at: Timestamp) -> Result<bool, StoreError>;
}
