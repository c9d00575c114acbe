use std::error::Error;
use std::fmt::Write;

use domain::{Money, OrderId, TransactionId};
use ports::{CancelOutcome, IntentState, PaymentProvider, ProviderError, RefundOutcome};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{StripePayments, StripeSetupError};
use testkit::{Received, Reply, StandIn};

const KEY: &str = "sk_test_nobodymayseethis";
const PAYMENT: &str = "pi_3MtwBwLkdIwHu7ix28a3tqPa";
const SECRET: &str = "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH";

fn order() -> OrderId {
    OrderId::new(Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001))
}

fn id() -> TransactionId {
    PAYMENT.parse().unwrap()
}

fn dollars(dollars: i64) -> Money {
    Money::from_cents(dollars * 100).unwrap()
}

fn stripe(stand_in: &StandIn) -> StripePayments {
    StripePayments::in_a_hurry(&stand_in.base(), &KEY.into())
}

/// A payment as Stripe writes it.
fn payment(status: &str) -> Value {
    json!({
        "id": PAYMENT,
        "object": "payment_intent",
        "allowed_payment_method_types": ["card"],
        "amount": 645_000,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": if status == "succeeded" { 645_000 } else { 0 },
        "application": null,
        "application_fee_amount": null,
        "automatic_payment_methods": null,
        "canceled_at": null,
        "cancellation_reason": null,
        "capture_method": "automatic",
        "client_secret": SECRET,
        "confirmation_method": "automatic",
        "created": 1_780_000_000,
        "currency": "usd",
        "customer": null,
        "description": null,
        "last_payment_error": null,
        "latest_charge": null,
        "livemode": false,
        "metadata": {"order_id": order().to_string()},
        "next_action": null,
        "payment_method": null,
        "payment_method_options": {"card": {"installments": null, "request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "processing": null,
        "receipt_email": null,
        "status": status,
        "transfer_data": null
    })
}

fn told(status: &str) -> Reply {
    Reply::Json(200, payment(status).to_string())
}

fn refused(status: u16, kind: &str, code: &str) -> Reply {
    let error = json!({"error": {
        "type": kind, "code": code, "message": "Something for a person.", "doc_url": "https://stripe.com/docs/error-codes"
    }});
    Reply::Json(status, error.to_string())
}

fn not_there() -> Reply {
    refused(404, "invalid_request_error", "resource_missing")
}

fn unexpected_state() -> Reply {
    refused(400, "invalid_request_error", "payment_intent_unexpected_state")
}

fn sent_back(status: &str) -> Reply {
    let refund = json!({
        "id": "re_1Nispe2eZvKYlo2Cd31jOCgZ", "object": "refund", "amount": 645_000, "charge": "ch_1NirD82eZvKYlo2CIvbtLWuY",
        "created": 1_692_942_318, "currency": "usd", "metadata": {}, "payment_intent": PAYMENT, "reason": null, "status": status
    });
    Reply::Json(200, refund.to_string())
}

fn line(request: &Received) -> &str {
    request.head.lines().next().unwrap()
}

fn header<'a>(request: &'a Received, name: &str) -> Option<&'a str> {
    request
        .head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

fn is_away<T: std::fmt::Debug>(outcome: &Result<T, ProviderError>) -> bool {
    matches!(outcome, Err(ProviderError::Away(_)))
}

fn is_nonsense<T: std::fmt::Debug>(outcome: &Result<T, ProviderError>) -> bool {
    matches!(outcome, Err(ProviderError::Nonsense(_)))
}

#[tokio::test]
async fn a_payment_is_opened_for_an_order_by_card_in_dollars() {
    let stand_in = StandIn::start(vec![told("requires_payment_method")]).await;
    let intent = stripe(&stand_in).open(order(), 2, dollars(6_450)).await.unwrap();
    assert_eq!(intent.id, id());
    assert_eq!(intent.client_secret, SECRET);
    assert_eq!(intent.amount, dollars(6_450));
    assert_eq!(intent.currency, "usd");
    assert_eq!(intent.order, Some(order()));
    assert_eq!(intent.state, IntentState::Open);

    let [request] = &stand_in.received()[..] else { panic!("one request") };
    assert_eq!(line(request), "POST /v1/payment_intents HTTP/1.1");
    assert_eq!(header(request, "authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(header(request, "content-type"), Some("application/x-www-form-urlencoded"));
    assert!(header(request, "stripe-version").is_some_and(|version| version.starts_with("20")));
    assert_eq!(header(request, "idempotency-key"), Some(format!("open-{}-2", order()).as_str()));
    let body = String::from_utf8(request.body.clone()).unwrap();
    let mut fields: Vec<String> = body.split('&').map(|field| field.replace("%5B", "[").replace("%5D", "]")).collect();
    fields.sort();
    let expected = [
        "allowed_payment_method_types[0]=card".to_owned(),
        "amount=645000".to_owned(),
        "currency=usd".to_owned(),
        format!("metadata[order_id]={}", order()),
    ];
    assert_eq!(fields, expected);
}

#[tokio::test]
async fn an_amount_that_stripe_refuses_is_not_even_sent() {
    let stand_in = StandIn::start(vec![told("requires_payment_method")]).await;
    for cents in [0, 49, 100_000_000] {
        let refused = stripe(&stand_in).open(order(), 0, Money::from_cents(cents).unwrap()).await;
        assert!(is_nonsense(&refused), "{cents}: {refused:?}");
    }
    assert!(stand_in.received().is_empty());
}

#[tokio::test]
async fn of_a_replayed_opening_the_state_of_now_is_told() {
    let body = payment("requires_payment_method").to_string();
    let replay = format!(
        "HTTP/1.1 200 OK\r\nidempotent-replayed: true\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let stand_in = StandIn::start(vec![Reply::Raw(replay.into_bytes()), told("canceled")]).await;
    let intent = stripe(&stand_in).open(order(), 0, dollars(6_450)).await.unwrap();
    assert_eq!(intent.state, IntentState::Cancelled);
    assert_eq!(line(&stand_in.received()[1]), format!("GET /v1/payment_intents/{PAYMENT} HTTP/1.1"));
}

#[tokio::test]
async fn every_status_of_stripe_is_open_until_the_money_is_in_or_never_will_be() {
    for (status, state) in [
        ("requires_payment_method", IntentState::Open),
        ("requires_confirmation", IntentState::Open),
        ("requires_action", IntentState::Open),
        ("processing", IntentState::Open),
        ("requires_capture", IntentState::Open),
        ("something_new", IntentState::Open),
        ("succeeded", IntentState::Succeeded),
        ("canceled", IntentState::Cancelled),
    ] {
        let stand_in = StandIn::start(vec![told(status)]).await;
        let found = stripe(&stand_in).find(&id()).await.unwrap().unwrap();
        assert_eq!(found.state, state, "{status}");
    }
}

#[tokio::test]
async fn a_payment_that_stripe_does_not_know_is_none() {
    let stand_in = StandIn::start(vec![not_there()]).await;
    assert_eq!(stripe(&stand_in).find(&id()).await.unwrap(), None);
    let [request] = &stand_in.received()[..] else { panic!("one request") };
    assert_eq!(line(request), format!("GET /v1/payment_intents/{PAYMENT} HTTP/1.1"));
}

#[tokio::test]
async fn a_404_of_something_that_is_not_stripe_does_not_mean_that_a_payment_is_gone() {
    let stand_in = StandIn::start(vec![Reply::Json(404, "<h1>nginx</h1>".to_owned())]).await;
    assert!(is_nonsense(&stripe(&stand_in).find(&id()).await));
    assert!(is_nonsense(&stripe(&stand_in).cancel(&id()).await));
    assert!(is_nonsense(&stripe(&stand_in).refund(&id()).await));
}

#[tokio::test]
async fn a_payment_of_somebody_else_has_no_order() {
    for metadata in [json!({}), json!({"order_id": "6735"}), json!({"other": "x"})] {
        let mut payment = payment("succeeded");
        payment["metadata"] = metadata;
        let stand_in = StandIn::start(vec![Reply::Json(200, payment.to_string())]).await;
        let found = stripe(&stand_in).find(&id()).await.unwrap().unwrap();
        assert_eq!(found.order, None);
    }
}

#[tokio::test]
async fn trouble_that_passes_is_tried_again_with_the_same_key() {
    for trouble in [
        refused(429, "invalid_request_error", "rate_limit"),
        refused(409, "idempotency_error", "idempotency_key_in_use"),
        Reply::Json(500, "{}".to_owned()),
        Reply::Json(503, String::new()),
        Reply::HangUp,
    ] {
        let stand_in = StandIn::start(vec![trouble.clone(), trouble.clone(), told("requires_payment_method")]).await;
        let intent = stripe(&stand_in).open(order(), 0, dollars(6_450)).await;
        assert!(intent.is_ok(), "{trouble:?}: {intent:?}");
        let received = stand_in.received();
        assert_eq!(received.len(), 3, "{trouble:?}");
        for request in &received {
            assert_eq!(header(request, "idempotency-key"), header(&received[0], "idempotency-key"));
            assert_eq!(request.body, received[0].body);
        }
    }
}

#[tokio::test]
async fn trouble_that_stays_is_away_after_three_attempts() {
    for trouble in [refused(429, "invalid_request_error", "rate_limit"), refused(500, "api_error", "-"), Reply::HangUp]
    {
        let stand_in = StandIn::start(vec![trouble.clone()]).await;
        let outcome = stripe(&stand_in).open(order(), 0, dollars(6_450)).await;
        assert!(is_away(&outcome), "{trouble:?}: {outcome:?}");
        assert_eq!(stand_in.received().len(), 3, "{trouble:?}");
    }
    let nobody = StripePayments::in_a_hurry("http://127.0.0.1:1", &KEY.into());
    assert!(is_away(&nobody.find(&id()).await));
}

#[tokio::test]
async fn a_provider_that_never_answers_is_away_within_the_deadline() {
    let stand_in = StandIn::start(vec![Reply::Hang]).await;
    let began = std::time::Instant::now();
    let outcome = stripe(&stand_in).open(order(), 0, dollars(6_450)).await;
    assert!(is_away(&outcome), "{outcome:?}");
    assert!(began.elapsed().as_secs() < 3);
}

#[tokio::test]
async fn stripes_own_word_on_trying_again_counts() {
    let reply = |status: u16, word: &str| {
        Reply::Raw(
            format!(
                "HTTP/1.1 {status} X\r\nstripe-should-retry: {word}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
            .into_bytes(),
        )
    };
    for (status, word, attempts) in [(500, "false", 1), (400, "true", 3), (400, "false", 1), (500, "true", 3)] {
        let stand_in = StandIn::start(vec![reply(status, word)]).await;
        assert!(stripe(&stand_in).find(&id()).await.is_err());
        assert_eq!(stand_in.received().len(), attempts, "{status} {word}");
    }
}

#[tokio::test]
async fn a_refusal_is_not_tried_again() {
    for refusal in [
        refused(400, "invalid_request_error", "parameter_invalid_empty"),
        refused(400, "idempotency_error", "-"),
        refused(401, "invalid_request_error", "api_key_expired"),
        refused(402, "card_error", "card_declined"),
        refused(403, "invalid_request_error", "-"),
        Reply::Raw(b"HTTP/1.1 302 X\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".to_vec()),
    ] {
        let stand_in = StandIn::start(vec![refusal.clone()]).await;
        let outcome = stripe(&stand_in).open(order(), 0, dollars(6_450)).await;
        assert!(is_nonsense(&outcome), "{refusal:?}: {outcome:?}");
        assert_eq!(stand_in.received().len(), 1, "{refusal:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_no_payment_makes_no_sense() {
    let without_secret = {
        let mut payment = payment("requires_payment_method");
        payment["client_secret"] = Value::Null;
        payment.to_string()
    };
    for garbage in [
        String::new(),
        "<html>".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        r#"{"id":"pi/../x","amount":1,"currency":"usd","status":"succeeded"}"#.to_owned(),
        r#"{"id":"pi_1","amount":-1,"currency":"usd","status":"succeeded"}"#.to_owned(),
        " ".repeat(1024 * 1024 + 1),
        without_secret,
    ] {
        let stand_in = StandIn::start(vec![Reply::Json(200, garbage.clone())]).await;
        let outcome = stripe(&stand_in).open(order(), 0, dollars(6_450)).await;
        assert!(is_nonsense(&outcome), "{garbage:.60}: {outcome:?}");
    }
}

#[tokio::test]
async fn fields_that_nobody_reads_may_be_anything() {
    let mut payment = payment("succeeded");
    payment["payment_method_options"] = json!(["new", 7]);
    payment["capture_method"] = json!({"kind": "later"});
    let stand_in = StandIn::start(vec![Reply::Json(200, payment.to_string())]).await;
    assert!(stripe(&stand_in).find(&id()).await.unwrap().is_some());
}

#[tokio::test]
async fn an_open_payment_is_cancelled() {
    let stand_in = StandIn::start(vec![told("canceled")]).await;
    assert_eq!(stripe(&stand_in).cancel(&id()).await.unwrap(), CancelOutcome::Cancelled);
    let [request] = &stand_in.received()[..] else { panic!("one request") };
    assert_eq!(line(request), format!("POST /v1/payment_intents/{PAYMENT}/cancel HTTP/1.1"));
    assert_eq!(header(request, "idempotency-key"), None);
}

#[tokio::test]
async fn what_cannot_be_cancelled_is_looked_at() {
    for (replies, expected) in [
        (vec![unexpected_state(), told("canceled")], CancelOutcome::Cancelled),
        (vec![unexpected_state(), told("succeeded")], CancelOutcome::Succeeded),
        (vec![unexpected_state(), not_there()], CancelOutcome::Cancelled),
        (vec![not_there()], CancelOutcome::Cancelled),
    ] {
        let stand_in = StandIn::start(replies.clone()).await;
        assert_eq!(stripe(&stand_in).cancel(&id()).await.unwrap(), expected, "{replies:?}");
    }
}

#[tokio::test]
async fn a_payment_whose_money_is_on_its_way_is_neither_cancelled_nor_paid() {
    let stand_in = StandIn::start(vec![unexpected_state(), told("processing")]).await;
    assert!(is_away(&stripe(&stand_in).cancel(&id()).await));
}

#[tokio::test]
async fn a_refund_sends_the_whole_amount_back_under_a_key_of_its_own() {
    for status in ["succeeded", "pending", "requires_action"] {
        let stand_in = StandIn::start(vec![told("succeeded"), sent_back(status)]).await;
        assert_eq!(stripe(&stand_in).refund(&id()).await.unwrap(), RefundOutcome::Refunded, "{status}");
        let request = &stand_in.received()[1];
        assert_eq!(line(request), "POST /v1/refunds HTTP/1.1");
        assert_eq!(header(request, "idempotency-key"), Some(format!("refund-{PAYMENT}").as_str()));
        assert_eq!(String::from_utf8_lossy(&request.body), format!("payment_intent={PAYMENT}"));
    }
}

#[tokio::test]
async fn money_that_went_back_before_is_refunded() {
    let replies = vec![told("succeeded"), refused(400, "invalid_request_error", "charge_already_refunded")];
    let stand_in = StandIn::start(replies).await;
    assert_eq!(stripe(&stand_in).refund(&id()).await.unwrap(), RefundOutcome::Refunded);
}

#[tokio::test]
async fn where_no_money_came_in_no_refund_is_asked_for() {
    for reply in [told("requires_payment_method"), told("canceled"), not_there()] {
        let stand_in = StandIn::start(vec![reply.clone()]).await;
        assert_eq!(stripe(&stand_in).refund(&id()).await.unwrap(), RefundOutcome::NothingThere, "{reply:?}");
        assert_eq!(stand_in.received().len(), 1, "{reply:?}");
    }
}

#[tokio::test]
async fn a_refund_that_the_bank_sent_back_is_told() {
    for reply in [sent_back("failed"), sent_back("canceled"), Reply::Json(200, "{}".to_owned())] {
        let stand_in = StandIn::start(vec![told("succeeded"), reply.clone()]).await;
        assert!(is_nonsense(&stripe(&stand_in).refund(&id()).await), "{reply:?}");
    }
}

#[tokio::test]
async fn neither_the_key_nor_a_client_secret_stands_in_an_error() {
    let mut almost = payment("succeeded");
    almost["amount"] = json!(SECRET);
    for reply in [Reply::Hang, Reply::HangUp, Reply::Json(500, KEY.to_owned()), Reply::Json(200, almost.to_string())] {
        let stand_in = StandIn::start(vec![reply.clone()]).await;
        let stripe = stripe(&stand_in);
        let error = stripe.open(order(), 0, dollars(6_450)).await.unwrap_err();
        let mut story = format!("{stripe:?} {error} {error:?}");
        let mut cause = error.source();
        while let Some(error) = cause {
            write!(story, " {error} {error:?}").unwrap();
            cause = error.source();
        }
        assert!(!story.contains(SECRET) && !story.contains(KEY), "{reply:?}: {story}");
    }
}

#[test]
fn settings_that_cannot_work_are_told_at_the_start() {
    for base in ["", "api.stripe.com", "ftp://api.stripe.com", "mailto:a@b.co"] {
        let refused = StripePayments::new(base, &KEY.into());
        assert!(matches!(refused, Err(StripeSetupError::Address)), "{base}");
    }
    for key in ["", "sk_test\n"] {
        let refused = StripePayments::new("https://api.stripe.com", &key.into());
        assert!(matches!(refused, Err(StripeSetupError::Key)), "{key:?}");
    }
    for base in ["https://api.stripe.com", "https://api.stripe.com/"] {
        let stripe = StripePayments::new(base, &KEY.into()).unwrap();
        assert_eq!(format!("{stripe:?}"), "StripePayments(\"https://api.stripe.com/v1\")");
    }
}
