use std::time::Duration;

use serde_json::{Value, json};

use super::{Account, Answer, Endpoint, Garbage, Keys, Outcome, Rates, Request, Trouble};

/// 21 November 2026.
const NOW: Duration = Duration::from_hours(498_672);
const SECRET: &str = "sk_test_1";
const PUBLISHABLE: &str = "pk_test_1";

fn account() -> Account {
    with_rates(1, Rates::default())
}

fn with_rates(seed: u64, rates: Rates) -> Account {
    let keys = Keys { secret: SECRET.to_owned(), publishable: PUBLISHABLE.to_owned() };
    Account::new(keys, "http://stripe.test", seed, rates)
}

fn request(method: &str, path: &str, form: &str) -> Request {
    let (query, body) = if method == "GET" { (form, "") } else { ("", form) };
    Request {
        method: method.to_owned(),
        path: format!("/v1/{path}"),
        query: query.to_owned(),
        authorization: Some(format!("Bearer {SECRET}")),
        body: body.as_bytes().to_vec(),
        ..Request::default()
    }
}

fn keyed(key: &str, path: &str, form: &str) -> Request {
    Request { idempotency_key: Some(key.to_owned()), ..request("POST", path, form) }
}

fn from_browser(method: &str, path: &str, form: &str) -> Request {
    Request { authorization: Some(format!("Bearer {PUBLISHABLE}")), ..request(method, path, form) }
}

#[track_caller]
fn answered(account: &mut Account, request: &Request, now: Duration) -> Answer {
    match account.call(request, now) {
        Outcome::Answer(answer, _) => answer,
        other => panic!("{other:?}"),
    }
}

/// The status and the body of a response at [`NOW`].
#[track_caller]
fn ask(account: &mut Account, request: &Request) -> (u16, Value) {
    let answer = answered(account, request, NOW);
    (answer.status, serde_json::from_str(&answer.body).unwrap())
}

#[track_caller]
fn get(account: &mut Account, path: &str, query: &str) -> Value {
    let (status, body) = ask(account, &request("GET", path, query));
    assert_eq!(status, 200, "{body}");
    body
}

#[track_caller]
fn post(account: &mut Account, path: &str, form: &str) -> Value {
    let (status, body) = ask(account, &request("POST", path, form));
    assert_eq!(status, 200, "{body}");
    body
}

/// The error of a refused call, with its status added.
#[track_caller]
fn refused(account: &mut Account, request: &Request) -> Value {
    let (status, mut body) = ask(account, request);
    assert_ne!(status, 200, "{body}");
    body["error"]["status"] = json!(status);
    body["error"].take()
}

fn open(account: &mut Account) -> String {
    let form = "amount=645000&currency=usd&payment_method_types[]=card&metadata[order]=7";
    id(&post(account, "payment_intents", form))
}

