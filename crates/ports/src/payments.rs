//! The payment provider.

use async_trait::async_trait;
use domain::{Money, OrderId, TransactionId};
use thiserror::Error;

use crate::ProviderError;

/// How far a payment has come at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentState {
    /// Waiting for a card, for the card's owner, or for the provider.
    Open,
    /// The money is in.
    Succeeded,
    /// It will never succeed.
    Cancelled,
}

/// A payment at the provider (at Stripe: a `PaymentIntent`), as the provider tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The provider's id.
    pub id: TransactionId,
    /// What the browser needs to pay with a card. Not to be logged.
    pub client_secret: String,
    /// How much.
    pub amount: Money,
    /// ISO 4217, in lower case.
    pub currency: String,
    /// The order it was opened for; `None` if it was not opened by this shop.
    pub order: Option<OrderId>,
    /// How far it has come.
    pub state: IntentState,
}

/// What became of cancelling a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// It is cancelled, now or since before, or was never there.
    Cancelled,
    /// Too late: the money is in.
    Succeeded,
}

/// What became of sending money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundOutcome {
    /// The whole amount is on its way back, from this call or an earlier one.
    Refunded,
    /// There is nothing to send back: no money came in.
    NothingThere,
}

/// A payment provider that takes US dollars by card.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PaymentProvider: Send + Sync {
    /// Opens a payment of `amount` for an order, or answers the one that was opened for the same order and attempt.
    async fn open(&self, order: OrderId, attempt: u32, amount: Money) -> Result<Intent, ProviderError>;

    /// The payment as it is now; `None` if the provider does not know it.
    async fn find(&self, id: &TransactionId) -> Result<Option<Intent>, ProviderError>;

    /// Makes sure that a payment can never succeed, unless it has. Again is fine.
    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError>;

    /// Sends the whole amount of a succeeded payment back. Again is fine and sends nothing twice.
    async fn refund(&self, id: &TransactionId) -> Result<RefundOutcome, ProviderError>;
}

/// A card as typed. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Card {
    /// The number, with or without spaces.
    pub number: String,
    /// 1 to 12.
    pub exp_month: i64,
    /// With or without the century.
    pub exp_year: i64,
    /// Three or four digits.
    pub cvc: String,
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Card(…)")
    }
}

/// Why a card did not pay.
#[derive(Debug, Error)]
pub enum CardRefused {
    /// The provider's own sentence, for the person to read.
    #[error("{0}")]
    Declined(&'static str),
    /// No payment has that client secret.
    #[error("no such payment")]
    Unknown,
    /// The payment was cancelled.
    #[error("the payment was cancelled")]
    Cancelled,
    /// The provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// The sandbox's side of the browser: where a card is held against a payment, as stripe.js does it with Stripe.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait CardDesk: Send + Sync {
    /// Pays with a card. A payment that succeeded before answers the same again.
    async fn confirm(&self, client_secret: &str, card: &Card) -> Result<Intent, CardRefused>;
}
