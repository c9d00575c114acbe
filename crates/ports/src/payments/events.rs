//! Events that the payment provider sends (incoming webhooks).

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{Timestamp, TransactionId};
use thiserror::Error;

use crate::{Applied, StoreError};

/// What a payment event means for the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentEventKind {
    /// This payment has succeeded.
    Succeeded(TransactionId),
    /// A refund of this payment was made or failed, or the payment is disputed.
    MoneyMoved(TransactionId),
    /// Nothing the shop reacts to: a declined card, a cancelled payment, a payout, an unknown type of event.
    Irrelevant,
}

/// An event whose signature proves that the payment provider sent it.
///
/// It only triggers a query for the payment's current state: events arrive late, twice and in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentEvent {
    /// The provider's id of the event, the same when it is sent again: 1 to 255 letters, digits, `_` and `-`.
    pub id: String,
    /// What it means for the shop.
    pub kind: PaymentEventKind,
}

/// A message that claims to be an event of the payment provider, as it arrived.
pub struct EventMessage<'a> {
    /// Byte for byte what was signed.
    pub body: &'a [u8],
    /// What was sent with it, by names in lower case. The provider's adapter knows where its signature is.
    pub headers: BTreeMap<&'a str, &'a str>,
}

/// Why an event is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EventRefused {
    /// The signature is missing or malformed.
    #[error("the message is not signed")]
    Unsigned,
    /// The signature does not match these bytes under any of the shop's secrets.
    #[error("the signature does not fit the message")]
    Forged,
    /// The signature is too old, or dated in the future: the event may be a replay.
    #[error("the signature is too old")]
    Stale,
    /// The signature is valid, but the body is not an event of the provider.
    #[error("the message makes no sense")]
    Unreadable,
}

/// Verifies and decodes events of the payment provider.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait ProviderEvents: Send + Sync {
    /// Decodes an event, if the provider signed exactly these bytes within five minutes of `now`. Does not detect
    /// repeats: the caller stores the id of each event it has processed.
    ///
    /// # Errors
    /// [`EventRefused`] for anything else; then the event must have no effect.
    #[expect(clippy::elidable_lifetime_names, reason = "mockall needs a name")]
    fn verify<'a>(&self, message: &EventMessage<'a>, now: Timestamp) -> Result<PaymentEvent, EventRefused>;
}

/// The provider's events that have been processed. An event's id and its effect are written in one transaction, so that
/// no event counts as processed without its effect, nor the other way round.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PaymentEvents: Send + Sync {
    /// Whether the event has been processed.
    async fn is_known(&self, event: &str) -> Result<bool, StoreError>;

    /// Writes a change of an order as [`crate::OrderRepository::apply`] does, and marks the event as processed, in one
    /// transaction. [`Applied::Conflict`] writes neither.
    async fn apply(&self, event: &str, change: &Change, at: Timestamp) -> Result<Applied, StoreError>;

    /// Marks an event as processed that changed no order. Idempotent.
    async fn remember(&self, event: &str, at: Timestamp) -> Result<(), StoreError>;

    /// Deletes at most `limit` events that were processed before a moment; returns how many. By then the provider must
    /// have stopped sending them.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
