//! The payment provider port, on the in-process core of the fake Stripe, and the browser's side of it.
//!
//! It keeps the port's contract as the real adapter does: it sends an idempotency key per operation, continues with the
//! next key when Stripe stored a failure under the last one, and rejects responses about another object than the one it
//! asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Dispute, DisputeState, Money, Payable, ProviderRefund, RefundState, Text, Timestamp, TransactionId};
use ports::{
    CancelOutcome, EventMessage, EventRefused, PaymentEvent, PaymentEventKind, PaymentIntent, PaymentIntentState,
    PaymentProvider, ProviderError, ProviderEvents, RefundOutcome, RefundRequest,
};
use serde::Deserialize;
use testkit::fake_stripe::{Answer, Garbage, Outcome, Request, Trouble};

use crate::bug::Bug;
use crate::world::{State, World};

/// Number of idempotency keys per operation.
const KEYS: u32 = 4;
/// How often a slow response yields to other tasks.
const SLOW: usize = 3;

/// Stripe, as the shop sees it.
pub(crate) struct Stripe(pub(crate) Arc<World>);

/// Why Stripe did not perform the operation.
enum Failure {
    /// No response, or one that may differ on a retry.
    Unavailable,
    /// A refusal with this code. `replayed`: Stripe repeated a stored response.
    Refused { status: u16, code: String, replayed: bool },
    /// A response that makes no sense.
    InvalidResponse,
}

impl From<Failure> for ProviderError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Unavailable => Self::Unavailable("Stripe does not answer".into()),
            Failure::Refused { status, .. } if status >= 500 || matches!(status, 409 | 429) => {
                Self::Unavailable(format!("Stripe answered {status}").into())
            }
            Failure::Refused { status, code, .. } => {
                Self::InvalidResponse(format!("Stripe answered {status} {code}").into())
            }
            Failure::InvalidResponse => Self::InvalidResponse("Stripe's answer makes no sense".into()),
        }
    }
}

/// A response body. `replayed`: Stripe repeated its stored response to the same key.
struct Reply {
    body: Body,
    replayed: bool,
    /// Whether the response is about another payment: one of the faults.
    mixed_up: bool,
}

/// The fields that the shop reads of a payment, a refund and an error.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    id: Option<String>,
    amount: Option<i64>,
    currency: Option<String>,
    status: Option<String>,
    client_secret: Option<String>,
    metadata: Metadata,
    payment_intent: Option<String>,
    amount_received: i64,
    latest_charge: Option<Charge>,
    failure_reason: Option<String>,
    reason: Option<String>,
    object: Option<String>,
    data: Vec<Body>,
    error: Refusal,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Charge {
    amount_refunded: i64,
    disputed: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "these are Stripe's keys, and ours")]
struct Metadata {
    order_id: Option<String>,
    checkout_id: Option<String>,
    refund_id: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    code: Option<String>,
}

impl Stripe {
    async fn call(&self, method: &str, path: &str, body: &str, key: Option<&str>) -> Result<Reply, Failure> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        self.0.pass(&format!("{method} {path}")).await;
        let (outcome, mixed_up) = self.0.with(|state| {
            let request = Request {
                method: method.to_owned(),
                path: path.to_owned(),
                query: query.to_owned(),
                authorization: Some("Bearer sk_test_shop".to_owned()),
                idempotency_key: key.map(str::to_owned),
                body: body.as_bytes().to_vec(),
                ..Request::default()
            };
            if method != "GET" {
                state.version += 1;
            }
            let outcome = state.stripe.call(&request, state.now);
            state.log(|| format!("    {}", state_of(&outcome)));
            let trouble = state.stripe.history().last().and_then(|line| line.rsplit(' ').next());
            (outcome, trouble == Some(Trouble::Spoilt(Garbage::Anothers).word()))
        });
        match outcome {
            Outcome::Hang | Outcome::HangUp => {
                self.0.with(|state| state.notes.count("Stripe did not answer"));
                Err(Failure::Unavailable)
            }
            Outcome::Answer(answer, pause) => {
                if !pause.is_zero() {
                    for _ in 0..SLOW {
                        self.0.pass("wait for Stripe").await;
                    }
                }
                read(&answer).map(|reply| Reply { mixed_up, ..reply })
            }
        }
    }

    /// Performs an operation that must happen once, under its own idempotency key.
    async fn act(&self, path: &str, body: &str, operation: &str) -> Result<Reply, Failure> {
        let mut number = 1;
        loop {
            let key = if number == 1 { operation.to_owned() } else { format!("{operation}-again-{number}") };
            match self.call("POST", path, body, Some(&key)).await {
                Err(Failure::Refused { status: 500.., replayed: true, .. }) if number < KEYS => number += 1,
                outcome => return outcome,
            }
        }
    }

    async fn look_up(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        match self.call("GET", &format!("/v1/payment_intents/{id}?expand[0]=latest_charge"), "", None).await {
            Ok(reply) => {
                let intent = intent(reply.body).filter(|intent| intent.id == *id).ok_or(Failure::InvalidResponse)?;
                self.0.with(|state| state.note_quote(&intent));
                Ok(Some(intent))
            }
            Err(Failure::Refused { status: 404, code, .. }) if code == "resource_missing" => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }
}

