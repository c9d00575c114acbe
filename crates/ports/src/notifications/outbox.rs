//! What the shop still has to tell the world.
//!
//! What a delivery tells of is written by the same transaction that makes it true, so that nothing is told that did not
//! happen and nothing that happened is forgotten.

use std::time::Duration;

use async_trait::async_trait;
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Email, EventId, OrderId, Timestamp, WebhookSubscriptionId};

use crate::StoreError;

/// Something to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Which one.
    pub id: DeliveryId,
    /// By which way.
    pub channel: Channel,
    /// What it tells.
    pub topic: Topic,
    /// Whom a letter goes to; `None` for what is no letter.
    pub to: Option<Email>,
    /// The order that it is about, if it is about one.
    pub order: Option<OrderId>,
    /// The entry of the order's timeline that it tells of.
    pub event: Option<EventId>,
    /// Which program is called; `None` for what is no call.
    pub endpoint: Option<WebhookSubscriptionId>,
    /// What it answered to the latest attempt, if it did.
    pub status: Option<u16>,
    /// How often it has been tried, the attempt that is running included.
    pub attempts: u32,
    /// Whether it has been told.
    pub state: DeliveryState,
    /// Why the last attempt that failed did: at most 500 characters, for an admin to read.
    pub last_error: Option<String>,
    /// When what it tells of happened.
    pub created_at: Timestamp,
    /// Not to be tried before.
    pub due_at: Timestamp,
    /// When the other end accepted it.
    pub sent_at: Option<Timestamp>,
}

/// Of which deliveries some are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// E-mails.
    Mail,
    /// Calls to one webhook subscription, while it is neither disabled nor removed.
    Webhook(WebhookSubscriptionId),
}

/// Who takes what from the outbox, and for how long, by the database's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRequest {
    /// From where.
    pub queue: Queue,
    /// What the taker can deliver; everything else is left to others.
    pub topics: Vec<Topic>,
    /// How long nobody else gets what is taken. If nothing was said of it by then, it is due again.
    pub lease: Duration,
    /// At most so many.
    pub limit: u32,
}

/// What was taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leased {
    /// What can be delivered.
    pub deliveries: Vec<Delivery>,
    /// How many were given up instead, because the rules refuse what stands in their rows.
    pub unreadable: u32,
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryFailure {
    /// For an admin to read.
    pub why: String,
    /// What the other end answered, if it did and has such.
    pub status: Option<u16>,
}

/// Which deliveries, and how many of them; the latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQuery {
    /// Only those in this state.
    pub state: DeliveryState,
    /// At most so many.
    pub limit: Option<u32>,
    /// Only what comes after this one in the list, which need not be there any more.
    pub after: Option<DeliveryId>,
}

/// A part of a list of deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPage {
    /// The deliveries of this part.
    pub deliveries: Vec<Delivery>,
    /// How many are in that state, over all parts.
    pub total: u64,
    /// The last of this part, if others come after it.
    pub next: Option<DeliveryId>,
}

/// How much one channel has before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// Which channel.
    pub channel: Channel,
    /// How many are waiting.
    pub waiting: u64,
    /// How many were given up.
    pub dead: u64,
}

/// What became of putting a delivery back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// It waits, is due at once, and has all its attempts again.
    Waiting,
    /// It is not dead. Nothing was changed.
    NotDead,
    /// There is none with this id.
    NotFound,
}

/// What the shop still has to tell the world, and what it has told of late.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Puts down that a letter about an address's account is to be written. The same work whether or not it has one.
    async fn request_email(&self, topic: Topic, to: &Email, at: Timestamp) -> Result<(), StoreError>;

    /// Takes what is due, the longest due first, and counts the attempt. Of several copies of the shop each gets different
    /// ones, and one that dies gives back what it took when its time is over.
    async fn lease(&self, request: &LeaseRequest) -> Result<Leased, StoreError>;

    /// Gives back what was taken and not tried: it is due at once, and has the attempt again.
    async fn release(&self, ids: &[DeliveryId]) -> Result<(), StoreError>;

    /// Notes that the other end accepted a delivery, whoever holds it by now, and with which status if it has such. Again is
    /// fine.
    async fn sent(&self, id: DeliveryId, status: Option<u16>) -> Result<(), StoreError>;

    /// Notes why an attempt failed, and how long to wait until the next. Changes nothing if somebody else has tried since.
    async fn reschedule(
        &self,
        id: DeliveryId,
        attempt: u32,
        wait: Duration,
        why: &DeliveryFailure,
    ) -> Result<(), StoreError>;

    /// Gives a delivery up, and notes why. Changes nothing if somebody else has tried since.
    async fn dead_letter(&self, id: DeliveryId, attempt: u32, why: &DeliveryFailure) -> Result<(), StoreError>;

    /// Gives up at most `limit` calls that wait for a webhook subscription which is disabled or removed; answers how many.
    async fn dead_letter_unwanted(&self, limit: u32) -> Result<u32, StoreError>;

    /// Takes back at most `limit` e-mails by which a password could be reset, to addresses that have no account; answers how
    /// many. Each would come to nothing, and together they would keep others waiting.
    async fn discard_for_unknown_addresses(&self, limit: u32) -> Result<u32, StoreError>;

    /// Takes back what turned out to be nothing to tell, and leaves no trace of it. Again is fine.
    async fn discard(&self, id: DeliveryId) -> Result<(), StoreError>;

    /// Puts a delivery back that was given up.
    async fn requeue(&self, id: DeliveryId) -> Result<Requeued, StoreError>;

    /// Puts at most `limit` deliveries back that were given up: all, or those of one webhook subscription. Answers how many.
    async fn requeue_all(&self, endpoint: Option<WebhookSubscriptionId>, limit: u32) -> Result<u32, StoreError>;

    /// The deliveries of a state, of whichever channel.
    async fn list(&self, query: &DeliveryQuery) -> Result<DeliveryPage, StoreError>;

    /// How much every channel has before it; every channel is told of.
    async fn backlog(&self) -> Result<Vec<Backlog>, StoreError>;

    /// Forgets at most `limit` deliveries that were sent before one moment, or were made before another and given up. Answers
    /// how many.
    async fn forget(&self, sent_before: Timestamp, dead_before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
