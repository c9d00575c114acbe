//! What the payment provider tells of its own accord.
#![cfg_attr(feature = "mock", expect(clippy::ref_option_ref, reason = "mockall's own code takes one"))]

use async_trait::async_trait;
use domain::orders::order::Change;
use domain::{Timestamp, TransactionId};
use thiserror::Error;

use crate::{Applied, StoreError};

/// What a payment event is about, as far as the shop cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentEventKind {
    /// The money of this payment is in.
    Succeeded(TransactionId),
    /// This payment will never succeed.
    Cancelled(TransactionId),
    /// Money of this payment went back, failed to, or is disputed.
    MoneyMoved(TransactionId),
    /// Something that settles nothing: a card that was declined, a payout, a kind that was invented since.
    Irrelevant,
}

/// A message of the payment provider that is proven to come from it.
///
/// It is a reason to ask the provider how the payment stands, and no more: messages arrive late, twice and in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentEvent {
    /// The provider's id of the message, the same when it is sent again: 1 to 255 letters, digits, `_` and `-`.
    pub id: String,
    /// What it is about.
    pub news: PaymentEventKind,
}

/// Why a message is not listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EventRefused {
    /// It carries no signature, or one that is none.
    #[error("the message is not signed")]
    Unsigned,
    /// No secret of ours made its signature for these bytes.
    #[error("the signature does not fit the message")]
    Forged,
    /// It was signed too long ago, or in the future: perhaps somebody plays an old one again.
    #[error("the signature is too old")]
    Stale,
    /// The provider signed it, and it is nothing that a provider would send.
    #[error("the message makes no sense")]
    Unreadable,
}

/// Reads what the payment provider sends.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait ProviderEvents: Send + Sync {
    /// What a message says, if the provider signed exactly these bytes within five minutes of `now`. `signature` is the
    /// header that came with them. The same message again is read again: whoever acts on it remembers its id.
    ///
    /// # Errors
    /// [`EventRefused`] for anything else; then nothing may come of it.
    #[expect(clippy::needless_lifetimes, reason = "mockall cannot elide a lifetime inside an Option")]
    fn read<'a>(&self, body: &[u8], signature: Option<&'a str>, now: Timestamp) -> Result<PaymentEvent, EventRefused>;
}

/// Which messages of the payment provider have been dealt with. A message's id and what it brought about are written
/// together or not at all, so that no message counts as dealt with whose effect was lost, nor the other way round.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PaymentEvents: Send + Sync {
    /// Whether the message has been dealt with.
    async fn is_known(&self, event: &str) -> Result<bool, StoreError>;

    /// Writes a change of an order as [`crate::OrderRepository::apply`] does, and that the message is dealt with, in one
    /// transaction. [`Applied::Conflict`] writes neither.
    async fn apply(&self, event: &str, change: &Change, at: Timestamp) -> Result<Applied, StoreError>;

    /// Notes that a message is dealt with that changed no order. Again is fine.
    async fn remember(&self, event: &str, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets at most `limit` messages that were dealt with before a moment; answers how many. The provider must have given up
    /// sending them by then.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
