//! Payments through Stripe (<https://docs.stripe.com/api/payment_intents>).
//!
//! The requests are built with `stripe-rust`, which is generated from Stripe's OpenAPI description. The responses are
//! parsed here, and only the handful of fields that the shop acts on: the generated types require every field to be as
//! it was when they were generated, and would fail after the money has moved.

mod gateway;
#[cfg(test)]
mod tests;
mod transport;
mod webhook;

use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use domain::{Dispute, DisputeState, Money, Payable, ProviderRefund, RefundState, Text, TransactionId};
use ports::{
    CancelOutcome, PaymentIntent, PaymentIntentState, PaymentProvider, ProviderError, RefundOutcome, RefundRequest,
};
use secrecy::SecretString;
use serde::Deserialize;
use stripe_core::PaymentIntentAllowedPaymentMethodTypes;
use stripe_core::dispute::ListDispute;
use stripe_core::payment_intent::{CancelPaymentIntent, CreatePaymentIntent, RetrievePaymentIntent};
use stripe_core::refund::{CreateRefund, ListRefund};
use stripe_rust::StripeRequest;
use stripe_types::Currency;
use thiserror::Error;

use crate::amount;
use transport::{Failure, RetryPolicy, Transport};

pub use gateway::{StripeGatewayError, StripeSettings};
pub use transport::StripeSetupError;
pub use webhook::{InvalidWebhookSecret, StripeEvents};

/// The metadata key of the order's id in a Stripe payment.
const ORDER: &str = "order_id";
/// The same of a checkout.
const CHECKOUT: &str = "checkout_id";
/// The expanded field of a payment that shows what happened to its money.
const CHARGE: &str = "latest_charge";
/// The metadata key of the shop's own refund id in a Stripe refund.
const REFUND: &str = "refund_id";
/// How many refunds, or disputes, of a payment are read; a payment has a handful.
const LISTED: i64 = 100;

/// Stripe as the shop's payment provider. `Debug` does not show its key.
pub struct StripePayments {
    transport: Transport,
}

impl fmt::Debug for StripePayments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StripePayments").field(&self.transport.base()).finish()
    }
}

/// Why Stripe's response cannot be acted on.
#[derive(Debug, Error)]
enum BadAnswer {
    #[error("the answer is not what Stripe's documentation promises")]
    Shape,
    #[error("the answer is about something else than was asked for")]
    Another,
    #[error("Stripe does not know {0}")]
    Unknown(TransactionId),
    #[error("Stripe is still moving the money of {0}, so that it can be neither cancelled nor refunded now")]
    Undecided(TransactionId),
}

impl From<BadAnswer> for ProviderError {
    fn from(answer: BadAnswer) -> Self {
        match answer {
            BadAnswer::Undecided(_) | BadAnswer::Unknown(_) => Self::Unavailable(Box::new(answer)),
            BadAnswer::Shape | BadAnswer::Another => Self::InvalidResponse(Box::new(answer)),
        }
    }
}

impl StripePayments {
    /// Calls `{base}/v1/…` with the account's secret key.
    ///
    /// # Errors
    /// [`StripeSetupError`] if `base` is not an http(s) URL, the key is not valid in a header, or the HTTP client
    /// cannot be created.
    pub fn new(base: &str, secret_key: &SecretString) -> Result<Self, StripeSetupError> {
        Transport::new(base, secret_key, RetryPolicy::DEFAULT).map(|transport| Self { transport })
    }

    #[cfg(test)]
    fn in_a_hurry(base: &str, secret_key: &SecretString) -> Self {
        let transport = Transport::new(base, secret_key, RetryPolicy::IN_TESTS).unwrap();
        Self { transport }
    }

