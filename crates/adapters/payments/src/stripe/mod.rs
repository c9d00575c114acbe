//! Payments by way of Stripe (<https://docs.stripe.com/api/payment_intents>).
//!
//! The requests are `stripe-rust`'s, generated from Stripe's own description of its API. The answers are read here, and
//! only the handful of fields that the shop acts on: the generated types want every field to be what it was when they
//! were generated, and fail after the money has moved.

#[cfg(test)]
mod tests;
mod transport;

use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use domain::{Money, OrderId, TransactionId};
use ports::{CancelOutcome, Intent, IntentState, PaymentProvider, ProviderError, RefundOutcome};
use secrecy::SecretString;
use serde::Deserialize;
use stripe_core::PaymentIntentAllowedPaymentMethodTypes;
use stripe_core::payment_intent::{CancelPaymentIntent, CreatePaymentIntent, RetrievePaymentIntent};
use stripe_core::refund::CreateRefund;
use stripe_rust::StripeRequest;
use stripe_types::Currency;
use thiserror::Error;

use crate::amount;
use transport::{Failure, Pace, Transport};

pub use transport::StripeSetupError;

/// Under which name a payment carries the order's id at Stripe.
const ORDER: &str = "order_id";

/// Stripe as the shop's payment provider. `Debug` does not show its key.
pub struct StripePayments {
    transport: Transport,
}

impl fmt::Debug for StripePayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StripePayments").field(&self.transport.base()).finish()
    }
}

/// Why Stripe's answer cannot be acted on.
#[derive(Debug, Error)]
enum BadAnswer {
    #[error("the answer is not what Stripe's documentation promises")]
    Shape,
    #[error("the answer is about something else than was asked for")]
    Another,
    #[error("Stripe is still moving the money of {0}, so that it can be neither cancelled nor refunded now")]
    Undecided(TransactionId),
    #[error("Stripe could not send back the money of {0}")]
    RefundFailed(TransactionId),
}

impl From<BadAnswer> for ProviderError {
    fn from(answer: BadAnswer) -> Self {
        match answer {
            BadAnswer::Undecided(_) => Self::Away(Box::new(answer)),
            BadAnswer::Shape | BadAnswer::Another | BadAnswer::RefundFailed(_) => Self::Nonsense(Box::new(answer)),
        }
    }
}

impl StripePayments {
    /// Calls `{base}/v1/…` with the account's secret key.
    ///
    /// # Errors
    /// [`StripeSetupError`] if `base` is no http(s) URL, the key cannot be sent, or no HTTP client can be made.
    pub fn new(base: &str, secret_key: &SecretString) -> Result<Self, StripeSetupError> {
        Transport::new(base, secret_key, Pace::DEFAULT).map(|transport| Self { transport })
    }

    #[cfg(test)]
    fn in_a_hurry(base: &str, secret_key: &SecretString) -> Self {
        let transport = Transport::new(base, secret_key, Pace::IN_TESTS).unwrap();
        Self { transport }
    }

