//! An account at Stripe: authentication, idempotency keys and routing.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::cards::Card;
use super::dice::Dice;
use super::disputes::Dispute;
use super::faults::{Faults, Post, Rates, Trouble, spoil};
use super::form::Form;
use super::intents::Intent;
use super::methods::Method;
use super::outbox::{Endpoint, Outbox, Sending};
use super::refunds::{Charge, Refund};
use super::refusal::Refusal;

/// The API version if a call names none.
const VERSION: &str = "2026-09-30.endive";
/// How long an idempotency key is stored.
const REMEMBERED: Duration = Duration::from_hours(24);
/// The longest idempotency key.
const LONGEST_KEY: usize = 255;

/// The two keys of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// `sk_test_…`: may call everything.
    pub secret: String,
    /// `pk_test_…`: may call what a browser needs.
    pub publishable: String,
}

/// A received call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// `/v1/payment_intents/pi_1`.
    pub path: String,
    /// Without the question mark.
    pub query: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The `Idempotency-Key` header.
    pub idempotency_key: Option<String>,
    /// The `Stripe-Version` header.
    pub version: Option<String>,
    /// The form-encoded body.
    pub body: Vec<u8>,
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// The names are in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// Usually JSON.
    pub body: String,
}

/// A payment as the account has recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payment<'a> {
    /// `pi_…`
    pub id: &'a str,
    /// When it was opened, in seconds since 1970.
    pub created: u64,
    /// The amount to pay, in the smallest unit.
    pub amount: i64,
    /// Set by the client that created it.
    pub metadata: &'a Map<String, Value>,
    /// `succeeded`, `canceled` or another status of Stripe's.
    pub status: &'static str,
    /// The amount charged, in the smallest unit.
    pub taken: i64,
    /// The refunded amount, including pending refunds.
    pub sent_back: i64,
    /// The amount of refunds that failed.
    pub came_back: i64,
    /// Whether it has a dispute that is open or lost.
    pub disputed: bool,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A response, after a delay.
    Answer(Answer, Duration),
    /// No response ever.
    Hang,
    /// The connection closes without a response.
    HangUp,
}

/// The kind of key that a call carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    Secret,
    Publishable,
}

/// The stored response of an idempotency key.
#[derive(Debug, Clone)]
struct Remembered {
    path: String,
    form: Form,
    status: u16,
    body: Value,
    request: String,
    at: Duration,
    /// Until its first response has been sent.
    busy_until: Duration,
}

/// An account and all its data. Pure: it has no clock and no network, and the same seed and the same calls at the same
/// times give the same history.
///
/// Time is passed in as the duration since 1970, and must not run backwards.
/// Time is passed in as what has gone by since 1970, and does not run backwards.
#[derive(Debug, Clone)]
pub struct Account {
    keys: Keys,
    /// Its address, for the URLs in its responses.
    base: String,
    ids: Dice,
    pub(super) faults: Faults,
    pub(super) intents: Vec<Intent>,
    pub(super) methods: Vec<Method>,
    pub(super) charges: Vec<Charge>,
    pub(super) refunds: Vec<Refund>,
    pub(super) disputes: Vec<Dispute>,
    /// Whether the balance is too low for any refund.
    pub(super) balance_is_empty: bool,
    events: Vec<Value>,
    remembered: HashMap<String, Remembered>,
    pub(super) outbox: Outbox,
    history: Vec<String>,
}

impl Account {
    /// An empty account at `base`, an address without a trailing slash.
    #[must_use]
    pub fn new(keys: Keys, base: &str, seed: u64, rates: Rates) -> Self {
        Self {
            keys,
            base: base.to_owned(),
            ids: Dice::new(seed, 0),
            faults: Faults::new(seed, rates),
            intents: Vec::new(),
            methods: Vec::new(),
            charges: Vec::new(),
            refunds: Vec::new(),
            disputes: Vec::new(),
            balance_is_empty: false,
            events: Vec::new(),
            remembered: HashMap::new(),
            outbox: Outbox::default(),
            history: Vec::new(),
        }
    }