    async fn look_up(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        // Refunds and disputes are fields of the charge.
        let request = RetrievePaymentIntent::new(id.as_str()).expand([CHARGE.to_owned()]);
        match self.transport.call(&request.build(), None).await {
            Ok(answer) => read_payment_attempt_of(id, &answer.body).map(Some),
            Err(failure) if failure.is_not_found() => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }
}

#[async_trait]
impl PaymentProvider for StripePayments {
    async fn open(&self, payable: Payable, attempt: u32, amount: Money) -> Result<PaymentIntent, ProviderError> {
        let amount = amount::check(amount)?;
        let request = CreatePaymentIntent::new(amount.cents(), Currency::USD)
            .allowed_payment_method_types(vec![PaymentIntentAllowedPaymentMethodTypes::Card])
            .metadata(HashMap::from([reference(payable)]))
            .build();
        // With an idempotency key: if the first response was lost, opening again would otherwise leave a payment whose
        // client secret no one knows.
        let answer = self.transport.act(&request, &format!("open-{}", payable.attempt_name(attempt, amount))).await?;
        let mut intent = read_intent(&answer.body)?;
        if answer.replayed {
            // A replayed response shows the payment as it was when it was opened.
            intent = self.look_up(&intent.id).await?.ok_or(BadAnswer::Shape)?;
        }
        // The holder of a client secret can see and pay the payment, so it must be this customer's.
        if intent.payable == Some(payable) && intent.amount == amount {
            Ok(intent)
        } else {
            Err(BadAnswer::Another.into())
        }
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        self.look_up(id).await
    }

    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError> {
        // No idempotency key: Stripe would replay a refusal under it for a day, and cancelling again is harmless.
        let request = CancelPaymentIntent::new(id.as_str()).build();
        let state = match self.transport.call(&request, None).await {
            Ok(answer) => read_payment_attempt_of(id, &answer.body)?.state,
            Err(failure) if failure.is_not_found() => return Ok(CancelOutcome::Unknown),
            Err(failure) if failure.has_code("payment_intent_unexpected_state") => match self.look_up(id).await? {
                Some(intent) => intent.state,
                None => return Ok(CancelOutcome::Unknown),
            },
            Err(failure) => return Err(failure.into()),
        };
        match state {
            PaymentIntentState::Cancelled => Ok(CancelOutcome::Cancelled),
            PaymentIntentState::Succeeded => Ok(CancelOutcome::Succeeded),
            PaymentIntentState::Open => Err(BadAnswer::Undecided(id.clone()).into()),
        }
    }

    async fn refund(&self, order: &RefundRequest) -> Result<RefundOutcome, ProviderError> {
        let id = &order.payment;
        // For a payment that has not succeeded, Stripe would replay the refusal under the idempotency key for a day.
        match self.look_up(id).await?.map(|intent| intent.state) {
            Some(PaymentIntentState::Succeeded) => {}
            Some(PaymentIntentState::Open | PaymentIntentState::Cancelled) => return Ok(RefundOutcome::NothingThere),
            None => return Err(BadAnswer::Unknown(id.clone()).into()),
        }
        // The idempotency key is the refund's own: two partial refunds of one payment are two requests.
        let request = CreateRefund::new()
            .payment_intent(id.as_str())
            .amount(order.amount.cents())
            .metadata(HashMap::from([(REFUND.to_owned(), order.refund.to_string())]))
            .build();
        match self.transport.act(&request, &format!("refund-{id}-{}-{}", order.refund, order.attempt)).await {
            Ok(answer) => read_refund(&answer.body, id).map(RefundOutcome::Accepted),
            Err(failure) => match failure.refusal() {
                Some(code) => Ok(RefundOutcome::Refused(code)),
                None => Err(failure.into()),
            },
        }
    }

