//! Answers that are remembered, so that the same request twice happens once (the `Idempotency-Key` header).

use std::time::Duration;

use async_trait::async_trait;
use domain::AccountId;
use uuid::Uuid;

use crate::StoreError;

/// A caller's idempotency key as the database knows it: a hash of the key and of who sent it, so that one caller's key
/// never meets another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 32]);

/// A keyed hash of everything that makes two requests the same: method, path, query, media type and body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

/// A request's idempotency key, as whatever the request creates keeps it. Neither part depends on the shop's secret, so that
/// a key goes on being known when that is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// Whose key.
    pub key: KeyDigest,
    /// Of which request. Another one under the same key is [`StoreError::KeyReused`].
    pub fingerprint: Fingerprint,
}

/// An answer as it went out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers that belong to it, in order.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
}

/// An answer that only the same request can read again: it may hold a token or a cookie, and the database must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedResponse(pub Vec<u8>);

/// A request that wants to be the only one under its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The key.
    pub key: KeyDigest,
    /// What the request looks like.
    pub fingerprint: Fingerprint,
    /// Who sends the request; `None` for a visitor, whose answers are remembered for a shorter time.
    pub caller: Option<AccountId>,
    /// Who holds the claim while the request runs.
    pub holder: Uuid,
    /// A claim that nobody renewed for so long, by the database's clock, was left by a copy of the shop that died.
    pub lease: Duration,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// Nobody had the key, or whoever had it died: go on, and tell the answer.
    Ours,
    /// The same request is running at this moment: wait and ask again.
    Running,
    /// The same request was answered.
    Answered(SealedResponse),
    /// The key belongs to another request: one that was answered of late, or one that made something which is there still.
    Mismatch,
}

/// Remembers answers.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// Claims a key; of any number of claims at the same moment exactly one is [`Claimed::Ours`]. Writes nothing unless it is.
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError>;

    /// Says that the request behind a claim that `holder` holds is still running.
    async fn renew(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError>;

    /// Tells the answer of a claim that `holder` holds.
    async fn answered(&self, key: KeyDigest, holder: Uuid, answer: &SealedResponse) -> Result<(), StoreError>;

    /// Gives a claim back that came to no answer worth remembering: the same request may claim it at once. The key goes on
    /// belonging to that request.
    async fn give_back(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError>;

    /// Forgets at most `limit` answers that are older than `age`, or than `visitors_age` if they were a visitor's, by the
    /// database's clock. Answers how many; fewer than `limit` mean that there are no more.
    async fn forget(&self, age: Duration, visitors_age: Duration, limit: u32) -> Result<u32, StoreError>;
}

/// The cryptography behind remembered answers.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait ResponseSeal: Send + Sync {
    /// The database's name for a caller's key. A visitor has no account; visitors share one space of keys, which only
    /// those who repeat a request to the letter can read from.
    fn key(&self, caller: Option<AccountId>, sent: &str) -> KeyDigest;

    /// A request's fingerprint, keyed by the sent key, so that a stored one tells nothing about a short body.
    fn fingerprint(&self, sent: &str, request: &[u8]) -> Fingerprint;

    /// Seals an answer under the sent key and the request itself.
    fn seal(&self, sent: &str, request: &[u8], answer: &StoredResponse) -> Option<SealedResponse>;

    /// Opens what the same sent key and request sealed.
    fn open(&self, sent: &str, request: &[u8], sealed: &SealedResponse) -> Option<StoredResponse>;
}
