//! The control endpoints: what a test may ask for that Stripe itself would not do.

use std::time::Duration;

use serde_json::{Value, json};

use super::account::Account;
use super::calls::Answer;
use super::faults::{Rates, Trouble};
use super::form::Form;
use super::outbox::Endpoint;
use super::refusal::Refusal;

impl Account {
    /// Answers calls whose path begins with `/_fake/`: a JSON body, if any.
    ///
    /// | Call | Body | What it does |
    /// |---|---|---|
    /// | `POST /_fake/faults` | `{"next": ["hang_after", "slow:500"], "calls": "POST /v1/refunds", "rates": {"too_many": 0.1}}` | schedules failures for the next calls that begin so, sets the rates; each part may be left out |
    /// | `POST /_fake/webhooks` | `{"url": "http://…", "secrets": ["whsec_…"], "paused": true}` | sets where webhooks go (`null` for nowhere), pauses or resumes them |
    /// | `POST /_fake/payment_intents/ID/authenticate` | | the card's owner authenticates |
    /// | `POST /_fake/payment_intents/ID/fail_authentication` | | or fails to |
    /// | `POST /_fake/payment_intents/ID/refund` | `{"amount": 500}` | a refund at the dashboard; of the full amount without an amount |
    /// | `POST /_fake/payment_intents/ID/dispute` | `{"reason": "fraudulent"}` | the card's owner disputes the charge |
    /// | `POST /_fake/disputes/ID/close` | `{"won": false}` | the bank decides |
    /// | `POST /_fake/balance` | `{"empty": true}` | the balance is too low for refunds, or no longer is |
    /// | `GET`, `POST /_fake/challenge/ID` | | the same two as a page, which is where `next_action` leads |
    /// | `GET /_fake/deliveries` | | every webhook and its result |
    /// | `GET /_fake/history` | | all calls and events |
    pub fn control(&mut self, method: &str, path: &str, query: &str, body: &[u8], now: Duration) -> Answer {
        self.catch_up(now);
        let sent: Value =
            if body.is_empty() { Value::Null } else { serde_json::from_slice(body).unwrap_or(Value::Null) };
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').skip(1).collect();
        let done = match (method, segments.as_slice()) {
            ("POST", ["faults"]) => self.order_faults(&sent),
            ("POST", ["webhooks"]) => self.route_webhooks(&sent),
            ("POST", ["payment_intents", id, "authenticate"]) => self.challenge_ends(id, true, now),
            ("POST", ["payment_intents", id, "fail_authentication"]) => self.challenge_ends(id, false, now),
            ("POST", ["payment_intents", id, "refund"]) => self.refund_at_the_dashboard(id, &sent, now),
            ("POST", ["payment_intents", id, "dispute"]) => {
                sentence(self.open_dispute(id, sent["reason"].as_str().unwrap_or_default(), now))
            }
            ("POST", ["disputes", id, "close"]) => {
                sentence(self.close_dispute(id, sent["won"].as_bool().unwrap_or(false), now))
            }
            ("POST", ["balance"]) => {
                self.balance_is_empty = sent["empty"].as_bool().unwrap_or(false);
                Ok(json!({}))
            }
            ("GET", ["challenge", id]) => return challenge_page(id),
            ("POST", ["challenge", id]) => {
                return match self.end_challenge(id, query == "proven", now) {
                    Ok(back) => go_on(back),
                    Err(refusal) => json_answer(refusal.status, &json!({"error": refusal.error()})),
                };
            }
            ("GET", ["deliveries"]) => Ok(json!({"data": self.outbox.list()})),
            ("GET", ["history"]) => Ok(json!({"data": self.history()})),
            _ => return json_answer(404, &json!({"error": format!("nothing at {method} {path}")})),
        };
        match done {
            Ok(body) => json_answer(200, &body),
            Err(error) => json_answer(400, &json!({"error": error})),
        }
    }

    fn order_faults(&mut self, sent: &Value) -> Result<Value, String> {
        let calls = sent["calls"].as_str().unwrap_or_default();
        let next = sent["next"].as_array().map_or(&[][..], Vec::as_slice);
        let troubles: Vec<Trouble> =
            next.iter().map(|word| word.as_str().unwrap_or_default().parse()).collect::<Result<_, _>>()?;
        if let Some(rates) = sent.get("rates") {
            self.faults.set(Rates::read(rates)?);
        }
        for trouble in troubles {
            self.order(trouble, calls);
        }
        Ok(json!({"waiting": self.faults.waiting()}))
    }

    fn route_webhooks(&mut self, sent: &Value) -> Result<Value, String> {
        match sent.get("url") {
            None => {}
            Some(Value::Null) => self.send_webhooks_to(None),
            Some(url) => {
                let url = url.as_str().filter(|url| url.starts_with("http://")).ok_or("url is an http:// address")?;
                let secrets =
                    sent["secrets"].as_array().filter(|secrets| !secrets.is_empty()).ok_or("secrets is a list")?;
                let secrets = secrets.iter().filter_map(|secret| secret.as_str().map(str::to_owned)).collect();
                self.send_webhooks_to(Some(Endpoint { url: url.to_owned(), secrets }));
            }
        }
        if let Some(paused) = sent["paused"].as_bool() {
            self.outbox.pause(paused);
        }
        Ok(json!({}))
    }

    fn refund_at_the_dashboard(&mut self, id: &str, sent: &Value, now: Duration) -> Result<Value, String> {
        let amount = sent["amount"].as_i64().map(|amount| format!("&amount={amount}")).unwrap_or_default();
        let form = Form::parse(format!("payment_intent={id}{amount}").as_bytes()).ok_or("no such payment")?;
        sentence(self.create_refund(&form, now))
    }

    fn challenge_ends(&mut self, id: &str, proven: bool, now: Duration) -> Result<Value, String> {
        let back = self.end_challenge(id, proven, now).map_err(|refusal| refusal.error()["message"].to_string())?;
        Ok(json!({"return_url": back}))
    }
}

fn sentence(done: Result<Value, Refusal>) -> Result<Value, String> {
    done.map_err(|refusal| refusal.error()["message"].to_string())
}

fn json_answer(status: u16, body: &Value) -> Answer {
    Answer { status, headers: vec![("content-type", "application/json".to_owned())], body: body.to_string() }
}

fn page(body: &str) -> Answer {
    let body =
        format!("<!doctype html><html lang=\"en\"><title>3-D Secure</title><h1>Is this card yours?</h1>{body}</html>");
    Answer { status: 200, headers: vec![("content-type", "text/html; charset=utf-8".to_owned())], body }
}

fn challenge_page(id: &str) -> Answer {
    let id: String = id.chars().filter(|sign| sign.is_ascii_alphanumeric() || *sign == '_').collect();
    page(&format!(
        "<form method=\"post\" action=\"/_fake/challenge/{id}?proven\"><button>Complete</button></form>\
         <form method=\"post\" action=\"/_fake/challenge/{id}?failed\"><button>Fail</button></form>"
    ))
}

fn go_on(back: Option<String>) -> Answer {
    match back {
        Some(back) => Answer { status: 303, headers: vec![("location", back)], body: String::new() },
        None => page("<p>Thank you. You may close this page.</p>"),
    }
}