#[async_trait]
impl PaymentProvider for Stripe {
    async fn open(&self, payable: Payable, attempt: u32, amount: Money) -> Result<PaymentIntent, ProviderError> {
        let (name, id) = match payable {
            Payable::Order(id) => ("order_id", id.to_string()),
            Payable::Checkout(id) => ("checkout_id", id.to_string()),
        };
        let body = format!(
            "amount={}&currency=usd&allowed_payment_method_types[0]=card&metadata[{name}]={id}",
            amount.cents()
        );
        let operation = self.0.with(|state| {
            if state.has(Bug::OpensAnew) {
                format!("open-{}", state.fresh_id())
            } else {
                format!("open-{}", payable.attempt_name(attempt, amount))
            }
        });
        let reply = self.act("/v1/payment_intents", &body, &operation).await?;
        let mixed_up = reply.mixed_up;
        let mut opened = intent(reply.body).ok_or(Failure::InvalidResponse)?;
        if reply.replayed {
            opened = self.look_up(&opened.id).await?.ok_or(Failure::InvalidResponse)?;
        }
        if opened.payable != Some(payable) || opened.amount != amount {
            return Err(Failure::InvalidResponse.into());
        }
        // If Stripe mixed it up with a payment of the same order and total whose own response was lost, it is
        // equivalent.
        if !mixed_up {
            self.0.with(|state| {
                state.version += 1;
                state.notes.opened.entry((payable, attempt, amount.cents())).or_default().insert(opened.id.clone());
            });
        }
        Ok(opened)
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
        let mut found = self.look_up(id).await?;
        self.0.with(|state| {
            if let (Some(intent), true) = (&mut found, state.has(Bug::SeesNoDisputes)) {
                (intent.disputed, intent.refunded) = (false, Money::ZERO);
            }
        });
        if found.is_none() && self.0.with(|state| state.has(Bug::TakesUnknownForOver)) {
            let nothing = Money::ZERO;
            return Ok(Some(PaymentIntent {
                id: id.clone(),
                client_secret: String::new(),
                amount: nothing,
                currency: String::new(),
                payable: None,
                state: PaymentIntentState::Cancelled,
                received: nothing,
                refunded: nothing,
                disputed: false,
            }));
        }
        if self.0.with(|state| state.has(Bug::TrustsAmounts)) {
            self.0.with(|state| {
                let row = found.as_ref().and_then(|intent| state.books.payment_attempts.get(&intent.id));
                if let (Some(intent), Some(row)) = (&mut found, row) {
                    intent.amount = row.opened.amount;
                    intent.received = row.opened.amount;
                }
            });
        }
        Ok(found)
    }

    async fn cancel(&self, id: &TransactionId) -> Result<CancelOutcome, ProviderError> {
        if self.0.with(|state| state.has(Bug::CancelsUnasked)) {
            return Ok(CancelOutcome::Cancelled);
        }
        let state = match self.call("POST", &format!("/v1/payment_intents/{id}/cancel"), "", None).await {
            Ok(reply) => intent(reply.body).filter(|intent| intent.id == *id).ok_or(Failure::InvalidResponse)?.state,
            Err(Failure::Refused { code, .. }) if code == "payment_intent_unexpected_state" => {
                match self.look_up(id).await? {
                    Some(intent) => intent.state,
                    None => return Ok(CancelOutcome::Unknown),
                }
            }
            Err(Failure::Refused { status: 404, code, .. }) if code == "resource_missing" => {
                return Ok(CancelOutcome::Unknown);
            }
            Err(failure) => return Err(failure.into()),
        };
        match state {
            PaymentIntentState::Cancelled => Ok(CancelOutcome::Cancelled),
            PaymentIntentState::Succeeded => Ok(CancelOutcome::Succeeded),
            PaymentIntentState::Open => Err(Failure::Unavailable.into()),
        }
    }

