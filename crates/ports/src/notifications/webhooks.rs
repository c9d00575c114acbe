//! Webhook subscriptions and outgoing webhook calls.

use std::error::Error as StdError;
use std::time::Duration;

use async_trait::async_trait;
use domain::notifications::delivery::{DeliveryId, Topic};
use domain::{AccountId, EventId, Order, Timestamp, WebhookSubscription, WebhookSubscriptionId, WebhookUrl};
use thiserror::Error;

use crate::platform::secret_text::secret_text;
use crate::{Delivery, IdempotencyKey, Page, Pagination, StoreError, StoredCheckout};

secret_text! {
    /// The secret that calls to one subscription are signed with, as text, as shown to its owner.
    WebhookSecret
}

/// An encrypted secret, as stored: useless to a reader of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// A decrypted secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedSecret {
    /// The secret.
    pub secret: WebhookSecret,
    /// Whether it was sealed under the shop's previous secret. Then it has to be sealed again before that one is
    /// dropped.
    pub under_previous_secret: bool,
}

/// Generates, seals and opens the signing secrets of webhook subscriptions.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait WebhookSecrets: Send + Sync {
    /// A new random secret: `whsec_` and 32 bytes in base64.
    fn fresh(&self) -> WebhookSecret;

    /// Seals a secret for one subscription; `None` only if the cipher fails.
    fn seal(&self, subscription: WebhookSubscriptionId, secret: &WebhookSecret) -> Option<SealedSecret>;

    /// Opens a secret that was sealed for this subscription under the shop's current or previous secret; `None` for
    /// anything else.
    fn open(&self, subscription: WebhookSubscriptionId, sealed: &SealedSecret) -> Option<OpenedSecret>;
}

/// A subscription with its sealed secret and its failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSubscription {
    /// The subscription.
    pub subscription: WebhookSubscription,
    /// The sealed signing secret.
    pub secret: SealedSecret,
    /// How many calls have failed since the last success.
    pub failures: u32,
}

/// The circuit breaker for failing webhook subscriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaker {
    /// The number of consecutive failures after which it opens: the subscription is called only as a probe.
    pub opens_after: u32,
    /// The interval between probes.
    pub probe_every: Duration,
    /// How long after the last success the subscription is disabled.
    pub gives_up_after: Duration,
}

/// The state of the circuit breaker after a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Closed: calls continue.
    Closed,
    /// Open: only probes are sent.
    Open,
    /// It has failed for so long that the subscription is disabled.
    Expired,
}

/// The result of adding a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddedSubscription {
    /// It was added.
    New,
    /// The same request has added it before.
    Before(StoredSubscription),
    /// The maximum number of subscriptions is reached.
    Full,
}

/// A page of one subscription's deliveries; latest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookDeliveryQuery {
    /// The subscription's id.
    pub subscription: WebhookSubscriptionId,
    /// The page of the list. A cursor need not exist any more.
    pub page: Pagination<DeliveryId>,
}

