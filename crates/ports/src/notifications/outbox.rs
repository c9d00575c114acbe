//! The transactional outbox: e-mails and webhook calls that wait to be delivered.
//!
//! A delivery is written by the same transaction as the change that it reports. So nothing is reported that did not
//! happen, and nothing that happened goes unreported.

use std::time::Duration;

use async_trait::async_trait;
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{CheckoutId, Email, EventId, OrderId, Timestamp, WebhookSubscriptionId};

use crate::{Page, Pagination, StoreError};

/// An e-mail or a webhook call, waiting, sent or dead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The delivery's id.
    pub id: DeliveryId,
    /// How it is delivered.
    pub channel: Channel,
    /// What it is about.
    pub topic: Topic,
    /// The recipient of an e-mail; `None` for a webhook call.
    pub to: Option<Email>,
    /// The order that it is about, if it is about one.
    pub order: Option<OrderId>,
    /// The checkout that it is about, if it is about one.
    pub checkout: Option<CheckoutId>,
    /// The event that it reports, if it reports one: of the order's timeline, or of a checkout.
    pub event: Option<EventId>,
    /// The webhook subscription; `None` for an e-mail.
    pub subscription: Option<WebhookSubscriptionId>,
    /// The HTTP status of the latest attempt, if there was a response.
    pub status: Option<u16>,
    /// The number of attempts, including a running one.
    pub attempts: u32,
    /// How far it has come.
    pub state: DeliveryState,
    /// Why the latest failed attempt failed: at most 500 characters, for an admin to read.
    pub last_error: Option<String>,
    /// When the reported event happened.
    pub created_at: Timestamp,
    /// The earliest time of the next attempt.
    pub due_at: Timestamp,
    /// When the recipient's server accepted it; `None` until then.
    pub sent_at: Option<Timestamp>,
}

/// A queue that deliveries are leased from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// E-mails.
    Mail,
    /// Calls to one webhook subscription, while it is neither disabled nor removed.
    Webhook(WebhookSubscriptionId),
}

/// What to lease from the outbox and for how long, by the database's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRequest {
    /// The queue to lease from.
    pub queue: Queue,
    /// The topics that the worker can deliver; others are left to other workers.
    pub topics: Vec<Topic>,
    /// How long the deliveries are leased. If no result is recorded in that time, they are due again.
    pub lease: Duration,
    /// The maximum number of deliveries.
    pub limit: u32,
}

/// The leased deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leased {
    /// Those that can be delivered.
    pub deliveries: Vec<Delivery>,
    /// How many were dead-lettered instead, because their rows could not be decoded.
    pub unreadable: u32,
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryFailure {
    /// The reason, for an admin to read.
    pub why: String,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
}

/// Filter and page of a delivery list; latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQuery {
    /// Only deliveries in this state.
    pub state: DeliveryState,
    /// The page of the list. A cursor need not exist any more.
    pub page: Pagination<DeliveryId>,
}

/// The backlog of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// The channel.
    pub channel: Channel,
    /// How many deliveries are waiting, counted to ten thousand.
    pub waiting: u64,
    /// How old the oldest of them is, in seconds; 0 if none is waiting.
    pub oldest_seconds: u64,
    /// How many deliveries are dead, counted to ten thousand.
    pub dead: u64,
}

/// The result of requeueing a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// It is waiting again, due immediately, with all its attempts.
    Waiting,
    /// It is not dead. Nothing was changed.
    NotDead,
    /// There is no delivery with this id.
    NotFound,
}

/// Deliveries that wait, and recent ones that were sent or are dead.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Queues an e-mail about the account of an address. Does the same work whether or not there is such an account.
    async fn request_email(&self, topic: Topic, to: &Email, at: Timestamp) -> Result<(), StoreError>;

    /// Leases deliveries that are due, those due longest first, and counts the attempt. Concurrent instances lease
    /// different ones; the leases of an instance that crashes expire.
    async fn lease(&self, request: &LeaseRequest) -> Result<Leased, StoreError>;

    /// Releases leased deliveries that were not attempted: they are due immediately, and the attempt is not counted.
    async fn release(&self, ids: &[DeliveryId]) -> Result<(), StoreError>;

    /// Records that the recipient accepted a delivery, and the HTTP status if there is one, whoever holds the lease
    /// now. Idempotent.
    async fn sent(&self, id: DeliveryId, status: Option<u16>) -> Result<(), StoreError>;

    /// Records why an attempt failed, and schedules the next one after `wait`. Changes nothing if another attempt has
    /// been made since.
    async fn reschedule(
        &self,
        id: DeliveryId,
        attempt: u32,
        wait: Duration,
        why: &DeliveryFailure,
    ) -> Result<(), StoreError>;

    /// Dead-letters a delivery and records why. Changes nothing if another attempt has been made since.
    async fn dead_letter(&self, id: DeliveryId, attempt: u32, why: &DeliveryFailure) -> Result<(), StoreError>;

    /// Dead-letters at most `limit` calls to webhook subscriptions that are disabled or removed; returns how many.
    async fn dead_letter_unwanted(&self, limit: u32) -> Result<u32, StoreError>;

    /// Discards at most `limit` password-reset e-mails to addresses without an account; returns how many. Each would be
    /// discarded on delivery anyway, and together they would delay other e-mails.
    async fn discard_for_unknown_addresses(&self, limit: u32) -> Result<u32, StoreError>;

    /// Deletes a delivery that turned out not to be needed, without a trace. Idempotent.
    async fn discard(&self, id: DeliveryId) -> Result<(), StoreError>;

    /// Requeues a dead delivery.
    async fn requeue(&self, id: DeliveryId) -> Result<Requeued, StoreError>;

    /// Requeues at most `limit` dead deliveries: all, or those of one webhook subscription. Returns how many.
    async fn requeue_all(&self, subscription: Option<WebhookSubscriptionId>, limit: u32) -> Result<u32, StoreError>;

    /// The deliveries in a state, of every channel.
    async fn list(&self, query: &DeliveryQuery) -> Result<Page<Delivery, DeliveryId>, StoreError>;

    /// The backlog of every channel, including empty ones.
    async fn backlog(&self) -> Result<Vec<Backlog>, StoreError>;

    /// Deletes at most `limit` deliveries that were sent before `sent_before`, or are dead and were created before
    /// `dead_before`. Returns how many.
    async fn forget(&self, sent_before: Timestamp, dead_before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