    async fn look_up(&self, id: &TransactionId) -> Result<Option<Intent>, ProviderError> {
        let request = RetrievePaymentIntent::new(id.as_str());
        match self.transport.call(&request.build(), None).await {
            Ok(answer) => read_intent_of(id, &answer.body).map(Some),
            Err(failure) if failure.is_not_found() => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }
}

#[async_trait]
impl PaymentProvider for StripePayments {
    async fn open(&self, order: OrderId, attempt: u32, amount: Money) -> Result<Intent, ProviderError> {
        let amount = amount::check(amount)?;
        let request = CreatePaymentIntent::new(amount.cents(), Currency::USD)
            .allowed_payment_method_types(vec![PaymentIntentAllowedPaymentMethodTypes::Card])
            .metadata(HashMap::from([(ORDER.to_owned(), order.to_string())]))
            .build();
        // Opened a second time, a payment whose first answer never came is one that nobody knows the secret of.
        let answer = self.transport.act(&request, &format!("open-{order}-{attempt}")).await?;
        let mut intent = read_intent(&answer.body)?;
        if answer.replayed {
            // A replay shows the payment as it was when it was opened.
            intent = self.look_up(&intent.id).await?.ok_or(BadAnswer::Shape)?;
        }
        // Whoever gets a payment's secret may see it and pay it: it had better be this buyer's.
        if intent.order == Some(order) && intent.amount == amount { Ok(intent) } else { Err(BadAnswer::Another.into()) }
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<Intent>, ProviderError> {
        self.look_up(id).await
    }

    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError> {
        // No idempotency key: Stripe would remember a refusal under it for a day, and cancelling again is harmless.
        let request = CancelPaymentIntent::new(id.as_str()).build();
        let state = match self.transport.call(&request, None).await {
            Ok(answer) => read_intent_of(id, &answer.body)?.state,
            Err(failure) if failure.is_not_found() => return Ok(CancelOutcome::Cancelled),
            Err(failure) if failure.has_code("payment_intent_unexpected_state") => match self.look_up(id).await? {
                Some(intent) => intent.state,
                None => return Ok(CancelOutcome::Cancelled),
            },
            Err(failure) => return Err(failure.into()),
        };
        match state {
            IntentState::Cancelled => Ok(CancelOutcome::Cancelled),
            IntentState::Succeeded => Ok(CancelOutcome::Succeeded),
            IntentState::Open => Err(BadAnswer::Undecided(id.clone()).into()),
        }
    }

    async fn refund(&self, id: &TransactionId) -> Result<RefundOutcome, ProviderError> {
        // Asked for a payment that has not succeeded, Stripe would remember the refusal under the key for a day.
        match self.look_up(id).await?.map(|intent| intent.state) {
            Some(IntentState::Succeeded) => {}
            Some(IntentState::Open | IntentState::Cancelled) | None => return Ok(RefundOutcome::NothingThere),
        }
        let request = CreateRefund::new().payment_intent(id.as_str()).build();
        // The whole amount cannot go back twice, whatever the key.
        match self.transport.act(&request, &format!("refund-{id}")).await {
            Ok(answer) => read_refund(&answer.body, id),
            Err(failure) if failure.has_code("charge_already_refunded") => Ok(RefundOutcome::Refunded),
            Err(failure) => Err(failure.into()),
        }
    }
}

/// What the shop reads of a payment.
#[derive(Deserialize)]
struct ToldIntent {
    id: String,
    amount: i64,
    currency: String,
    status: String,
    client_secret: Option<String>,
    #[serde(default)]
    metadata: HashMap<String, String>,
}

fn read_intent(body: &[u8]) -> Result<Intent, ProviderError> {
    // The parser's own words are left out: they quote what it read, and client secrets stand in it.
    let understand = || {
        let told: ToldIntent = serde_json::from_slice(body).ok()?;
        let state = match told.status.as_str() {
            "succeeded" => IntentState::Succeeded,
            "canceled" => IntentState::Cancelled,
            // Waiting for a card, for its owner, for the bank; and whatever is invented yet, for it is not decided.
            _ => IntentState::Open,
        };
        let secret_is_told = told.client_secret.is_some() || state != IntentState::Open;
        Some(Intent {
            id: told.id.parse().ok()?,
            client_secret: secret_is_told.then(|| told.client_secret.unwrap_or_default())?,
            amount: Money::from_cents(told.amount).ok()?,
            currency: told.currency,
            order: told.metadata.get(ORDER).and_then(|order| order.parse().ok()),
            state,
        })
    };
    understand().ok_or_else(|| BadAnswer::Shape.into())
}

fn read_intent_of(id: &TransactionId, body: &[u8]) -> Result<Intent, ProviderError> {
    read_intent(body).and_then(|intent| if intent.id == *id { Ok(intent) } else { Err(BadAnswer::Another.into()) })
}

/// What the shop reads of a refund.
#[derive(Deserialize)]
struct ToldRefund {
    payment_intent: Option<String>,
    status: String,
}

fn read_refund(body: &[u8], id: &TransactionId) -> Result<RefundOutcome, ProviderError> {
    let refund: ToldRefund = serde_json::from_slice(body).map_err(|_| BadAnswer::Shape)?;
    if refund.payment_intent.as_deref() != Some(id.as_str()) {
        return Err(BadAnswer::Another.into());
    }
    match refund.status.as_str() {
        "succeeded" | "pending" | "requires_action" => Ok(RefundOutcome::Refunded),
        "failed" | "canceled" => Err(BadAnswer::RefundFailed(id.clone()).into()),
        _ => Err(BadAnswer::Shape.into()),
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        if failure.may_pass() { Self::Away(Box::new(failure)) } else { Self::Nonsense(Box::new(failure)) }
    }
}