/// Webhook subscriptions. From the moment one is added until it is disabled or removed, every transaction that writes a
/// timeline event also writes the delivery to the outbox.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait WebhookSubscriptions: Send + Sync {
    /// Adds a subscription of an admin, unless there are `most` already. It is disabled when they are no longer an admin. Repeating the call with the same idempotency key adds
    /// nothing and returns the first, unless that has been removed.
    async fn add(
        &self,
        new: &StoredSubscription,
        added_by: AccountId,
        most: u32,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<AddedSubscription, StoreError>;

    /// All subscriptions that are not removed, oldest first.
    async fn list(&self) -> Result<Vec<StoredSubscription>, StoreError>;

    /// The sealed secrets of all subscriptions that are not removed. A row that cannot be decoded is set aside and
    /// logged.
    async fn sealed(&self) -> Result<Vec<(WebhookSubscriptionId, SealedSecret)>, StoreError>;

    /// One subscription; `None` if it does not exist or is removed.
    async fn find(&self, id: WebhookSubscriptionId) -> Result<Option<StoredSubscription>, StoreError>;

    /// Removes a subscription with its secret, and dead-letters its waiting deliveries. `false` if it was not there.
    async fn remove(&self, id: WebhookSubscriptionId, at: Timestamp) -> Result<bool, StoreError>;

    /// The subscriptions that have deliveries due and may be called: neither disabled nor removed, and if failing, not
    /// probed too recently. A row that cannot be decoded does not keep the others from being called.
    async fn due(&self, topics: &[Topic]) -> Result<Vec<StoredSubscription>, StoreError>;

    /// Whether a failing subscription may be called now: once per `every`, over all instances.
    async fn may_probe(&self, id: WebhookSubscriptionId, every: Duration) -> Result<bool, StoreError>;

    /// Records that a call failed, and returns the state of the breaker.
    async fn failed(&self, id: WebhookSubscriptionId, breaker: Breaker) -> Result<BreakerState, StoreError>;

    /// Records that a call to a failing subscription succeeded.
    async fn recovered(&self, id: WebhookSubscriptionId) -> Result<(), StoreError>;

    /// Stops deliveries to a subscription, and queues an e-mail to every admin. Idempotent.
    async fn disable(&self, id: WebhookSubscriptionId, why: &str) -> Result<(), StoreError>;

    /// Resumes deliveries to a subscription that is disabled or failing; `false` if there is none.
    async fn enable(&self, id: WebhookSubscriptionId) -> Result<bool, StoreError>;

    /// Replaces a sealed secret, if it still is `before`.
    async fn reseal(
        &self,
        id: WebhookSubscriptionId,
        before: &SealedSecret,
        after: &SealedSecret,
    ) -> Result<(), StoreError>;

    /// The deliveries of a subscription; `None` if there is no such subscription.
    async fn deliveries(&self, query: &WebhookDeliveryQuery) -> Result<Option<Page<Delivery, DeliveryId>>, StoreError>;
}

/// What a webhook call is about, as it was after the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookSubject {
    /// An order.
    Order(Box<Order>),
    /// A checkout with its orders.
    Checkout(Box<StoredCheckout>),
}

/// The payload of a webhook call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvent {
    /// The event's id: the same whenever the call is repeated.
    pub event: EventId,
    /// The event's position in the order's timeline, or among those of the checkout, from 1. Calls may arrive in another
    /// order.
    pub seq: u32,
    /// What happened.
    pub topic: Topic,
    /// When it happened.
    pub happened_at: Timestamp,
    /// What it happened to.
    pub subject: WebhookSubject,
}

/// Why the shop does not call a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WebhookUrlRefused {
    /// It is not a valid URL.
    #[error("must be a web address")]
    Unreadable,
    /// It is not encrypted, so anyone on the way could read the call.
    #[error("must begin with https://")]
    NotSecret,
    /// It contains a user name and a password, which would be shown in lists.
    #[error("must not have a user name or a password in it")]
    Credentials,
    /// It resolves to the shop's own network or another non-public address.
    #[error("must lead to the public internet")]
    NotPublic,
}

/// Why a call failed.
#[derive(Debug, Error)]
pub enum WebhookError {
    /// The URL, or an address that it resolves to now, is refused. Nothing was sent.
    #[error("the address {0}")]
    Refused(WebhookUrlRefused),
    /// The secret cannot be used to sign a call. Nothing was sent.
    #[error("nothing can be signed with its secret")]
    Unsigned,
    /// It could not be reached or did not answer in time. It may have processed the call nevertheless.
    #[error("it did not answer")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// It answered with this status, which is not a success.
    #[error("it answered with status {0}")]
    Answered(u16),
    /// It answered with this status (410 Gone): it wants no further calls.
    #[error("it answered with status {0}")]
    Gone(u16),
}

/// Calls webhook URLs.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Whether the shop would call a URL, judged by the URL alone: its host may resolve to another address when it is
    /// called.
    ///
    /// # Errors
    /// [`WebhookUrlRefused`] if it does not.
    fn judge(&self, url: &WebhookUrl) -> Result<(), WebhookUrlRefused>;

    /// Calls a URL with a signature dated `at`, and returns the status, 200 to 299, within ten seconds. The URL and
    /// every address that its host resolves to are checked again. Redirects are not followed.
    async fn call(
        &self,
        url: &WebhookUrl,
        secret: &WebhookSecret,
        event: &WebhookEvent,
        at: Timestamp,
    ) -> Result<u16, WebhookError>;
}