    async fn refund(&self, order: &RefundRequest) -> Result<RefundOutcome, ProviderError> {
        let id = &order.payment;
        match self.look_up(id).await?.map(|intent| intent.state) {
            Some(PaymentIntentState::Succeeded) => {}
            Some(_) => return Ok(RefundOutcome::NothingThere),
            None => return Err(Failure::Unavailable.into()),
        }
        let body = format!("payment_intent={id}&amount={}&metadata[refund_id]={}", order.amount.cents(), order.refund);
        let faith = self.0.with(|state| state.has(Bug::RefundsOnFaith));
        match self.act("/v1/refunds", &body, &format!("refund-{id}-{}-{}", order.refund, order.attempt)).await {
            Ok(reply) => Ok(RefundOutcome::Accepted(self.refund_of(reply.body, id)?)),
            Err(_) if faith => Ok(RefundOutcome::Accepted(ProviderRefund {
                id: format!("re_of_{id}").parse().unwrap(),
                amount: order.amount,
                state: RefundState::Succeeded,
                refund: Some(order.refund),
                failure: None,
            })),
            Err(Failure::Refused { status: 400, code, .. }) => {
                Ok(RefundOutcome::Refused(Text::new(&code).or_else(|_| Text::new("refused")).unwrap()))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    async fn refunds_of(&self, payment: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError> {
        let reply = self.call("GET", &format!("/v1/refunds?payment_intent={payment}&limit=100"), "", None).await?;
        let reply = listed(reply.body)?;
        reply.into_iter().map(|reply| self.refund_of(reply, payment).map_err(Into::into)).collect()
    }

    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, ProviderError> {
        let reply = self.call("GET", &format!("/v1/disputes?payment_intent={payment}&limit=100"), "", None).await?;
        let reply = listed(reply.body)?;
        reply
            .into_iter()
            .map(|reply| dispute_of(reply, payment).ok_or_else(|| Failure::InvalidResponse.into()))
            .collect()
    }
}

impl Stripe {
    fn refund_of(&self, reply: Body, payment: &TransactionId) -> Result<ProviderRefund, Failure> {
        if reply.payment_intent.as_deref() != Some(payment.as_str()) {
            return Err(Failure::InvalidResponse);
        }
        let believes = self.0.with(|state| state.has(Bug::BelievesRefunds));
        let state = match reply.status.as_deref() {
            Some("succeeded") => RefundState::Succeeded,
            Some("pending") => RefundState::Pending,
            Some("failed") if believes => RefundState::Succeeded,
            Some("failed") => RefundState::Failed,
            _ => return Err(Failure::InvalidResponse),
        };
        let understood = (|| {
            Some(ProviderRefund {
                id: reply.id?.parse().ok()?,
                amount: Money::from_cents(reply.amount?).ok()?,
                state,
                refund: reply.metadata.refund_id.and_then(|id| id.parse().ok()),
                failure: reply.failure_reason.and_then(|why| Text::new(&why).ok()),
            })
        })();
        understood.ok_or(Failure::InvalidResponse)
    }
}

fn listed(reply: Body) -> Result<Vec<Body>, Failure> {
    if reply.object.as_deref() == Some("list") { Ok(reply.data) } else { Err(Failure::InvalidResponse) }
}

fn dispute_of(reply: Body, payment: &TransactionId) -> Option<Dispute> {
    let state = match reply.status?.as_str() {
        "won" => DisputeState::Won,
        "lost" => DisputeState::Lost,
        _ => DisputeState::Open,
    };
    (reply.payment_intent.as_deref() == Some(payment.as_str())).then_some(())?;
    let reason = reply.reason.and_then(|why| Text::new(&why).ok());
    Some(Dispute { id: reply.id?.parse().ok()?, amount: Money::from_cents(reply.amount?).ok()?, state, reason })
}

impl State {
    /// Records a response whose amount differs from Stripe's own data.
    fn note_quote(&mut self, reply: &PaymentIntent) {
        let wrong = self
            .stripe
            .payments()
            .any(|payment| payment.id == reply.id.as_str() && payment.amount != reply.amount.cents());
        if wrong {
            self.notes.misquoted.insert(reply.id.clone());
        }
    }

    /// A call by a browser, or made at Stripe's dashboard. It runs immediately, and its response is ignored.
    pub(crate) fn call_stripe(&mut self, key: &str, path: &str, body: &str) {
        let request = Request {
            method: "POST".to_owned(),
            path: path.to_owned(),
            authorization: Some(format!("Bearer {key}")),
            body: body.as_bytes().to_vec(),
            ..Request::default()
        };
        self.version += 1;
        let outcome = self.stripe.call(&request, self.now);
        self.log(|| format!("    {}", state_of(&outcome)));
    }
}

/// For the trace.
fn state_of(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Hang => "no answer".to_owned(),
        Outcome::HangUp => "hung up".to_owned(),
        Outcome::Answer(answer, _) => {
            let body: Body = serde_json::from_str(&answer.body).unwrap_or_default();
            format!("{} {:?} {:?} {:?}", answer.status, body.id, body.status, body.error.code)
        }
    }
}

fn read(answer: &Answer) -> Result<Reply, Failure> {
    let header =
        |wanted: &str| answer.headers.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str());
    let replayed = header("idempotent-replayed") == Some("true");
    let body: Option<Body> = serde_json::from_str(&answer.body).ok();
    if answer.status == 200 {
        return body.map(|body| Reply { body, replayed, mixed_up: false }).ok_or(Failure::InvalidResponse);
    }
    let code = body.and_then(|body| body.error.code).unwrap_or_default();
    Err(Failure::Refused { status: answer.status, code, replayed })
}

fn intent(reply: Body) -> Option<PaymentIntent> {
    let state = match reply.status?.as_str() {
        "succeeded" => PaymentIntentState::Succeeded,
        "canceled" => PaymentIntentState::Cancelled,
        _ => PaymentIntentState::Open,
    };
    Some(PaymentIntent {
        id: reply.id?.parse().ok()?,
        client_secret: reply.client_secret?,
        amount: Money::from_cents(reply.amount?).ok()?,
        currency: reply.currency?,
        payable: match (reply.metadata.order_id, reply.metadata.checkout_id) {
            (Some(order), None) => order.parse().ok().map(Payable::Order),
            (None, Some(checkout)) => checkout.parse().ok().map(Payable::Checkout),
            _ => None,
        },
        state,
        received: Money::from_cents(reply.amount_received).ok()?,
        refunded: Money::from_cents(reply.latest_charge.as_ref().map_or(0, |charge| charge.amount_refunded)).ok()?,
        disputed: reply.latest_charge.is_some_and(|charge| charge.disputed),
    })
}

/// The fields of a Stripe event that the shop reads.
#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: EventObject,
}

#[derive(Deserialize)]
struct EventObject {
    id: String,
    payment_intent: Option<String>,
}

/// Reads Stripe's events without checking signatures: that is the adapter's job.
pub(crate) struct EventReader;

impl EventReader {
    /// A message as Stripe would send it, without its signature.
    pub(crate) fn message(body: &str) -> EventMessage<'_> {
        EventMessage { body: body.as_bytes(), headers: BTreeMap::new() }
    }
}

impl ProviderEvents for EventReader {
    fn verify(&self, message: &EventMessage<'_>, _: Timestamp) -> Result<PaymentEvent, EventRefused> {
        let event: Event = serde_json::from_slice(message.body).map_err(|_| EventRefused::Unreadable)?;
        let payment = event.data.object.id.parse().map_err(|_| EventRefused::Unreadable)?;
        let moved = event.data.object.payment_intent.and_then(|id| id.parse().ok());
        let kind = match event.kind.as_str() {
            "payment_intent.succeeded" => PaymentEventKind::Succeeded(payment),
            kind if kind.starts_with("refund.") || kind.starts_with("charge.dispute") || kind == "charge.refunded" => {
                moved.map_or(PaymentEventKind::Irrelevant, PaymentEventKind::MoneyMoved)
            }
            _ => PaymentEventKind::Irrelevant,
        };
        Ok(PaymentEvent { id: event.id, kind })
    }
}