    /// Sets where webhooks go from now on; `None` sends none.
    pub fn send_webhooks_to(&mut self, endpoint: Option<Endpoint>) {
        self.outbox.send_to(endpoint);
    }

    /// Schedules a failure for the next call that begins with `calls`, such as `POST /v1/refunds`; an empty text means
    /// any call. [`Trouble::Linger`] applies to the next payment that is confirmed.
    pub fn order(&mut self, trouble: Trouble, calls: &str) {
        self.faults.order(trouble, calls);
    }

    /// Cancels the failure that was scheduled last; returns whether there was one.
    pub fn forget_a_trouble(&mut self) -> bool {
        self.faults.forget()
    }

    /// Does something without failures, for what a test checks rather than tests.
    pub fn calmly<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let troubled = std::mem::replace(&mut self.faults, Faults::new(0, Rates::default()));
        let done = act(self);
        self.faults = troubled;
        done
    }

    /// All calls and events, a line each, without request ids: equal for equal seeds.
    #[must_use]
    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// Answers a call.
    pub fn call(&mut self, request: &Request, now: Duration) -> Outcome {
        self.catch_up(now);
        let name = format!("{} {}", request.method, request.path);
        let trouble = self.faults.of_call(&name);
        let outcome = self.meet(trouble, request, now);
        let told = match &outcome {
            Outcome::Answer(answer, _) => answer.status.to_string(),
            Outcome::Hang | Outcome::HangUp => "-".to_owned(),
        };
        self.history.push(format!("{name} {told} {}", trouble.map_or("", Trouble::word)).trim_end().to_owned());
        outcome
    }

    fn meet(&mut self, trouble: Option<Trouble>, request: &Request, now: Duration) -> Outcome {
        let at_once = |answer| Outcome::Answer(answer, Duration::ZERO);
        match trouble {
            None | Some(Trouble::Linger(_)) => at_once(self.answer(request, None, now)),
            Some(Trouble::HangBefore) => Outcome::Hang,
            Some(Trouble::HangUpBefore) => Outcome::HangUp,
            Some(Trouble::HangAfter) => {
                self.answer(request, None, now);
                Outcome::Hang
            }
            Some(Trouble::HangUpAfter) => {
                self.answer(request, None, now);
                Outcome::HangUp
            }
            Some(Trouble::Slow(pause)) => {
                let answer = self.answer(request, None, now);
                if let Some(remembered) = request.idempotency_key.as_ref().and_then(|key| self.remembered.get_mut(key))
                {
                    remembered.busy_until = now + pause;
                }
                Outcome::Answer(answer, pause)
            }
            Some(Trouble::TooMany(seconds)) => {
                let mut answer = self.refuse(&Refusal::too_many(), request);
                answer.headers.push(("retry-after", seconds.to_string()));
                at_once(answer)
            }
            Some(Trouble::ServerError { acted }) => {
                let mut answer = self.answer(request, Some(Breakdown { acted }), now);
                if answer.status == 500 {
                    // A retry with the same idempotency key would only get the same response.
                    answer.headers.push(("stripe-should-retry", "false".to_owned()));
                }
                at_once(answer)
            }
            Some(Trouble::Amnesia) => match about_a_payment(&request.path) {
                Some(id) => at_once(self.refuse(&Refusal::no_such("payment_intent", id, "intent"), request)),
                None => at_once(self.answer(request, None, now)),
            },
            Some(Trouble::BadGateway) => at_once(gateway(502, "Bad Gateway")),
            Some(Trouble::Unavailable) => at_once(gateway(503, "Service Temporarily Unavailable")),
            Some(Trouble::Spoilt(garbage)) => {
                let mut answer = self.answer(request, None, now);
                let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
                let anothers = self.intents.iter().find(|intent| body["id"] != intent.id).map(Intent::render);
                let (body, kind) = spoil(garbage, &body, anothers);
                answer.body = body;
                answer.headers.retain(|(name, _)| *name != "content-type");
                answer.headers.push(("content-type", kind.to_owned()));
                at_once(answer)
            }
        }
    }

    /// Stripe's normal response, or with an internal error in the middle.
    fn answer(&mut self, request: &Request, breakdown: Option<Breakdown>, now: Duration) -> Answer {
        let (caller, form) = match self.admit(request) {
            Ok(admitted) => admitted,
            Err(refusal) => return self.refuse(&refusal, request),
        };
        let key = request.idempotency_key.as_deref().filter(|_| request.method == "POST");
        if let Some(known) = key.and_then(|key| self.recall(key, request, &form, now)) {
            return known;
        }
        let outcome = match breakdown {
            Some(Breakdown { acted: false }) => Err(Refusal::server(500)),
            Some(Breakdown { acted: true }) => self.route(request, &form, caller, now).and(Err(Refusal::server(500))),
            None => self.route(request, &form, caller, now),
        };
        let id = self.id("req");
        let begun = outcome.as_ref().err().is_none_or(|refusal| refusal.begun);
        let (status, body) = match outcome {
            Ok(body) => (200, body),
            Err(refusal) => (refusal.status, told(&refusal)),
        };
        // A call that failed before it began is not stored.
        if let Some(key) = key.filter(|_| begun) {
            let remembered = Remembered {
                path: request.path.clone(),
                form,
                status,
                body: body.clone(),
                request: id.clone(),
                at: now,
                busy_until: now,
            };
            self.remembered.insert(key.to_owned(), remembered);
        }
        answer(status, &body, request, id)
    }

    fn refuse(&mut self, refusal: &Refusal, request: &Request) -> Answer {
        let id = self.id("req");
        answer(refusal.status, &told(refusal), request, id)
    }

    /// Authenticates the caller and parses the parameters.
    fn admit(&self, request: &Request) -> Result<(Caller, Form), Refusal> {
        let key = request.authorization.as_deref().and_then(key_of).ok_or_else(|| {
            Refusal::unauthorized(
                "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
            )
        })?;
        let caller = if key == self.keys.secret {
            Caller::Secret
        } else if key == self.keys.publishable {
            Caller::Publishable
        } else {
            let shown: String = key.chars().take(8).collect();
            return Err(Refusal::unauthorized(format!("Invalid API Key provided: {shown}****")));
        };
        let malformed = || Refusal::invalid("Invalid request: a parameter's name is malformed.");
        let query = Form::parse(request.query.as_bytes()).ok_or_else(malformed)?;
        let body = Form::parse(&request.body).ok_or_else(malformed)?;
        if request.idempotency_key.as_ref().is_some_and(|key| key.is_empty() || key.len() > LONGEST_KEY) {
            return Err(Refusal::invalid("Idempotency keys have 1 to 255 characters."));
        }
        Ok((caller, query.with(body)))
    }

    /// The response to an idempotency key that was used before.
    fn recall(&mut self, key: &str, request: &Request, form: &Form, now: Duration) -> Option<Answer> {
        self.remembered.retain(|_, known| known.at + REMEMBERED > now);
        let known = self.remembered.get(key)?.clone();
        let refusal = if known.path != request.path {
            Refusal::idempotency(format!(
                "Keys for idempotent requests can only be used for the same endpoint they were first used for ('{}' vs '{}'). Try using a key other than '{key}' if you meant to execute a different request.",
                request.path, known.path
            ))
        } else if known.form != *form {
            Refusal::idempotency(format!(
                "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request."
            ))
        } else if now < known.busy_until {
            Refusal::busy(key)
        } else {
            let id = self.id("req");
            let mut replay = answer(known.status, &known.body, request, id);
            replay.headers.push(("idempotent-replayed", "true".to_owned()));
            replay.headers.push(("original-request", known.request));
            return Some(replay);
        };
        Some(self.refuse(&refusal, request))
    }

    fn route(&mut self, request: &Request, form: &Form, caller: Caller, now: Duration) -> Result<Value, Refusal> {
        let segments: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        let for_browsers = matches!(
            (request.method.as_str(), segments.as_slice()),
            ("POST", ["v1", "payment_methods"] | ["v1", "payment_intents", _, "confirm"])
                | ("GET", ["v1", "payment_intents", _])
        );
        if caller == Caller::Publishable && !for_browsers {
            return Err(Refusal::invalid(
                "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
            )
            .of_status(403)
            .coded("secret_key_required"));
        }
        let answer = match (request.method.as_str(), segments.as_slice()) {
            ("POST", ["v1", "payment_intents"]) => self.create_intent(form, now),
            ("GET", ["v1", "payment_intents"]) => self.list_intents(form),
            ("GET", ["v1", "payment_intents", id]) => self.retrieve_intent(id, form, caller),
            ("POST", ["v1", "payment_intents", id]) => self.update_intent(id, form, now),
            ("POST", ["v1", "payment_intents", id, "confirm"]) => self.confirm_intent(id, form, caller, now),
            ("POST", ["v1", "payment_intents", id, "cancel"]) => self.cancel_intent(id, form, now),
            ("POST", ["v1", "payment_methods"]) => self.create_method(form, now),
            ("GET", ["v1", "payment_methods", id]) => self.retrieve_method(id, form),
            ("GET", ["v1", "charges", id]) => self.retrieve_charge(id, form),
            ("POST", ["v1", "refunds"]) => self.create_refund(form, now),
            ("GET", ["v1", "refunds"]) => self.list_refunds(form),
            ("GET", ["v1", "refunds", id]) => self.retrieve_refund(id, form),
            ("GET", ["v1", "disputes"]) => self.list_disputes(form),
            ("GET", ["v1", "disputes", id]) => self.retrieve_dispute(id, form),
            ("GET", ["v1", "events"]) => self.list_events(form),
            ("GET", ["v1", "events", id]) => self.retrieve_event(id, form),
            (method, _) => {
                Err(Refusal::invalid(format!("Unrecognized request URL ({method}: {}).", request.path)).of_status(404))
            }
        }?;
        self.expand(answer, &form.list("expand"))
    }

    // --- events ------------------------------------------------------------------------------------------------------

    /// Records an event about an object, and queues its webhook.
    pub(super) fn tell(&mut self, kind: &str, object: &Value, now: Duration) {
        let event = json!({
            "id": self.id("evt"),
            "object": "event",
            "account": null,
            "api_version": VERSION,
            "context": null,
            "created": now.as_secs(),
            "data": {"object": object},
            "livemode": false,
            "pending_webhooks": 1,
            "request": {"id": null, "idempotency_key": null},
            "type": kind,
        });
        let post = self.faults.of_webhook();
        let course = if post == Post::AtOnce { "" } else { post.word() };
        self.history.push(format!("told of {kind} {course}").trim_end().to_owned());
        self.outbox.put(&event, post, now);
        self.events.push(event);
    }

    fn retrieve_event(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        let event = self.events.iter().find(|event| event["id"] == id);
        event.cloned().ok_or_else(|| Refusal::no_such("event", id, "id"))
    }

    fn list_events(&self, form: &Form) -> Result<Value, Refusal> {
        only(form, &["ending_before", "expand", "limit", "starting_after", "type", "types"])?;
        let mut kinds = form.list("types");
        kinds.extend(form.text("type"));
        let events = self.events.iter().rev();
        let chosen = events.filter(|event| kinds.is_empty() || kinds.iter().any(|kind| event["type"] == *kind));
        page(form, "/v1/events", &chosen.cloned().collect::<Vec<_>>())
    }

    // --- time --------------------------------------------------------------------------------------------------------

    /// Executes everything that is due.
    pub fn catch_up(&mut self, now: Duration) {
        while let Some((due, id)) = self.next_decision().filter(|(due, _)| *due <= now) {
            self.decide(&id, due);
        }
        while let Some((due, id)) = self.next_refund().filter(|(due, _)| *due <= now) {
            self.finish_refund(&id, due);
        }
    }

    /// When the next decision of a bank, refund or webhook is due.
    #[must_use]
    pub fn next_due(&self) -> Option<Duration> {
        let decision = self.next_decision().map(|(due, _)| due);
        let refund = self.next_refund().map(|(due, _)| due);
        [decision, refund, self.outbox.next_due()].into_iter().flatten().min()
    }

    /// The webhooks that have to be sent now, in the order of their due times. Report the result of each with
    /// [`Self::webhook_came_to`].
    pub fn take_webhooks(&mut self, now: Duration) -> Vec<Sending> {
        self.catch_up(now);
        self.outbox.take_due(now)
    }

    /// Records the result of a webhook: the endpoint's status, or none. Anything but a 2xx is sent again later.
    pub fn webhook_came_to(&mut self, sending: &Sending, status: Option<u16>, now: Duration) {
        self.outbox.told(sending.delivery, status, now);
    }

    // --- the records ---------------------------------------------------------------------------------------------------

    /// All payments, oldest first, with the true state of their money, whatever calls are answered.
    pub fn payments(&self) -> impl Iterator<Item = Payment<'_>> {
        self.intents.iter().map(|intent| {
            let taken = self.charges.iter().filter(|charge| charge.intent == intent.id && charge.declined.is_none());
            let sent_back = self.refunds.iter().filter(|refund| refund.intent == intent.id && refund.stands());
            let came_back = self.refunds.iter().filter(|refund| refund.intent == intent.id && !refund.stands());
            Payment {
                id: &intent.id,
                created: intent.created,
                amount: intent.amount,
                metadata: &intent.metadata,
                status: intent.status.word(),
                taken: taken.map(|charge| charge.amount).sum(),
                sent_back: sent_back.map(|refund| refund.amount).sum(),
                came_back: came_back.map(|refund| refund.amount).sum(),
                disputed: self.disputes.iter().any(|dispute| dispute.intent == intent.id && dispute.stands()),
            }
        })
    }

    // --- shared helpers ----------------------------------------------------------------------------------------

    pub(super) fn id(&mut self, prefix: &str) -> String {
        format!("{prefix}_{}", self.ids.word(24))
    }

    pub(super) fn secret_of(&mut self, id: &str) -> String {
        format!("{id}_secret_{}", self.ids.word(25))
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    pub(super) fn card_of(&self, method: &str) -> Option<&Card> {
        self.methods.iter().find(|known| known.id == method).map(|method| &method.card)
    }

    /// Replaces ids by their objects, as `expand[]` asks.
    fn expand(&self, mut answer: Value, paths: &[&str]) -> Result<Value, Refusal> {
        for path in paths {
            let steps: Vec<&str> = path.split('.').collect();
            if steps.len() > 4 || !self.expand_in(&mut answer, &steps) {
                return Err(Refusal::invalid(format!("This property cannot be expanded ({path}).")).about("expand"));
            }
        }
        Ok(answer)
    }

    fn expand_in(&self, object: &mut Value, steps: &[&str]) -> bool {
        let Some((first, rest)) = steps.split_first() else { return true };
        if let Some(items) = object.as_array_mut() {
            return items.iter_mut().all(|item| self.expand_in(item, steps));
        }
        let Some(place) = object.get_mut(*first) else { return false };
        match place {
            // A null cannot be expanded, and that is no error.
            Value::Null => true,
            Value::String(id) => match self.look_up(id) {
                Some(found) => {
                    *place = found;
                    self.expand_in(place, rest)
                }
                None => false,
            },
            Value::Object(_) | Value::Array(_) => !rest.is_empty() && self.expand_in(place, rest),
            Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn look_up(&self, id: &str) -> Option<Value> {
        match id.split_once('_')?.0 {
            "pi" => self.intents.iter().find(|known| known.id == id).map(Intent::render),
            "pm" => self.methods.iter().find(|known| known.id == id).map(Method::render),
            "ch" => self.charges.iter().find(|known| known.id == id).map(|known| known.render(self)),
            "dp" => self.disputes.iter().find(|known| known.id == id).map(Dispute::render),
            "re" => self.refunds.iter().find(|known| known.id == id).map(Refund::render),
            _ => None,
        }
    }
}

/// The id of the payment in a call's path, if there is one.
fn about_a_payment(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/payment_intents/")?.split('/').next().filter(|id| !id.is_empty())
}

/// An internal error of Stripe.
#[derive(Debug, Clone, Copy)]
struct Breakdown {
    acted: bool,
}

fn told(refusal: &Refusal) -> Value {
    json!({"error": refusal.error()})
}

fn answer(status: u16, body: &Value, request: &Request, id: String) -> Answer {
    let mut headers = vec![
        ("content-type", "application/json".to_owned()),
        ("request-id", id),
        ("stripe-version", request.version.clone().unwrap_or_else(|| VERSION.to_owned())),
    ];
    if status == 401 {
        headers.push(("www-authenticate", "Basic realm=\"Stripe\"".to_owned()));
    }
    if let Some(key) = &request.idempotency_key {
        headers.push(("idempotency-key", key.clone()));
    }
    Answer { status, headers, body: written(body) }
}

/// A value as JSON. `Value::to_string` does the same, but inside its own crate, which a debug build does not optimise.
pub(super) fn written(value: &Value) -> String {
    serde_json::to_string(value).expect("a value is always JSON")
}

/// The answer of a proxy in front of Stripe.
fn gateway(status: u16, words: &str) -> Answer {
    let body = format!("<html><body><h1>{status} {words}</h1></body></html>");
    Answer { status, headers: vec![("content-type", "text/html".to_owned())], body }
}

/// The key in `Bearer sk_…` or, as curl's `-u` sends it, in `Basic base64(sk_…:)`.
fn key_of(authorization: &str) -> Option<String> {
    let (scheme, rest) = authorization.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned()).filter(|key| !key.is_empty());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, rest.trim()).ok()?;
    let pair = String::from_utf8(decoded).ok()?;
    pair.split(':').next().filter(|key| !key.is_empty()).map(str::to_owned)
}

