//! Stored responses: a request that is repeated with the same `Idempotency-Key` header takes effect once.

use std::time::Duration;

use async_trait::async_trait;
use domain::AccountId;
use uuid::Uuid;

use crate::StoreError;

/// A client's idempotency key as stored: a hash of the key and of the caller, so that the keys of different callers
/// never collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest(pub [u8; 32]);

/// A keyed hash of everything that identifies a request: method, path, query, media type and body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

/// A request's idempotency key, as stored with whatever the request creates. Neither part depends on the shop's secret,
/// so keys stay valid when the secret is rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// The digest of the key and its caller.
    pub key: KeyDigest,
    /// The fingerprint of the request. Another one under the same key is [`StoreError::KeyReused`].
    pub fingerprint: Fingerprint,
}

/// An encrypted response. It may contain a token or a cookie, so only a repeat of the same request can decrypt it, not
/// a reader of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedResponse(pub Vec<u8>);

/// A request's claim on its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The digest of the key and its caller.
    pub key: KeyDigest,
    /// The fingerprint of the request.
    pub fingerprint: Fingerprint,
    /// The caller; `None` for a visitor, whose responses are stored for a shorter time.
    pub caller: Option<AccountId>,
    /// Id of this run of the request, which owns the claim while it runs.
    pub holder: Uuid,
    /// How long a claim lasts without renewal, by the database's clock. After that its instance counts as crashed.
    pub lease: Duration,
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The key was free, or its claim had expired: run the request and store its response.
    Ours,
    /// The same request is running now: wait and claim again.
    Running,
    /// The same request has completed; this is its response.
    Answered(SealedResponse),
    /// The key was used by another request, whose response or effect is still stored.
    Mismatch,
}

/// Stores responses by idempotency key.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// Claims a key. Of any number of concurrent claims exactly one gets [`Claimed::Ours`]. Writes nothing otherwise.
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError>;

    /// Renews the claim that `holder` owns, because its request is still running.
    async fn renew(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError>;

    /// Stores the response of the claim that `holder` owns.
    async fn answered(&self, key: KeyDigest, holder: Uuid, answer: &SealedResponse) -> Result<(), StoreError>;

    /// Releases a claim whose response is not worth storing: the same request may claim the key immediately. The key
    /// stays bound to that request.
    async fn give_back(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError>;

    /// Deletes at most `limit` responses older than `age`, or than `visitors_age` for visitors', by the database's
    /// clock. Returns how many; fewer than `limit` mean that there are no more.
    async fn forget(&self, age: Duration, visitors_age: Duration, limit: u32) -> Result<u32, StoreError>;
}

/// Hashes idempotency keys and encrypts stored responses.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait ResponseSeal: Send + Sync {
    /// The digest of a caller's key. Visitors have no account and share one key space, in which a response can be read
    /// only by repeating the identical request.
    fn key(&self, caller: Option<AccountId>, sent: &str) -> KeyDigest;

    /// A request's fingerprint, keyed by the client's idempotency key, so that a stored fingerprint reveals nothing
    /// about a short body.
    fn fingerprint(&self, sent: &str, request: &[u8]) -> Fingerprint;

    /// Encrypts a response, any bytes, under the client's key and the request; `None` only if the cipher fails.
    fn seal(&self, sent: &str, request: &[u8], response: &[u8]) -> Option<SealedResponse>;

    /// Decrypts a response that was sealed under the same key and request; `None` for anything else.
    fn open(&self, sent: &str, request: &[u8], sealed: &SealedResponse) -> Option<Vec<u8>>;
}