    async fn refunds_of(&self, payment: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError> {
        let request = ListRefund::new().payment_intent(payment.as_str()).limit(LISTED).build();
        let answer = self.transport.call(&request, None).await?;
        let listed: Listed<StripeRefund> = serde_json::from_slice(&answer.body).map_err(|_| BadAnswer::Shape)?;
        listed.data.into_iter().map(|item| item.understand(payment)).collect()
    }

    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, ProviderError> {
        let request = ListDispute::new().payment_intent(payment.as_str()).limit(LISTED).build();
        let answer = self.transport.call(&request, None).await?;
        let listed: Listed<StripeDispute> = serde_json::from_slice(&answer.body).map_err(|_| BadAnswer::Shape)?;
        listed.data.into_iter().map(|item| item.understand(payment)).collect()
    }
}

/// The fields of a payment that the shop reads.
#[derive(Deserialize)]
struct StripeIntent {
    id: String,
    amount: i64,
    currency: String,
    status: String,
    client_secret: Option<String>,
    #[serde(default)]
    metadata: HashMap<String, String>,
    #[serde(default)]
    amount_received: i64,
    #[serde(default)]
    latest_charge: Option<StripeCharge>,
}

/// A charge, or only its id where it was not expanded.
#[derive(Deserialize)]
#[serde(untagged)]
enum StripeCharge {
    Whole {
        #[serde(default)]
        amount_refunded: i64,
        #[serde(default)]
        disputed: bool,
    },
    Id(#[expect(dead_code, reason = "only the variant matters, not the id")] String),
}

/// The metadata that names what a payment is for.
fn reference(payable: Payable) -> (String, String) {
    match payable {
        Payable::Order(id) => (ORDER.to_owned(), id.to_string()),
        Payable::Checkout(id) => (CHECKOUT.to_owned(), id.to_string()),
    }
}

fn payable_of(metadata: &HashMap<String, String>) -> Option<Payable> {
    match (metadata.get(ORDER), metadata.get(CHECKOUT)) {
        (Some(order), None) => order.parse().ok().map(Payable::Order),
        (None, Some(checkout)) => checkout.parse().ok().map(Payable::Checkout),
        _ => None,
    }
}

fn read_intent(body: &[u8]) -> Result<PaymentIntent, ProviderError> {
    // The parser's message is left out: it quotes what it read, which may contain a client secret.
    let understand = || {
        let intent: StripeIntent = serde_json::from_slice(body).ok()?;
        let state = match intent.status.as_str() {
            "succeeded" => PaymentIntentState::Succeeded,
            "canceled" => PaymentIntentState::Cancelled,
            // Waiting for a card, the cardholder or the bank; or a status added later, which counts as undecided.
            _ => PaymentIntentState::Open,
        };
        let (refunded, disputed) = match intent.latest_charge {
            Some(StripeCharge::Whole { amount_refunded, disputed }) => (amount_refunded, disputed),
            Some(StripeCharge::Id(_)) | None => (0, false),
        };
        let has_secret = intent.client_secret.is_some() || state != PaymentIntentState::Open;
        Some(PaymentIntent {
            id: intent.id.parse().ok()?,
            client_secret: has_secret.then(|| intent.client_secret.unwrap_or_default())?,
            amount: Money::from_cents(intent.amount).ok()?,
            currency: intent.currency,
            payable: payable_of(&intent.metadata),
            state,
            received: Money::from_cents(intent.amount_received).ok()?,
            refunded: Money::from_cents(refunded).ok()?,
            disputed,
        })
    };
    understand().ok_or_else(|| BadAnswer::Shape.into())
}

fn read_payment_attempt_of(id: &TransactionId, body: &[u8]) -> Result<PaymentIntent, ProviderError> {
    read_intent(body).and_then(|intent| if intent.id == *id { Ok(intent) } else { Err(BadAnswer::Another.into()) })
}

/// A list object of Stripe's API.
#[derive(Deserialize)]
struct Listed<T> {
    data: Vec<T>,
}

/// The fields of a refund that the shop reads.
#[derive(Deserialize)]
struct StripeRefund {
    id: String,
    amount: i64,
    payment_intent: Option<String>,
    status: String,
    failure_reason: Option<String>,
    #[serde(default)]
    metadata: HashMap<String, String>,
}

impl StripeRefund {
    fn understand(self, payment: &TransactionId) -> Result<ProviderRefund, ProviderError> {
        if self.payment_intent.as_deref() != Some(payment.as_str()) {
            return Err(BadAnswer::Another.into());
        }
        let state = match self.status.as_str() {
            "succeeded" => RefundState::Succeeded,
            "pending" | "requires_action" => RefundState::Pending,
            "failed" | "canceled" => RefundState::Failed,
            _ => return Err(BadAnswer::Shape.into()),
        };
        Ok(ProviderRefund {
            id: self.id.parse().map_err(|_| BadAnswer::Shape)?,
            amount: Money::from_cents(self.amount).map_err(|_| BadAnswer::Shape)?,
            state,
            refund: self.metadata.get(REFUND).and_then(|id| id.parse().ok()),
            failure: self.failure_reason.as_deref().and_then(|why| Text::new(why).ok()),
        })
    }
}

fn read_refund(body: &[u8], id: &TransactionId) -> Result<ProviderRefund, ProviderError> {
    serde_json::from_slice::<StripeRefund>(body).map_err(|_| BadAnswer::Shape)?.understand(id)
}

/// The fields of a dispute that the shop reads.
#[derive(Deserialize)]
struct StripeDispute {
    id: String,
    amount: i64,
    payment_intent: Option<String>,
    status: String,
    reason: Option<String>,
}

impl StripeDispute {
    fn understand(self, payment: &TransactionId) -> Result<Dispute, ProviderError> {
        if self.payment_intent.as_deref() != Some(payment.as_str()) {
            return Err(BadAnswer::Another.into());
        }
        let state = match self.status.as_str() {
            "won" | "warning_closed" | "prevented" => DisputeState::Won,
            "lost" => DisputeState::Lost,
            // Waiting for a response, under review; or a status added later, which counts as undecided.
            _ => DisputeState::Open,
        };
        Ok(Dispute {
            id: self.id.parse().map_err(|_| BadAnswer::Shape)?,
            amount: Money::from_cents(self.amount).map_err(|_| BadAnswer::Shape)?,
            state,
            reason: self.reason.as_deref().and_then(|why| Text::new(why).ok()),
        })
    }
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        if failure.may_pass() { Self::Unavailable(Box::new(failure)) } else { Self::InvalidResponse(Box::new(failure)) }
    }
}