/// Refuses parameters that an endpoint does not know.
pub(super) fn only(form: &Form, known: &[&str]) -> Result<(), Refusal> {
    form.names().find(|name| !known.contains(name)).map_or(Ok(()), |name| Err(Refusal::unknown(name)))
}

/// A page of a list whose items come newest first.
pub(super) fn page(form: &Form, url: &str, items: &[Value]) -> Result<Value, Refusal> {
    let limit = match form.text("limit").map(str::parse) {
        None => 10,
        Some(Ok(limit @ 1..=100)) => limit,
        Some(_) => return Err(Refusal::invalid("The limit must be an integer from 1 to 100.").about("limit")),
    };
    let place = |param: &str| match form.text(param) {
        None => Ok(None),
        Some(id) => match items.iter().position(|item| item["id"] == id) {
            Some(place) => Ok(Some(place)),
            None => Err(Refusal::no_such("object", id, param)),
        },
    };
    let (after, before) = (place("starting_after")?, place("ending_before")?);
    let (data, has_more) = if let Some(before) = before {
        let first = before.saturating_sub(limit);
        (&items[first..before], first > 0)
    } else {
        let first = after.map_or(0, |after| after + 1);
        let end = usize::min(first + limit, items.len());
        (&items[first..end], end < items.len())
    };
    Ok(json!({"object": "list", "url": url, "has_more": has_more, "data": data}))
}

/// The sent metadata, merged into the existing: an empty value removes a key, an empty `metadata` removes all.
pub(super) fn metadata(form: &Form, before: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    const MOST: usize = 50;
    let about = |message: &str| Refusal::invalid(message).about("metadata");
    if form.text("metadata") == Some("") {
        return Ok(Map::new());
    }
    if form.text("metadata").is_some() {
        return Err(about("Invalid hash"));
    }
    let mut metadata = before.clone();
    let Some(told) = form.parts("metadata") else { return Ok(metadata) };
    if told.names().count() != told.texts().count() {
        return Err(about("Metadata values must be strings."));
    }
    for (name, value) in told.texts() {
        if name.chars().count() > 40 {
            return Err(about("Metadata keys can have up to 40 characters."));
        }
        if value.chars().count() > 500 {
            return Err(about("Metadata values can have up to 500 characters."));
        }
        if value.is_empty() {
            metadata.remove(name);
        } else {
            metadata.insert(name.to_owned(), json!(value));
        }
    }
    if metadata.len() > MOST {
        return Err(about("You can have up to 50 metadata keys."));
    }
    Ok(metadata)
}
