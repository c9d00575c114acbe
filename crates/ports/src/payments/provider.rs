//! The payment provider.

use async_trait::async_trait;
use domain::{Dispute, Money, OrderId, ProviderRefund, RefundId, Text, TransactionId};
use thiserror::Error;

use crate::ProviderError;

/// How far a payment has come at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentIntentState {
    /// Waiting for a card, for the card's owner, or for the provider.
    Open,
    /// The money is in.
    Succeeded,
    /// It will never succeed.
    Cancelled,
}

/// A payment at the provider (at Stripe: a `PaymentIntent`), as the provider tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentIntent {
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
    pub state: PaymentIntentState,
    /// What has come in; nothing until it succeeded.
    pub received: Money,
    /// What of it has gone back, or is on its way.
    pub refunded: Money,
    /// Whether a bank has asked for it back, ever.
    pub disputed: bool,
}

/// What became of cancelling a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// It is cancelled, now or since before.
    Cancelled,
    /// Too late: the money is in.
    Succeeded,
    /// The provider does not know it, which says nothing about whether it can be paid: a wrong key, or a look that ran
    /// ahead of its books.
    Unknown,
}

/// Money to be sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundOrder {
    /// Of which payment.
    pub payment: TransactionId,
    /// Which refund of the shop's it is.
    pub refund: RefundId,
    /// Under which number the provider is asked: the same one again sends nothing twice, and gets the same refusal.
    pub attempt: u32,
    /// How much.
    pub amount: Money,
}

/// What became of sending money back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundOutcome {
    /// The provider has taken it, by this call or an earlier one; how far it has come stands in it.
    Accepted(ProviderRefund),
    /// There is nothing to send back: no money came in.
    NothingThere,
    /// The provider will not send that back, and says why. Under the same number it will say so again.
    Refused(Text<200>),
}

/// A payment provider that takes US dollars by card.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PaymentProvider: Send + Sync {
    /// Opens a payment of `amount` for an order, or answers the one that was opened for the same order and attempt.
    async fn open(&self, order: OrderId, attempt: u32, amount: Money) -> Result<PaymentIntent, ProviderError>;

    /// The payment as it is now; `None` if the provider does not know it.
    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError>;

    /// Makes sure that a payment can never succeed, unless it has. Again is fine.
    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError>;

    /// Sends some of a succeeded payment's money back, or all of it. Again under the same number is fine and sends nothing
    /// twice.
    async fn refund(&self, order: &RefundOrder) -> Result<RefundOutcome, ProviderError>;

    /// Every refund of a payment, whoever made it.
    async fn refunds_of(&self, payment: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError>;

    /// Every dispute of a payment.
    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, ProviderError>;
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
    async fn confirm(&self, client_secret: &str, card: &Card) -> Result<PaymentIntent, CardRefused>;
}