fn id(object: &Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

fn confirm(account: &mut Account, intent: &str, card: &str) -> (u16, Value) {
    let form = format!(
        "payment_method_data[type]=card&payment_method_data[card][number]={card}&payment_method_data[card][exp_month]=12\
         &payment_method_data[card][exp_year]=34&payment_method_data[card][cvc]=123"
    );
    ask(account, &request("POST", &format!("payment_intents/{intent}/confirm"), &form))
}

fn status(account: &mut Account, intent: &str) -> String {
    get(account, &format!("payment_intents/{intent}"), "")["status"].as_str().unwrap().to_owned()
}

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

/// The kinds of events, oldest first.
fn events(account: &mut Account) -> Vec<String> {
    let list = get(account, "events", "limit=100");
    let mut kinds: Vec<String> =
        list["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect();
    kinds.reverse();
    kinds
}

#[test]
fn a_good_card_pays_and_every_step_is_an_event() {
    let mut account = account();
    let intent = open(&mut account);
    assert_eq!(status(&mut account, &intent), "requires_payment_method");
    let (status, paid) = confirm(&mut account, &intent, "4242 4242 4242 4242");
    assert_eq!((status, &paid["status"], &paid["amount_received"]), (200, &json!("succeeded"), &json!(645_000)));
    let seen =
        get(&mut account, &format!("payment_intents/{intent}"), "expand[]=latest_charge&expand[]=payment_method");
    assert_eq!(seen["latest_charge"]["paid"], true);
    assert_eq!(seen["latest_charge"]["amount_captured"], 645_000);
    assert_eq!(seen["payment_method"]["card"]["last4"], "4242");
    assert_eq!(seen["metadata"], json!({"order": "7"}));
    let expected = ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"];
    assert_eq!(events(&mut account), expected);
}

#[test]
fn a_declined_card_leaves_the_payment_open_for_another() {
    for (card, code, decline_code) in [
        ("4000000000000002", "card_declined", json!("generic_decline")),
        ("4000000000009995", "card_declined", json!("insufficient_funds")),
        ("4000000000000069", "expired_card", Value::Null),
        ("4000000000000127", "incorrect_cvc", Value::Null),
        ("4000000000000119", "processing_error", Value::Null),
        ("4000056655665556", "card_declined", json!("test_mode_live_card")),
    ] {
        let mut account = account();
        let intent = open(&mut account);
        let (status_code, body) = confirm(&mut account, &intent, card);
        let error = &body["error"];
        assert_eq!((status_code, &error["type"], &error["code"]), (402, &json!("card_error"), &json!(code)), "{card}");
        assert_eq!(error["decline_code"], decline_code, "{card}");
        assert_eq!(error["payment_intent"]["status"], "requires_payment_method");
        assert_eq!(error["payment_intent"]["last_payment_error"]["code"], code);
        assert_eq!(error["payment_intent"]["payment_method"], Value::Null);
        assert_eq!(events(&mut account)[1..], ["charge.failed", "payment_intent.payment_failed"]);
        assert_eq!(confirm(&mut account, &intent, "4242424242424242").1["status"], "succeeded");
    }
}

#[test]
fn an_invalid_card_is_refused_before_the_bank_is_asked() {
    for (card, code) in [
        ("card[number]=4242424242424241&card[exp_month]=1&card[exp_year]=34", "incorrect_number"),
        ("card[number]=4242424242424242&card[exp_month]=13&card[exp_year]=34", "invalid_expiry_month"),
        ("card[number]=4242424242424242&card[exp_month]=10&card[exp_year]=2026", "invalid_expiry_year"),
        ("card[number]=4242424242424242&card[exp_month]=11&card[exp_year]=2126", "invalid_expiry_year"),
        ("card[number]=4242424242424242&card[exp_month]=11&card[exp_year]=26&card[cvc]=12", "invalid_cvc"),
    ] {
        let error = refused(&mut account(), &request("POST", "payment_methods", &format!("type=card&{card}")));
        assert_eq!((&error["status"], &error["code"]), (&json!(402), &json!(code)), "{card}");
    }
    let good = "type=card&card[number]=4242424242424242&card[exp_month]=11&card[exp_year]=26&card[cvc]=1234";
    assert_eq!(post(&mut account(), "payment_methods", good)["card"]["exp_year"], 2026);
}

#[test]
fn a_card_with_3d_secure_waits_for_authentication() {
    for (card, proven, expected, code) in [
        ("4000002500003155", true, "succeeded", Value::Null),
        ("4000002760003184", true, "succeeded", Value::Null),
        ("4000002760003184", false, "requires_payment_method", json!("payment_intent_authentication_failure")),
        ("4000008400001629", true, "requires_payment_method", json!("card_declined")),
    ] {
        let mut account = account();
        let intent = open(&mut account);
        let (_, waiting) = confirm(&mut account, &intent, card);
        assert_eq!((&waiting["status"], &waiting["latest_charge"]), (&json!("requires_action"), &Value::Null));
        assert_eq!(waiting["next_action"]["type"], "use_stripe_sdk");
        let action = if proven { "authenticate" } else { "fail_authentication" };
        let path = format!("/_fake/payment_intents/{intent}/{action}");
        assert_eq!(account.control("POST", &path, "", b"", NOW).status, 200);
        let after = get(&mut account, &format!("payment_intents/{intent}"), "");
        assert_eq!((&after["status"], &after["next_action"]), (&json!(expected), &Value::Null), "{card}");
        assert_eq!(after["last_payment_error"]["code"], code, "{card}");
        assert_eq!(account.control("POST", &path, "", b"", NOW).status, 400, "it no longer waits for authentication");
    }
}

#[test]
fn a_challenge_redirects_the_browser_back_to_the_return_url() {
    let mut account = account();
    let intent = open(&mut account);
    let form = "payment_method=pm_card_authenticationRequired&return_url=https://shop.test/paid?order=7";
    let waiting = post(&mut account, &format!("payment_intents/{intent}/confirm"), form);
    let url = waiting["next_action"]["redirect_to_url"]["url"].as_str().unwrap();
    let path = url.strip_prefix("http://stripe.test").unwrap();
    assert!(account.control("GET", path, "", b"", NOW).body.contains("Complete"));
    let answer = account.control("POST", path, "proven", b"", NOW);
    assert_eq!(answer.status, 303);
    let back = header(&answer, "location").unwrap();
    assert!(back.starts_with(&format!("https://shop.test/paid?order=7&payment_intent={intent}&")), "{back}");
    assert!(back.ends_with("redirect_status=succeeded"), "{back}");
    assert_eq!(status(&mut account, &intent), "succeeded");
}

#[test]
fn a_closed_payment_cannot_be_confirmed_cancelled_or_changed() {
    let mut account = account();
    let paid = open(&mut account);
    confirm(&mut account, &paid, "4242424242424242");
    let stopped = open(&mut account);
    let reason = "cancellation_reason=abandoned";
    assert_eq!(post(&mut account, &format!("payment_intents/{stopped}/cancel"), reason)["status"], "canceled");
    for intent in [paid, stopped] {
        for (action, form) in [("/confirm", "payment_method=pm_card_visa"), ("/cancel", ""), ("", "amount=700000")] {
            let error = refused(&mut account, &request("POST", &format!("payment_intents/{intent}{action}"), form));
            assert_eq!(error["code"], "payment_intent_unexpected_state", "{action}: {error}");
            assert_eq!(error["payment_intent"]["id"], json!(intent));
        }
        let noted = post(&mut account, &format!("payment_intents/{intent}"), "metadata[note]=later&metadata[order]=");
        assert_eq!(noted["metadata"], json!({"note": "later"}));
    }
}

#[test]
fn a_payment_in_processing_cannot_be_cancelled_and_succeeds() {
    let mut account = account();
    let intent = open(&mut account);
    account.order(Trouble::Linger(Duration::from_secs(5)), "");
    assert_eq!(confirm(&mut account, &intent, "4242424242424242").1["status"], "processing");
    let cancel = request("POST", &format!("payment_intents/{intent}/cancel"), "");
    assert_eq!(refused(&mut account, &cancel)["code"], "payment_intent_unexpected_state");
    assert_eq!(account.next_due(), Some(NOW + Duration::from_secs(5)));
    account.catch_up(NOW + Duration::from_secs(5));
    assert_eq!(status(&mut account, &intent), "succeeded");
}

#[test]
fn a_late_decline_is_reported_late() {
    let mut account = account();
    let intent = open(&mut account);
    account.order(Trouble::Linger(Duration::from_secs(5)), "");
    confirm(&mut account, &intent, "4000000000000002");
    account.catch_up(NOW + Duration::from_secs(9));
    assert_eq!(status(&mut account, &intent), "requires_payment_method");
    assert_eq!(events(&mut account).last().unwrap(), "payment_intent.payment_failed");
}

#[test]
fn invalid_amounts_unknown_currencies_and_unknown_parameters_are_refused() {
    for (form, code, param) in [
        ("currency=usd", json!("parameter_missing"), "amount"),
        ("amount=50", json!("parameter_missing"), "currency"),
        ("amount=0&currency=usd", json!("parameter_invalid_integer"), "amount"),
        ("amount=5.5&currency=usd", json!("parameter_invalid_integer"), "amount"),
        ("amount=49&currency=usd", json!("amount_too_small"), "amount"),
        ("amount=100000000&currency=usd", json!("amount_too_large"), "amount"),
        ("amount=50&currency=xyz", Value::Null, "currency"),
        ("amount=50&currency=usd&amout=7", json!("parameter_unknown"), "amout"),
        ("amount=50&currency=usd&payment_method_types[]=cash", Value::Null, "payment_method_types"),
        ("amount=50&currency=usd&capture_method=manual", Value::Null, "capture_method"),
        ("amount=50&currency=usd&metadata=x", Value::Null, "metadata"),
        ("amount=50&currency=usd&metadata[a][b]=x", Value::Null, "metadata"),
    ] {
        let error = refused(&mut account(), &request("POST", "payment_intents", form));
        let expected = (&json!(400), &json!("invalid_request_error"), &code, &json!(param));
        assert_eq!((&error["status"], &error["type"], &error["code"], &error["param"]), expected, "{form}");
    }
    for amount in [50, 99_999_999] {
        assert_eq!(post(&mut account(), "payment_intents", &format!("amount={amount}&currency=USD"))["amount"], amount);
    }
}

#[test]
fn the_same_key_gets_the_same_response_and_acts_once() {
    let mut account = account();
    let create = keyed("key-1", "payment_intents", "amount=50&currency=usd");
    let first = answered(&mut account, &create, NOW);
    let again = answered(&mut account, &create, NOW);
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    assert_eq!((header(&first, "idempotent-replayed"), header(&again, "idempotent-replayed")), (None, Some("true")));
    assert_eq!(header(&again, "original-request"), header(&first, "request-id"));
    assert_ne!(header(&again, "request-id"), header(&first, "request-id"));
    assert_eq!(get(&mut account, "payment_intents", "")["data"].as_array().unwrap().len(), 1);

    let other = refused(&mut account, &keyed("key-1", "payment_intents", "amount=51&currency=usd"));
    assert_eq!((&other["status"], &other["type"]), (&json!(400), &json!("idempotency_error")));
    let elsewhere = refused(&mut account, &keyed("key-1", "refunds", "payment_intent=pi_1"));
    assert_eq!(elsewhere["type"], "idempotency_error");

    let a_day_later = answered(&mut account, &create, NOW + Duration::from_hours(24));
    assert_ne!(a_day_later.body, first.body);
}

#[test]
fn an_error_is_stored_only_if_the_work_had_begun() {
    let mut account = account();
    let intent = open(&mut account);
    let declined =
        keyed("key-1", &format!("payment_intents/{intent}/confirm"), "payment_method=pm_card_visa_chargeDeclined");
    let first = answered(&mut account, &declined, NOW);
    let again = answered(&mut account, &declined, NOW);
    assert_eq!((first.status, again.status, &first.body), (402, 402, &again.body));
    assert_eq!(header(&again, "idempotent-replayed"), Some("true"));
    assert_eq!(events(&mut account).iter().filter(|kind| *kind == "charge.failed").count(), 1);

    assert_eq!(
        refused(&mut account, &keyed("key-2", "payment_intents", "amount=1&currency=usd"))["code"],
        "amount_too_small"
    );
    assert_eq!(ask(&mut account, &keyed("key-2", "payment_intents", "amount=100&currency=usd")).0, 200);
}

#[test]
fn a_key_is_in_use_until_its_first_response_has_been_sent() {
    let mut account = account();
    account.order(Trouble::Slow(Duration::from_secs(2)), "");
    let create = keyed("key-1", "payment_intents", "amount=50&currency=usd");
    assert!(matches!(account.call(&create, NOW), Outcome::Answer(_, pause) if pause == Duration::from_secs(2)));
    let meanwhile = refused(&mut account, &create);
    assert_eq!((&meanwhile["status"], &meanwhile["code"]), (&json!(409), &json!("idempotency_key_in_use")));
    let afterwards = answered(&mut account, &create, NOW + Duration::from_secs(2));
    assert_eq!((afterwards.status, header(&afterwards, "idempotent-replayed")), (200, Some("true")));
}

#[test]
fn no_more_is_refunded_than_was_charged() {
    let mut account = account();
    let intent = open(&mut account);
    let all = request("POST", "refunds", &format!("payment_intent={intent}"));
    assert_eq!(refused(&mut account, &all)["status"], 400, "nothing was charged");
    confirm(&mut account, &intent, "4242424242424242");

    let part = post(&mut account, "refunds", &format!("payment_intent={intent}&amount=600000&reason=duplicate"));
    assert_eq!((&part["status"], &part["amount"]), (&json!("succeeded"), &json!(600_000)));
    let more = request("POST", "refunds", &format!("payment_intent={intent}&amount=45001"));
    assert_eq!(refused(&mut account, &more)["param"], "amount");
    let rest = post(&mut account, "refunds", &format!("payment_intent={intent}"));
    assert_eq!(rest["amount"], 45_000, "what is left");
    assert_eq!(refused(&mut account, &all)["code"], "charge_already_refunded");

    let list = get(&mut account, "refunds", &format!("payment_intent={intent}"));
    let amounts: Vec<i64> = list["data"].as_array().unwrap().iter().map(|re| re["amount"].as_i64().unwrap()).collect();
    assert_eq!(amounts, [45_000, 600_000], "newest first");
    let charge = get(&mut account, &format!("refunds/{}", id(&rest)), "expand[]=charge")["charge"].take();
    assert_eq!((&charge["amount_refunded"], &charge["refunded"]), (&json!(645_000), &json!(true)));
}

#[test]
fn a_refund_may_be_delayed_and_may_fail() {
    for (card, at_first, in_the_end) in
        [("4000000000007726", "pending", "succeeded"), ("4000000000005126", "succeeded", "failed")]
    {
        let mut account = account();
        let intent = open(&mut account);
        confirm(&mut account, &intent, card);
        let refund = post(&mut account, "refunds", &format!("payment_intent={intent}"));
        assert_eq!(refund["status"], at_first);
        account.catch_up(NOW + Duration::from_secs(5));
        assert_eq!(get(&mut account, &format!("refunds/{}", id(&refund)), "")["status"], in_the_end);
        let again = ask(&mut account, &request("POST", "refunds", &format!("payment_intent={intent}")));
        assert_eq!(again.0 == 200, in_the_end == "failed", "a failed refund can be repeated");
    }
}

#[test]
fn a_publishable_key_may_do_only_what_a_browser_needs() {
    let mut account = account();
    let created = post(&mut account, "payment_intents", "amount=50&currency=usd&metadata[order]=7");
    let (intent, secret) = (id(&created), created["client_secret"].as_str().unwrap().to_owned());
    let path = format!("payment_intents/{intent}");
    for (method, path) in [
        ("POST", "payment_intents"),
        ("GET", "payment_intents"),
        ("POST", path.as_str()),
        ("POST", &format!("{path}/cancel")),
        ("POST", "refunds"),
        ("GET", "refunds"),
        ("GET", "events"),
        ("GET", "payment_methods/pm_1"),
        ("GET", "charges/ch_1"),
    ] {
        let error = refused(&mut account, &from_browser(method, path, ""));
        assert_eq!((&error["status"], &error["code"]), (&json!(403), &json!("secret_key_required")), "{method} {path}");
    }
    assert_eq!(refused(&mut account, &from_browser("GET", &path, ""))["param"], "client_secret");
    assert_eq!(refused(&mut account, &from_browser("GET", &path, "client_secret=x"))["param"], "client_secret");

    let proof = format!("client_secret={secret}");
    let (_, seen) = ask(&mut account, &from_browser("GET", &path, &proof));
    assert_eq!(seen["status"], "requires_payment_method");
    assert!(seen.get("metadata").is_none() && seen.get("latest_charge").is_none(), "{seen}");
    let card =
        "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=34&billing_details[name]=Robin";
    let (_, method) = ask(&mut account, &from_browser("POST", "payment_methods", card));
    assert_eq!(method["billing_details"]["name"], "Robin");
    let form = format!("{proof}&payment_method={}&expected_payment_method_type=card&use_stripe_sdk=true", id(&method));
    let (_, paid) = ask(&mut account, &from_browser("POST", &format!("{path}/confirm"), &form));
    assert_eq!(paid["status"], "succeeded");
}

#[test]
fn a_call_without_a_valid_key_is_refused() {
    let mut account = account();
    for authorization in
        [None, Some(""), Some("Bearer "), Some("Bearer sk_test_2"), Some("Basic !"), Some("Digest sk_test_1")]
    {
        let request = Request { authorization: authorization.map(str::to_owned), ..request("GET", "events", "") };
        let answer = answered(&mut account, &request, NOW);
        assert_eq!(answer.status, 401, "{authorization:?}");
        assert!(header(&answer, "www-authenticate").is_some());
    }
    // As curl's -u sends it: sk_test_1 and an empty password.
    let basic = Request { authorization: Some("Basic c2tfdGVzdF8xOg==".to_owned()), ..request("GET", "events", "") };
    assert_eq!(ask(&mut account, &basic).0, 200);
    assert_eq!(refused(&mut account, &request("GET", "customers", ""))["status"], 404);
    assert_eq!(refused(&mut account, &request("GET", "payment_intents/pi_1", ""))["code"], "resource_missing");
}

#[test]
fn a_list_is_read_page_by_page_in_both_directions() {
    let mut account = account();
    let mut intents: Vec<String> = (0..5).map(|_| open(&mut account)).collect();
    intents.reverse();
    let mut ids = |query: &str| {
        let page = get(&mut account, "payment_intents", query);
        let ids: Vec<String> = page["data"].as_array().unwrap().iter().map(id).collect();
        (ids, page["has_more"].as_bool().unwrap())
    };
    assert_eq!(ids("limit=2"), (intents[0..2].to_vec(), true));
    assert_eq!(ids(&format!("limit=2&starting_after={}", intents[1])), (intents[2..4].to_vec(), true));
    assert_eq!(ids(&format!("limit=2&starting_after={}", intents[3])), (intents[4..].to_vec(), false));
    assert_eq!(ids(&format!("limit=2&ending_before={}", intents[3])), (intents[1..3].to_vec(), true));
    assert_eq!(ids(&format!("created[gt]={}", NOW.as_secs())), (vec![], false));
    assert_eq!(refused(&mut account, &request("GET", "payment_intents", "limit=101"))["param"], "limit");
}

#[test]
fn only_ids_can_be_expanded() {
    let mut account = account();
    let intent = open(&mut account);
    let path = format!("payment_intents/{intent}");
    assert_eq!(get(&mut account, &path, "expand[]=latest_charge")["latest_charge"], Value::Null);
    for nonsense in ["amount", "nothing", "status", "metadata"] {
        let error = refused(&mut account, &request("GET", &path, &format!("expand[]={nonsense}")));
        assert_eq!(error["param"], "expand", "{nonsense}");
    }
    confirm(&mut account, &intent, "4242424242424242");
    let list = get(&mut account, "payment_intents", "expand[]=data.latest_charge.payment_method");
    assert_eq!(list["data"][0]["latest_charge"]["object"], "charge");
}

#[test]
fn failures_happen_before_or_after_the_effect_as_their_names_say() {
    for (trouble, outcome, created) in [
        (Trouble::HangBefore, Some(Outcome::Hang), 0),
        (Trouble::HangAfter, Some(Outcome::Hang), 1),
        (Trouble::HangUpBefore, Some(Outcome::HangUp), 0),
        (Trouble::HangUpAfter, Some(Outcome::HangUp), 1),
        (Trouble::TooMany(3), None, 0),
        (Trouble::BadGateway, None, 0),
        (Trouble::Unavailable, None, 0),
        (Trouble::ServerError { acted: false }, None, 0),
        (Trouble::ServerError { acted: true }, None, 1),
        (Trouble::Spoilt(Garbage::Truncated), None, 1),
    ] {
        let mut account = account();
        account.order(trouble, "POST /v1/payment_intents");
        assert_eq!(get(&mut account, "events", "")["data"], json!([]), "the failure is not meant for this call");
        let create = keyed("key-1", "payment_intents", "amount=50&currency=usd");
        let met = account.call(&create, NOW);
        assert_eq!(matches!(met, Outcome::Answer(..)), outcome.is_none(), "{trouble:?}: {met:?}");
        assert!(outcome.is_none_or(|outcome| outcome == met), "{trouble:?}");
        let intents = |account: &mut Account| get(account, "payment_intents", "")["data"].as_array().unwrap().len();
        assert_eq!(intents(&mut account), created, "{trouble:?}");
        // A retry under the same key leads to one payment in any case; only a 500 is replayed.
        let again = answered(&mut account, &create, NOW);
        if matches!(trouble, Trouble::ServerError { .. }) {
            assert_eq!((again.status, header(&again, "idempotent-replayed")), (500, Some("true")));
        } else {
            assert_eq!((again.status, intents(&mut account)), (200, 1), "{trouble:?}");
        }
    }
}

#[test]
fn corrupted_responses_cannot_be_trusted() {
    let mut account = account();
    let anothers = open(&mut account);
    for (garbage, sound) in [
        (Garbage::Truncated, None),
        (Garbage::Html, None),
        (Garbage::WrongTypes, Some(json!("much"))),
        (Garbage::Anothers, Some(json!(645_000))),
        (Garbage::WrongAmount, Some(json!(51))),
    ] {
        account.order(Trouble::Spoilt(garbage), "");
        let answer = answered(&mut account, &request("POST", "payment_intents", "amount=50&currency=usd"), NOW);
        let body: Option<Value> = serde_json::from_str(&answer.body).ok();
        assert_eq!(body.as_ref().map(|body| body["amount"].clone()), sound, "{garbage:?}");
        assert_eq!(garbage == Garbage::Anothers, body.is_some_and(|body| body["id"] == *anothers));
    }
}

/// A day at the shop: always the same calls, whatever their results.
fn a_day(seed: u64) -> (Vec<String>, Vec<Value>) {
    let mut account = with_rates(seed, Rates::BAD_DAY);
    account
        .send_webhooks_to(Some(Endpoint { url: "http://127.0.0.1:9/".to_owned(), secrets: vec!["whsec".to_owned()] }));
    let mut now = NOW;
    let mut sent = Vec::new();
    for order in 0..40 {
        now += Duration::from_secs(3);
        let create =
            keyed(&format!("open-{order}"), "payment_intents", &format!("amount={}&currency=usd", 100 + order));
        for _ in 0..3 {
            account.call(&create, now);
        }
        let intent = account.intents.last().map(|intent| intent.id.clone()).unwrap_or_default();
        let card = if order % 3 == 0 { "pm_card_visa_chargeDeclined" } else { "pm_card_visa" };
        account.call(
            &request("POST", &format!("payment_intents/{intent}/confirm"), &format!("payment_method={card}")),
            now,
        );
        account.call(&request("POST", &format!("payment_intents/{intent}/cancel"), ""), now);
        for sending in account.take_webhooks(now) {
            sent.push(serde_json::from_str(&sending.body).unwrap());
            account.outbox.answered(sending.delivery, (order % 5 != 0).then_some(200), now);
        }
    }
    (account.history().to_vec(), sent)
}

#[test]
fn the_same_seed_gives_the_same_history_and_another_seed_another() {
    let (history, sent) = a_day(7);
    assert_eq!((&history, &sent), (&a_day(7).0, &a_day(7).1));
    assert_ne!(history, a_day(8).0);
    let all = history.join("\n");
    for trouble in ["hang_up_after", "too_many", "unavailable", "lost", "twice", "late", "swapped", "processing"] {
        assert!(all.contains(trouble), "a bad day has {trouble}:\n{all}");
    }
}

#[test]
fn the_control_endpoints_schedule_failures_set_rates_and_refuse_unknown_input() {
    let mut account = account();
    let mut control = |path: &str, body: Value| account.control("POST", path, "", body.to_string().as_bytes(), NOW);
    let ordered = control("/_fake/faults", json!({"next": ["too_many:9", "linger:5"], "calls": "GET /v1/events"}));
    assert_eq!(ordered.body, json!({"waiting": 2}).to_string());
    for (path, wrong) in [
        ("/_fake/faults", json!({"next": ["earthquake"]})),
        ("/_fake/faults", json!({"rates": {"earthquake": 1}})),
        ("/_fake/faults", json!({"rates": {"too_many": 2}})),
        ("/_fake/webhooks", json!({"url": "https://shop.test", "secrets": ["a"]})),
        ("/_fake/webhooks", json!({"url": "http://shop.test", "secrets": []})),
        ("/_fake/payment_intents/pi_1/authenticate", Value::Null),
    ] {
        assert_eq!(control(path, wrong.clone()).status, 400, "{path} {wrong}");
    }
    assert_eq!(control("/_fake/elsewhere", Value::Null).status, 404);
    let limited = answered(&mut account, &request("GET", "events", ""), NOW);
    assert_eq!((limited.status, header(&limited, "retry-after")), (429, Some("9")));
    account.control("POST", "/_fake/faults", "", br#"{"rates": {"unavailable": 1}}"#, NOW);
    assert_eq!(answered(&mut account, &request("GET", "events", ""), NOW).status, 503);
}
