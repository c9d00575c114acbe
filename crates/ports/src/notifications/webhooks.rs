//! Telling other programs what happens here.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use domain::notifications::delivery::{DeliveryId, Topic};
use domain::{EventId, Order, Timestamp, WebhookSubscription, WebhookSubscriptionId, WebhookUrl};
use thiserror::Error;

use crate::{DeliveryPage, IdempotencyKey, StoreError};

/// What the shop signs its calls to one endpoint with, as its owner was told it: text. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    /// Wraps a secret.
    #[must_use]
    pub const fn new(secret: String) -> Self {
        Self(secret)
    }

    /// The secret itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

/// A secret as it is stored: nothing that a reader of the database could sign with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// A secret that was opened again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// Whether it was sealed under the shop's previous secret, so that it has to be sealed anew before that one is forgotten.
    pub stale: bool,
}

/// Makes, seals and opens endpoints' secrets.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait WebhookSecrets: Send + Sync {
    /// A secret that nobody can guess: `whsec_` and 32 bytes in base64.
    fn fresh(&self) -> WebhookSecret;

    /// Seals a secret for one endpoint; `None` only if the cipher itself fails.
    fn seal(&self, endpoint: WebhookSubscriptionId, secret: &WebhookSecret) -> Option<SealedSecret>;

    /// Opens what was sealed for this endpoint under the shop's secret or the one before; `None` for anything else.
    fn open(&self, endpoint: WebhookSubscriptionId, sealed: &SealedSecret) -> Option<OpenedSecret>;
}

/// An endpoint with what its calls are signed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSubscription {
    /// The endpoint.
    pub endpoint: WebhookSubscription,
    /// Its secret.
    pub secret: SealedSecret,
    /// How many calls to it have failed since one succeeded.
    pub failures: u32,
}

/// How much failure of a webhook subscription is borne.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaker {
    /// After so many failures in a row it is called only now and then.
    pub opens_after: u32,
    /// So often.
    pub probe_every: Duration,
    /// After so long without a success it is given up.
    pub gives_up_after: Duration,
}

/// What a failed call means for the subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It is called as before.
    Passing,
    /// It is called only now and then.
    Lasting,
    /// It has failed for so long that it is given up.
    Hopeless,
}

/// What became of adding an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddedSubscription {
    /// It was added.
    New,
    /// It was added before, by the same request.
    Before(StoredSubscription),
    /// There are as many as there may be.
    Full,
}

/// Which part of an endpoint's deliveries; the latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookDeliveryQuery {
    /// Whose.
    pub endpoint: WebhookSubscriptionId,
    /// At most so many.
    pub limit: Option<u32>,
    /// Only what comes after this one in the list.
    pub after: Option<DeliveryId>,
}

/// Who is told what happens here. From when an endpoint is added, whatever writes an entry of an order's timeline puts
/// its delivery into the outbox in the same transaction, until the endpoint is disabled or removed.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait WebhookSubscriptions: Send + Sync {
    /// Adds an endpoint, unless there are `most` already. The same idempotency key again adds nothing and answers the first,
    /// unless that was removed.
    async fn add(
        &self,
        new: &StoredSubscription,
        most: u32,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<AddedSubscription, StoreError>;

    /// All that are not removed, the oldest first.
    async fn list(&self) -> Result<Vec<StoredSubscription>, StoreError>;

    /// One that is not removed.
    async fn find(&self, id: WebhookSubscriptionId) -> Result<Option<StoredSubscription>, StoreError>;

    /// Removes an endpoint with its secret, and gives up on what waited for it; says whether it was there.
    async fn remove(&self, id: WebhookSubscriptionId, at: Timestamp) -> Result<bool, StoreError>;

    /// Those that something is due for and that may be called: neither disabled nor removed, nor failing and called a moment
    /// ago. One that the rules refuse keeps no other from being called.
    async fn due(&self, topics: &[Topic]) -> Result<Vec<StoredSubscription>, StoreError>;

    /// Whether a failing endpoint may be called at this moment: once in `every`, whoever asks.
    async fn may_probe(&self, id: WebhookSubscriptionId, every: Duration) -> Result<bool, StoreError>;

    /// Notes that a call to an endpoint failed.
    async fn failed(&self, id: WebhookSubscriptionId, breaker: Breaker) -> Result<Trouble, StoreError>;

    /// Notes that a call to a failing endpoint succeeded.
    async fn recovered(&self, id: WebhookSubscriptionId) -> Result<(), StoreError>;

    /// Sends an endpoint nothing from now on, and puts an e-mail to every admin into the outbox. Again changes nothing.
    async fn disable(&self, id: WebhookSubscriptionId, why: &str) -> Result<(), StoreError>;

    /// Lets an endpoint be called again that was disabled or is failing; `false` if there is none.
    async fn enable(&self, id: WebhookSubscriptionId) -> Result<bool, StoreError>;

    /// Stores a secret that was sealed anew, if the one that it was opened from is there still.
    async fn reseal(
        &self,
        id: WebhookSubscriptionId,
        before: &SealedSecret,
        after: &SealedSecret,
    ) -> Result<(), StoreError>;

    /// What was told to an endpoint, and what came of it; `None` if there is no such endpoint.
    async fn deliveries(&self, query: &WebhookDeliveryQuery) -> Result<Option<DeliveryPage>, StoreError>;
}

/// What an endpoint is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvent {
    /// The entry of the timeline: the same whenever this is told again.
    pub event: EventId,
    /// Its place in the order's timeline, from 1. Calls may come in another order.
    pub seq: u32,
    /// What happened.
    pub topic: Topic,
    /// When.
    pub happened_at: Timestamp,
    /// The order, as it was after that entry.
    pub order: Order,
}

/// Why the shop does not call an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WebhookUrlRefused {
    /// It is no address that could be called.
    #[error("must be a web address")]
    Unreadable,
    /// Whoever listens on the way could read it.
    #[error("must begin with https://")]
    NotSecret,
    /// It has a name and a password in it, which would be shown in lists.
    #[error("must not have a user name or a password in it")]
    Credentials,
    /// It leads into the shop's own network, or nowhere.
    #[error("must lead to the public internet")]
    NotPublic,
}

/// Why a call did not succeed.
#[derive(Debug, Error)]
pub enum WebhookError {
    /// The address, or whatever its name stands for now, is none that the shop calls. Nothing was sent.
    #[error("the address {0}")]
    Refused(WebhookUrlRefused),
    /// The secret is none that a call can be signed with. Nothing was sent.
    #[error("nothing can be signed with its secret")]
    Unsigned,
    /// It could not be reached or did not answer in time. It may have taken it all the same.
    #[error("it did not answer")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// It answered something else than success: this status.
    #[error("it answered with status {0}")]
    Answered(u16),
    /// It answered, with this status, that it is gone and wants to be called no more.
    #[error("it answered with status {0}")]
    Gone(u16),
}

/// Calls endpoints.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Whether the shop calls an address, as far as the address itself tells: a name may lead elsewhere by the time of a call.
    ///
    /// # Errors
    /// [`WebhookUrlRefused`] if it does not.
    fn judge(&self, url: &WebhookUrl) -> Result<(), WebhookUrlRefused>;

    /// Tells an endpoint, signed as of a moment, and answers within ten seconds with its status, which is between 200 and 299.
    /// The address is judged again, and so is whatever its name stands for at this moment. No redirect is followed.
    async fn call(
        &self,
        url: &WebhookUrl,
        secret: &WebhookSecret,
        announcement: &WebhookEvent,
        at: Timestamp,
    ) -> Result<u16, WebhookError>;
}
