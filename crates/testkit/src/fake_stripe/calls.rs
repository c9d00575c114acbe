//! One call of the API: its key, its idempotency key, where it leads, and the failures that may meet it.

use std::time::Duration;

use serde_json::{Value, json};

use super::account::{Account, VERSION};
use super::faults::{Trouble, spoil};
use super::form::Form;
use super::intent::Intent;
use super::refusal::Refusal;

/// How long an idempotency key is stored.
const REMEMBERED: Duration = Duration::from_hours(24);
/// The longest idempotency key.
const LONGEST_KEY: usize = 255;

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
pub(super) struct Remembered {
    path: String,
    form: Form,
    status: u16,
    body: Value,
    request: String,
    at: Duration,
    /// Until its first response has been sent.
    busy_until: Duration,
}

/// An internal error of Stripe.
#[derive(Debug, Clone, Copy)]
struct Breakdown {
    acted: bool,
}

impl Account {
    /// Answers a call.
    pub fn call(&mut self, request: &Request, now: Duration) -> Outcome {
        self.catch_up(now);
        let name = format!("{} {}", request.method, request.path);
        let trouble = self.faults.of_call(&name);
        let outcome = self.meet(trouble, request, now);
        let outcome_name = match &outcome {
            Outcome::Answer(answer, _) => answer.status.to_string(),
            Outcome::Hang | Outcome::HangUp => "-".to_owned(),
        };
        self.history.push(format!("{name} {outcome_name} {}", trouble.map_or("", Trouble::word)).trim_end().to_owned());
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
            Err(refusal) => (refusal.status, error_body(&refusal)),
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
        answer(refusal.status, &error_body(refusal), request, id)
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
}

/// The id of the payment in a call's path, if there is one.
fn about_a_payment(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/payment_intents/")?.split('/').next().filter(|id| !id.is_empty())
}

fn error_body(refusal: &Refusal) -> Value {
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

/// A value as JSON. `Value::to_string` does the same, but inside its own crate, which a debug build does not optimise.
pub(super) fn written(value: &Value) -> String {
    serde_json::to_string(value).expect("a value is always JSON")
}
