//! The payment provider.

use async_trait::async_trait;
use domain::{Dispute, Money, Payable, ProviderRefund, RefundId, Text, TransactionId};
use thiserror::Error;

use crate::ProviderError;

/// The state of a payment at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentIntentState {
    /// Waiting for a card, for the cardholder, or for the provider.
    Open,
    /// The money has arrived.
    Succeeded,
    /// It will never succeed.
    Cancelled,
}

/// A payment at the provider (at Stripe: a `PaymentIntent`), as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentIntent {
    /// The provider's id.
    pub id: TransactionId,
    /// The secret that the browser needs to pay with a card. Not to be logged.
    pub client_secret: String,
    /// The amount to be paid.
    pub amount: Money,
    /// The ISO 4217 code, in lower case.
    pub currency: String,
    /// What it was opened for; `None` if this shop did not open it.
    pub payable: Option<Payable>,
    /// How far it has come.
    pub state: PaymentIntentState,
    /// The amount received; 0 until it has succeeded.
    pub received: Money,
    /// The amount that was refunded, or is being refunded.
    pub refunded: Money,
    /// Whether it has ever been disputed.
    pub disputed: bool,
}

/// The result of cancelling a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// It is cancelled, by this call or an earlier one.
    Cancelled,
    /// Too late: it has succeeded.
    Succeeded,
    /// The provider does not know it. That does not mean that it cannot be paid: the API key may be wrong, or the
    /// provider's own data may lag behind.
    Unknown,
}

/// A refund to be requested from the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundRequest {
    /// The payment to refund.
    pub payment: TransactionId,
    /// The shop's id of the refund.
    pub refund: RefundId,
    /// The number of the attempt, part of the provider's idempotency key: a repeat under the same number pays nothing
    /// twice and gets the same refusal.
    pub attempt: u32,
    /// The amount to refund.
    pub amount: Money,
}

/// The result of requesting a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundOutcome {
    /// The provider has accepted it, in this call or an earlier one, and reports its state.
    Accepted(ProviderRefund),
    /// Nothing can be refunded: no money arrived.
    NothingThere,
    /// The provider refuses it, with this reason. Under the same attempt number it repeats the refusal.
    Refused(Text<200>),
}

/// A payment provider that accepts US dollars by card.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PaymentProvider: Send + Sync {
    /// Opens a payment of `amount`, or returns the one that was opened for the same payable and attempt. What is due for a
    /// checkout falls when a line of it is cancelled: of another amount, it is another payment.
    async fn open(&self, payable: Payable, attempt: u32, amount: Money) -> Result<PaymentIntent, ProviderError>;

    /// The current state of a payment; `None` if the provider does not know it.
    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError>;

    /// Cancels a payment, unless it has succeeded. Idempotent.
    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError>;

    /// Refunds a succeeded payment in part or in full. Idempotent under the same attempt number.
    async fn refund(&self, order: &RefundRequest) -> Result<RefundOutcome, ProviderError>;

    /// Every refund of a payment, made by the shop or in the dashboard.
    async fn refunds_of(&self, payment: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError>;

    /// Every dispute of a payment.
    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, ProviderError>;
}

/// A card as entered. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Card {
    /// The card number, with or without spaces.
    pub number: String,
    /// The month of expiry, 1 to 12.
    pub exp_month: i64,
    /// The year of expiry, with two or four digits.
    pub exp_year: i64,
    /// The security code: three or four digits.
    pub cvc: String,
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Card(…)")
    }
}

/// Why a card payment failed.
#[derive(Debug, Error)]
pub enum CardRefused {
    /// The provider's message, for the cardholder.
    #[error("{0}")]
    Declined(&'static str),
    /// No payment has this client secret.
    #[error("no such payment")]
    Unknown,
    /// The payment was cancelled.
    #[error("the payment was cancelled")]
    Cancelled,
    /// The provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// The sandbox's replacement for stripe.js: confirms a payment with a card, as the browser does with Stripe.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait TestCardEndpoint: Send + Sync {
    /// Pays with a card. Confirming a payment that has succeeded returns it unchanged.
    async fn confirm(&self, client_secret: &str, card: &Card) -> Result<PaymentIntent, CardRefused>;
}
