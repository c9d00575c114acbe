use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use domain::{DisputeState, ProviderRefund, RefundId, RefundState};
use domain::{Money, OrderId, Payable, TransactionId};
use ports::{
    CancelOutcome, PaymentIntent, PaymentIntentState, PaymentProvider, ProviderError, RefundOutcome, RefundRequest,
};
use serde_json::{Value, json};
use testkit::fake_stripe::{FakeStripe, Garbage, Outcome, Rates, Request, Settings, Trouble};
use testkit::{Received, Reply, StandIn};
use uuid::Uuid;

use super::{StripePayments, StripeSetupError};

const KEY: &str = "sk_test_nobodymayseethis";
const PAYMENT: &str = "pi_3MtwBwLkdIwHu7ix28a3tqPa";
const SECRET: &str = "pi_3MtwBwLkdIwHu7ix28a3tqPa_secret_YrKJUKribcBjcG8HVhfZluoGH";

fn order() -> Payable {
    Payable::Order(OrderId::new(Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001)))
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

/// A payment as Stripe serialises it.
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

fn intent_is(status: &str) -> Reply {
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

fn is_away<T: std::fmt::Debug>(outcome: &Result<T, ProviderError>) -> bool {
    matches!(outcome, Err(ProviderError::Unavailable(_)))
}

fn is_nonsense<T: std::fmt::Debug>(outcome: &Result<T, ProviderError>) -> bool {
    matches!(outcome, Err(ProviderError::InvalidResponse(_)))
}

#[tokio::test]
async fn a_payment_is_opened_for_an_order_by_card_in_dollars() {
    let stand_in = StandIn::start(vec![intent_is("requires_payment_method")]).await;
    let intent = stripe(&stand_in).open(order(), 2, dollars(6_450)).await.unwrap();
    assert_eq!(intent.id, id());
    assert_eq!(intent.client_secret, SECRET);
    assert_eq!(intent.amount, dollars(6_450));
    assert_eq!(intent.currency, "usd");
    assert_eq!(intent.payable, Some(order()));
    assert_eq!(intent.state, PaymentIntentState::Open);

    let [request] = &stand_in.received()[..] else { panic!("one request") };
    assert_eq!(line(request), "POST /v1/payment_intents HTTP/1.1");
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert!(request.header("stripe-version").is_some_and(|version| version.starts_with("20")));
    assert_eq!(request.header("idempotency-key"), Some(format!("open-{}-2", order()).as_str()));
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
async fn every_status_is_open_unless_it_is_succeeded_or_canceled() {
    for (status, state) in [
        ("requires_payment_method", PaymentIntentState::Open),
        ("requires_confirmation", PaymentIntentState::Open),
        ("requires_action", PaymentIntentState::Open),
        ("processing", PaymentIntentState::Open),
        ("requires_capture", PaymentIntentState::Open),
        ("something_new", PaymentIntentState::Open),
        ("succeeded", PaymentIntentState::Succeeded),
        ("canceled", PaymentIntentState::Cancelled),
    ] {
        let stand_in = StandIn::start(vec![intent_is(status)]).await;
        let found = stripe(&stand_in).find(&id()).await.unwrap().unwrap();
        assert_eq!(found.state, state, "{status}");
    }
}

#[tokio::test]
async fn a_404_that_is_not_from_stripe_does_not_mean_an_unknown_payment() {
    let stand_in = StandIn::start(vec![Reply::Json(404, "<h1>nginx</h1>".to_owned())]).await;
    assert!(is_nonsense(&stripe(&stand_in).find(&id()).await));
    assert!(is_nonsense(&stripe(&stand_in).cancel(&id()).await));
    assert!(is_nonsense(&stripe(&stand_in).refund(&all_of(&id(), 1)).await));
}

#[tokio::test]
async fn a_payment_without_a_valid_order_id_has_no_order() {
    for metadata in [json!({}), json!({"order_id": "6735"}), json!({"other": "x"})] {
        let mut payment = payment("succeeded");
        payment["metadata"] = metadata;
        let stand_in = StandIn::start(vec![Reply::Json(200, payment.to_string())]).await;
        let found = stripe(&stand_in).find(&id()).await.unwrap().unwrap();
        assert_eq!(found.payable, None);
    }
}

#[tokio::test]
async fn the_stripe_should_retry_header_is_obeyed() {
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
async fn a_refusal_is_not_retried() {
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
async fn a_response_that_is_not_a_payment_is_reported_as_invalid() {
    let without_secret = {
        let mut payment = payment("requires_payment_method");
        payment["client_secret"] = Value::Null;
        payment.to_string()
    };
    for garbage in [
        String::new(),
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
async fn fields_that_are_not_read_may_have_any_value() {
    let mut payment = payment("succeeded");
    payment["payment_method_options"] = json!(["new", 7]);
    payment["capture_method"] = json!({"kind": "later"});
    let stand_in = StandIn::start(vec![Reply::Json(200, payment.to_string())]).await;
    assert!(stripe(&stand_in).find(&id()).await.unwrap().is_some());
}

fn all_of(payment: &TransactionId, attempt: u32) -> RefundRequest {
    let refund = RefundId::new(Uuid::from_u128(77));
    RefundRequest { payment: payment.clone(), refund, attempt, amount: dollars(6_450) }
}

fn state_of(outcome: &RefundOutcome) -> Option<RefundState> {
    match outcome {
        RefundOutcome::Accepted(refund) => Some(refund.state),
        RefundOutcome::NothingThere | RefundOutcome::Refused(_) => None,
    }
}

#[tokio::test]
async fn a_failed_or_canceled_refund_has_failed() {
    for status in ["failed", "canceled"] {
        let stand_in = StandIn::start(vec![intent_is("succeeded"), sent_back(status)]).await;
        let outcome = stripe(&stand_in).refund(&all_of(&id(), 1)).await.unwrap();
        assert_eq!(state_of(&outcome), Some(RefundState::Failed), "{status}");
    }
    let stand_in = StandIn::start(vec![intent_is("succeeded"), Reply::Json(200, "{}".to_owned())]).await;
    assert!(is_nonsense(&stripe(&stand_in).refund(&all_of(&id(), 1)).await));
}

#[tokio::test]
async fn no_error_contains_the_key_or_a_client_secret() {
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
fn invalid_settings_are_refused_at_startup() {
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

#[tokio::test]
async fn a_payment_that_disappears_while_it_is_cancelled_is_unknown() {
    let replies = vec![refused(400, "invalid_request_error", "payment_intent_unexpected_state"), not_there()];
    let stand_in = StandIn::start(replies).await;
    assert_eq!(stripe(&stand_in).cancel(&id()).await.unwrap(), CancelOutcome::Unknown);
}

#[tokio::test]
async fn a_refund_that_requires_action_is_pending() {
    let stand_in = StandIn::start(vec![intent_is("succeeded"), sent_back("requires_action")]).await;
    let outcome = stripe(&stand_in).refund(&all_of(&id(), 1)).await.unwrap();
    assert_eq!(state_of(&outcome), Some(RefundState::Pending));
}

#[tokio::test]
async fn a_response_about_another_payment_is_reported_as_invalid() {
    let another: TransactionId = "pi_another".parse().unwrap();
    let stand_in = StandIn::start(vec![intent_is("succeeded")]).await;
    assert!(is_nonsense(&stripe(&stand_in).find(&another).await));
    let stand_in = StandIn::start(vec![intent_is("canceled")]).await;
    assert!(is_nonsense(&stripe(&stand_in).cancel(&another).await));
    let anothers_refund =
        json!({"id": "re_1", "amount": 1, "status": "succeeded", "payment_intent": "pi_another"}).to_string();
    let stand_in = StandIn::start(vec![intent_is("succeeded"), Reply::Json(200, anothers_refund)]).await;
    assert!(is_nonsense(&stripe(&stand_in).refund(&all_of(&id(), 1)).await));
}

// --- against the fake Stripe, which behaves like Stripe
// ---------------------------------------------------------------

/// A fake Stripe, and the shop's client for it.
async fn fake(seed: u64, rates: Rates) -> (FakeStripe, StripePayments) {
    let settings = Settings { seed, rates, ..Settings::default() };
    let key = settings.keys.secret.clone();
    let fake = FakeStripe::start(settings).await.unwrap();
    let stripe = StripePayments::in_a_hurry(fake.base(), &key.into());
    (fake, stripe)
}

async fn good_day() -> (FakeStripe, StripePayments) {
    fake(1, Rates::default()).await
}

fn request(method: &str, path: &str, form: &str) -> Request {
    Request {
        method: method.to_owned(),
        path: format!("/v1/{path}"),
        authorization: Some(format!("Bearer {}", Settings::default().keys.secret)),
        body: form.as_bytes().to_vec(),
        ..Request::default()
    }
}

/// Calls Stripe as another client with the account's key would, without injected failures.
fn ask(fake: &FakeStripe, method: &str, path: &str, form: &str) -> (u16, String) {
    let request = request(method, path, form);
    fake.with(|account, now| match account.calmly(|account| account.call(&request, now)) {
        Outcome::Answer(answer, _) => (answer.status, answer.body),
        other => panic!("{other:?}"),
    })
}

fn ask_json(fake: &FakeStripe, path: &str) -> Value {
    let (status, body) = ask(fake, "GET", path, "");
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Confirms a payment with a card, as a browser does.
fn pay(fake: &FakeStripe, payment: &TransactionId, card: &str) -> u16 {
    ask(fake, "POST", &format!("payment_intents/{payment}/confirm"), &format!("payment_method={card}")).0
}

fn count(fake: &FakeStripe, path: &str) -> usize {
    ask_json(fake, path)["data"].as_array().unwrap().len()
}

/// How many such calls the fake has received.
fn calls(fake: &FakeStripe, call: &str) -> usize {
    fake.with(|account, _| account.history().iter().filter(|line| line.starts_with(call)).count())
}

fn order_trouble(fake: &FakeStripe, troubles: &[Trouble], calls: &str) {
    fake.with(|account, _| troubles.iter().for_each(|trouble| account.order(*trouble, calls)));
}

const OPEN: &str = "POST /v1/payment_intents";
const REFUND: &str = "POST /v1/refunds";

async fn open(stripe: &StripePayments) -> PaymentIntent {
    stripe.open(order(), 0, dollars(6_450)).await.unwrap()
}

#[tokio::test]
async fn the_same_attempt_opens_the_same_payment_and_the_next_attempt_another() {
    let (fake, stripe) = good_day().await;
    let first = open(&stripe).await;
    assert_eq!(open(&stripe).await, first);
    let next = stripe.open(order(), 1, dollars(6_450)).await.unwrap();
    assert_ne!(next.id, first.id);
    let seen = ask_json(&fake, &format!("payment_intents/{}", first.id));
    assert_eq!(seen["metadata"], json!({"order_id": order().to_string()}));
    assert_eq!((&seen["amount"], &seen["currency"]), (&json!(645_000), &json!("usd")));
    assert_eq!(seen["payment_method_types"], json!(["card"]));
}

#[tokio::test]
async fn opening_a_payment_again_returns_its_current_state() {
    let (fake, stripe) = good_day().await;
    let first = open(&stripe).await;
    assert_eq!(pay(&fake, &first.id, "pm_card_visa"), 200);
    let again = open(&stripe).await;
    assert_eq!((again.id, again.state), (first.id, PaymentIntentState::Succeeded));
}

#[tokio::test]
async fn an_amount_that_stripe_refuses_is_not_sent() {
    let (fake, stripe) = good_day().await;
    for cents in [0, 49, 100_000_000] {
        let refused = stripe.open(order(), 0, Money::from_cents(cents).unwrap()).await;
        assert!(is_nonsense(&refused), "{cents}: {refused:?}");
        let form = format!("amount={cents}&currency=usd");
        assert_eq!(ask(&fake, "POST", "payment_intents", &form).0, 400, "Stripe accepts {cents}");
    }
    assert_eq!(calls(&fake, OPEN), 3, "all of them from this test");
    for (attempt, cents) in [(1, 50), (2, 99_999_999)] {
        assert!(stripe.open(order(), attempt, Money::from_cents(cents).unwrap()).await.is_ok(), "{cents}");
    }
}

#[tokio::test]
async fn a_payment_is_found_in_every_state_and_an_unknown_one_is_not() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await;
    let mut seen = Vec::new();
    for card in ["pm_card_visa_chargeDeclined", "pm_card_authenticationRequired", "pm_card_visa"] {
        pay(&fake, &payment.id, card);
        seen.push(stripe.find(&payment.id).await.unwrap().unwrap().state);
    }
    assert_eq!(seen, [PaymentIntentState::Open, PaymentIntentState::Open, PaymentIntentState::Succeeded]);
    assert_eq!(stripe.find(&"pi_unknown".parse().unwrap()).await.unwrap(), None);
}

#[tokio::test]
async fn cancelling_is_final_and_a_paid_payment_cannot_be_cancelled() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    for _ in 0..2 {
        assert_eq!(stripe.cancel(&payment).await.unwrap(), CancelOutcome::Cancelled);
    }
    assert_eq!(pay(&fake, &payment, "pm_card_visa"), 400, "it can no longer be paid");
    assert_eq!(stripe.cancel(&"pi_unknown".parse().unwrap()).await.unwrap(), CancelOutcome::Unknown);

    let paid = stripe.open(order(), 1, dollars(6_450)).await.unwrap().id;
    pay(&fake, &paid, "pm_card_visa");
    assert_eq!(stripe.cancel(&paid).await.unwrap(), CancelOutcome::Succeeded);
}

#[tokio::test]
async fn a_payment_that_succeeds_during_a_cancellation_is_reported_and_refundable() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    order_trouble(&fake, &[Trouble::Linger(Duration::from_mins(1))], "");
    let confirm = request("POST", &format!("payment_intents/{payment}/confirm"), "payment_method=pm_card_visa");
    fake.with(|account, now| account.call(&confirm, now));
    assert!(is_away(&stripe.cancel(&payment).await), "the bank has not decided");
    assert_eq!(stripe.refund(&all_of(&payment, 1)).await.unwrap(), RefundOutcome::NothingThere);
    fake.advance(Duration::from_mins(1));
    assert_eq!(stripe.cancel(&payment).await.unwrap(), CancelOutcome::Succeeded);
    assert!(went_back(&stripe, &payment, 1).await);
}

async fn went_back(stripe: &StripePayments, payment: &TransactionId, attempt: u32) -> bool {
    state_of(&stripe.refund(&all_of(payment, attempt)).await.unwrap()).is_some_and(RefundState::stands)
}

#[tokio::test]
async fn a_cancellation_whose_response_was_lost_happens_once() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    order_trouble(&fake, &[Trouble::HangUpAfter], "POST");
    assert_eq!(stripe.cancel(&payment).await.unwrap(), CancelOutcome::Cancelled);
    assert_eq!(count(&fake, "events"), 2, "it was opened and cancelled");
}

#[tokio::test]
async fn the_full_amount_is_refunded_only_once() {
    for (card, status) in [("pm_card_visa", "succeeded"), ("pm_card_pendingRefund", "pending")] {
        let (fake, stripe) = good_day().await;
        let payment = open(&stripe).await.id;
        pay(&fake, &payment, card);
        for _ in 0..2 {
            assert!(went_back(&stripe, &payment, 1).await, "{card}");
        }
        let refunds = ask_json(&fake, "refunds");
        assert_eq!(refunds["data"].as_array().unwrap().len(), 1);
        assert_eq!((&refunds["data"][0]["amount"], &refunds["data"][0]["status"]), (&json!(645_000), &json!(status)));
    }
}

#[tokio::test]
async fn a_refund_made_outside_the_shop_is_found_and_not_repeated() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    pay(&fake, &payment, "pm_card_visa");
    assert_eq!(ask(&fake, "POST", "refunds", &format!("payment_intent={payment}")).0, 200);
    let outcome = stripe.refund(&all_of(&payment, 1)).await.unwrap();
    assert!(
        matches!(&outcome, RefundOutcome::Refused(why) if why.as_str() == "charge_already_refunded"),
        "{outcome:?}"
    );
    let found = stripe.find(&payment).await.unwrap().unwrap();
    assert_eq!((found.received, found.refunded, found.disputed), (dollars(6_450), dollars(6_450), false));
    let [ProviderRefund { amount, state: RefundState::Succeeded, refund: None, .. }] =
        &*stripe.refunds_of(&payment).await.unwrap()
    else {
        panic!("one refund that is not ours")
    };
    assert_eq!(*amount, dollars(6_450));
}

#[tokio::test]
async fn a_partial_refund_carries_our_id_and_each_attempt_is_made_once() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    pay(&fake, &payment, "pm_card_visa");
    let some = |attempt| RefundRequest { amount: dollars(10), ..all_of(&payment, attempt) };
    for attempt in [1, 1, 2] {
        assert!(state_of(&stripe.refund(&some(attempt)).await.unwrap()).is_some());
    }
    let refunds = stripe.refunds_of(&payment).await.unwrap();
    let ours = refunds.iter().filter(|refund| refund.refund == Some(some(1).refund) && refund.amount == dollars(10));
    assert_eq!((refunds.len(), ours.count()), (2, 2));
    assert_eq!(stripe.find(&payment).await.unwrap().unwrap().refunded, dollars(20));
}

#[tokio::test]
async fn two_partial_refunds_of_one_payment_are_two_refunds() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    pay(&fake, &payment, "pm_card_visa");
    for (n, amount) in [(1, dollars(10)), (2, dollars(20))] {
        let part = RefundRequest { refund: RefundId::new(Uuid::from_u128(n)), amount, ..all_of(&payment, 1) };
        assert!(state_of(&stripe.refund(&part).await.unwrap()).is_some(), "{n}");
    }
    assert_eq!(stripe.find(&payment).await.unwrap().unwrap().refunded, dollars(30));
}

#[tokio::test]
async fn an_empty_balance_refuses_a_refund_and_the_next_attempt_is_decided_anew() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    pay(&fake, &payment, "pm_card_visa");
    let balance = |empty: bool| {
        let body = json!({"empty": empty}).to_string();
        fake.with(|account, now| account.control("POST", "/_fake/balance", "", body.as_bytes(), now));
    };
    balance(true);
    let refused = stripe.refund(&all_of(&payment, 1)).await.unwrap();
    assert!(matches!(&refused, RefundOutcome::Refused(_)), "{refused:?}");
    balance(false);
    let again = stripe.refund(&all_of(&payment, 1)).await.unwrap();
    assert!(matches!(&again, RefundOutcome::Refused(_)), "Stripe replays its response for a day: {again:?}");
    assert!(went_back(&stripe, &payment, 2).await);
}

#[tokio::test]
async fn a_dispute_and_its_outcome_are_read() {
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    pay(&fake, &payment, "pm_card_createDispute");
    assert!(stripe.find(&payment).await.unwrap().unwrap().disputed);
    let dispute = stripe.disputes_of(&payment).await.unwrap().remove(0);
    assert_eq!((dispute.amount, dispute.state), (dollars(6_450), DisputeState::Open));
    let close = format!("/_fake/disputes/{}/close", dispute.id);
    fake.with(|account, now| account.control("POST", &close, "", br#"{"won": false}"#, now));
    assert_eq!(stripe.disputes_of(&payment).await.unwrap()[0].state, DisputeState::Lost);
}

#[tokio::test]
async fn no_refund_is_requested_for_a_payment_that_has_not_succeeded() {
    let (fake, stripe) = good_day().await;
    let waiting = open(&stripe).await.id;
    let cancelled = stripe.open(order(), 1, dollars(6_450)).await.unwrap().id;
    stripe.cancel(&cancelled).await.unwrap();
    for payment in [waiting.clone(), cancelled] {
        assert_eq!(stripe.refund(&all_of(&payment, 1)).await.unwrap(), RefundOutcome::NothingThere, "{payment}");
    }
    assert!(is_away(&stripe.refund(&all_of(&"pi_unknown".parse().unwrap(), 1)).await));
    assert_eq!(calls(&fake, REFUND), 0, "a refusal would be replayed under the key for a day");
    pay(&fake, &waiting, "pm_card_visa");
    assert!(went_back(&stripe, &waiting, 1).await);
}

#[tokio::test]
async fn transient_failures_are_retried_and_the_request_acts_once() {
    for trouble in
        [Trouble::HangUpBefore, Trouble::HangUpAfter, Trouble::TooMany(0), Trouble::BadGateway, Trouble::Unavailable]
    {
        let (fake, stripe) = good_day().await;
        order_trouble(&fake, &[trouble; 2], OPEN);
        let payment =
            stripe.open(order(), 0, dollars(6_450)).await.unwrap_or_else(|error| panic!("{trouble:?}: {error}"));
        assert_eq!((calls(&fake, OPEN), count(&fake, "payment_intents")), (3, 1), "{trouble:?}");
        pay(&fake, &payment.id, "pm_card_visa");
        order_trouble(&fake, &[trouble; 2], REFUND);
        assert!(went_back(&stripe, &payment.id, 1).await, "{trouble:?}");
        assert_eq!((calls(&fake, REFUND), count(&fake, "refunds")), (3, 1), "{trouble:?}");
    }
}

#[tokio::test]
async fn a_lasting_failure_is_unavailable_after_three_attempts() {
    for trouble in [Trouble::HangUpBefore, Trouble::TooMany(0), Trouble::BadGateway, Trouble::Unavailable] {
        let (fake, stripe) = good_day().await;
        order_trouble(&fake, &[trouble; 9], OPEN);
        let outcome = stripe.open(order(), 0, dollars(6_450)).await;
        assert!(is_away(&outcome), "{trouble:?}: {outcome:?}");
        assert_eq!(calls(&fake, OPEN), 3, "{trouble:?}");
    }
    let nobody = StripePayments::in_a_hurry("http://127.0.0.1:1", &KEY.into());
    assert!(is_away(&nobody.find(&id()).await));
}

#[tokio::test]
async fn a_retry_after_is_respected_or_the_call_fails_immediately() {
    let (fake, hurried) = good_day().await;
    order_trouble(&fake, &[Trouble::TooMany(1)], OPEN);
    assert!(is_away(&hurried.open(order(), 0, dollars(6_450)).await));
    assert_eq!(calls(&fake, OPEN), 1, "only half a second is left");

    let patient = StripePayments::new(fake.base(), &Settings::default().keys.secret.into()).unwrap();
    order_trouble(&fake, &[Trouble::TooMany(1)], OPEN);
    let began = Instant::now();
    open(&patient).await;
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_timeout_is_unavailable_and_the_next_call_finds_what_was_done() {
    for (trouble, opened) in [(Trouble::HangBefore, 0), (Trouble::HangAfter, 1)] {
        let (fake, stripe) = good_day().await;
        order_trouble(&fake, &[trouble], OPEN);
        let began = Instant::now();
        let outcome = stripe.open(order(), 0, dollars(6_450)).await;
        assert!(is_away(&outcome), "{trouble:?}: {outcome:?}");
        assert!(began.elapsed() < Duration::from_secs(3), "{trouble:?}");
        assert_eq!(count(&fake, "payment_intents"), opened, "{trouble:?}");
        let payment = open(&stripe).await;
        assert_eq!(count(&fake, "payment_intents"), 1, "{trouble:?}");

        pay(&fake, &payment.id, "pm_card_visa");
        order_trouble(&fake, &[trouble], REFUND);
        assert!(is_away(&stripe.refund(&all_of(&payment.id, 1)).await), "{trouble:?}");
        assert!(went_back(&stripe, &payment.id, 1).await);
        assert_eq!(count(&fake, "refunds"), 1, "{trouble:?}");
    }
}

#[tokio::test]
async fn concurrent_calls_open_one_payment() {
    let (fake, hurried) = good_day().await;
    let patient = StripePayments::new(fake.base(), &Settings::default().keys.secret.into()).unwrap();
    order_trouble(&fake, &[Trouble::Slow(Duration::from_secs(2))], OPEN);
    let (one, other) = tokio::join!(patient.open(order(), 0, dollars(6_450)), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        hurried.open(order(), 0, dollars(6_450)).await
    });
    let first = one.unwrap();
    assert!(is_away(&other), "the key is in use for longer than three hurried attempts: {other:?}");
    assert_eq!(open(&hurried).await, first);
    assert_eq!(count(&fake, "payment_intents"), 1);
}

#[tokio::test]
async fn a_server_error_that_stripe_replays_blocks_neither_payment_nor_refund() {
    for acted in [false, true] {
        let (fake, stripe) = good_day().await;
        let failure = Trouble::ServerError { acted };
        // The second attempt gets the first one's failure replayed, continues under the next key, and fails there too.
        order_trouble(&fake, &[failure; 3], OPEN);
        for _ in 0..2 {
            assert!(is_away(&stripe.open(order(), 0, dollars(6_450)).await), "acted: {acted}");
        }
        let payment = open(&stripe).await;
        assert_eq!(open(&stripe).await, payment, "every later call gets the same payment");

        pay(&fake, &payment.id, "pm_card_visa");
        order_trouble(&fake, &[failure], REFUND);
        assert!(is_away(&stripe.refund(&all_of(&payment.id, 1)).await), "acted: {acted}");
        went_back_at_last(&stripe, &payment.id).await;
        assert_eq!(count(&fake, "refunds"), 1, "acted: {acted}");
    }
}

/// Where Stripe failed after it had acted, the next key is refused because nothing is left, and the list shows why.
async fn went_back_at_last(stripe: &StripePayments, payment: &TransactionId) {
    let outcome = stripe.refund(&all_of(payment, 1)).await.unwrap();
    let refunds = stripe.refunds_of(payment).await.unwrap();
    assert!(refunds.iter().any(|refund| refund.refund == Some(all_of(payment, 1).refund)), "{outcome:?}");
}

#[tokio::test]
async fn retries_end_if_stripe_always_fails() {
    let (fake, stripe) = good_day().await;
    order_trouble(&fake, &[Trouble::ServerError { acted: true }; 40], OPEN);
    for _ in 0..6 {
        assert!(is_away(&stripe.open(order(), 0, dollars(6_450)).await));
    }
    assert_eq!(count(&fake, "payment_intents"), 4, "one for each key, and no one knows the secret of any");
}

#[tokio::test]
async fn a_corrupted_response_is_reported_as_invalid_and_the_next_call_succeeds() {
    for garbage in [Garbage::Truncated, Garbage::Html, Garbage::WrongTypes, Garbage::Anothers, Garbage::WrongAmount] {
        let (fake, stripe) = good_day().await;
        let other = Payable::Order(OrderId::new(Uuid::from_u128(7)));
        stripe.open(other, 0, dollars(6_450)).await.unwrap();
        order_trouble(&fake, &[Trouble::Spoilt(garbage)], OPEN);
        let spoilt = stripe.open(order(), 0, dollars(6_450)).await;
        assert!(is_nonsense(&spoilt), "{garbage:?}: {spoilt:?}");
        assert_eq!(open(&stripe).await.payable, Some(order()));
        assert_eq!(count(&fake, "payment_intents"), 2, "{garbage:?}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_refused() {
    let (fake, _) = good_day().await;
    let stranger = StripePayments::in_a_hurry(fake.base(), &KEY.into());
    assert!(is_nonsense(&stranger.open(order(), 0, dollars(6_450)).await));
    let browser = StripePayments::in_a_hurry(fake.base(), &Settings::default().keys.publishable.into());
    assert!(is_nonsense(&browser.open(order(), 0, dollars(6_450)).await));
}

/// Retries until it succeeds, as the shop's background jobs do.
async fn insist<T>(mut operation: impl AsyncFnMut() -> Result<T, ProviderError>) -> T {
    for _ in 0..60 {
        if let Ok(done) = operation().await {
            return done;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("sixty attempts were not enough");
}

#[tokio::test]
async fn with_random_failures_every_operation_completes_and_no_money_moves_twice() {
    let day = async |seed: u64| {
        let (fake, stripe) = fake(seed, Rates { linger: 0.0, ..Rates::BAD_DAY }).await;
        for number in 0..12_u128 {
            let order = Payable::Order(OrderId::new(Uuid::from_u128(number)));
            let amount = dollars(100 + i64::try_from(number).unwrap());
            let payment = insist(async || stripe.open(order, 0, amount).await).await;
            assert_eq!((payment.payable, payment.amount), (Some(order), amount), "seed {seed}");
            let again = insist(async || stripe.open(order, 0, amount).await).await;
            assert_eq!(again, payment, "seed {seed}");
            if number % 3 == 0 {
                let cancelled = insist(async || stripe.cancel(&payment.id).await).await;
                assert_eq!(cancelled, CancelOutcome::Cancelled, "seed {seed}");
                continue;
            }
            assert_eq!(pay(&fake, &payment.id, "pm_card_visa"), 200, "seed {seed}");
            // A corrupted response may contain another payment's state, but never under this one's id.
            let found = insist(async || stripe.find(&payment.id).await).await.unwrap();
            assert_eq!(found.state, PaymentIntentState::Succeeded, "seed {seed}");
            for _ in 0..2 {
                let all = RefundRequest { amount, ..all_of(&payment.id, 1) };
                let refunded = insist(async || stripe.refund(&all).await).await;
                let already =
                    matches!(&refunded, RefundOutcome::Refused(why) if why.as_str() == "charge_already_refunded");
                assert!(already || state_of(&refunded).is_some(), "seed {seed}: {refunded:?}");
            }
        }
        let refunds = ask_json(&fake, "refunds");
        assert_eq!(refunds["data"].as_array().unwrap().len(), 8, "seed {seed}");
    };
    tokio::join!(day(1), day(2), day(3), day(4));
}

#[tokio::test]
async fn the_fakes_responses_match_the_types_generated_from_stripes_api_description() {
    fn read<T: miniserde::Deserialize>(fake: &FakeStripe, path: &str) -> T {
        let (status, body) = ask(fake, "GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        miniserde::json::from_str(&body).unwrap_or_else(|error| panic!("{path}: {error}: {body}"))
    }
    let (fake, stripe) = good_day().await;
    let payment = open(&stripe).await.id;
    let path = format!("payment_intents/{payment}");
    let statuses = [
        ("pm_card_visa_chargeDeclined", "requires_payment_method"),
        ("pm_card_authenticationRequired", "requires_action"),
        ("pm_card_visa", "succeeded"),
    ];
    for (card, status) in statuses {
        pay(&fake, &payment, card);
        let read: stripe_core::PaymentIntent = read(&fake, &path);
        assert_eq!((read.id.as_str(), read.status.as_str()), (payment.as_str(), status));
        assert_eq!((read.amount, read.last_payment_error.is_some()), (645_000, status == "requires_payment_method"));
    }
    stripe.refund(&all_of(&payment, 1)).await.unwrap();
    let refunds: stripe_types::List<stripe_core::Refund> = read(&fake, "refunds");
    assert_eq!(refunds.data[0].amount, 645_000);
    let payment_intents: stripe_types::List<stripe_core::PaymentIntent> = read(&fake, "payment_intents");
    assert_eq!(payment_intents.data.len(), 1);
    let charge = ask_json(&fake, &path)["latest_charge"].as_str().unwrap().to_owned();
    let charge: stripe_core::Charge = read(&fake, &format!("charges/{charge}"));
    assert!(charge.paid && charge.refunded && charge.amount_refunded == 645_000);
}
