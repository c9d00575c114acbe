//! An account at Stripe: its objects, its events and its webhooks.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::calls::Remembered;
use super::cards::Card;
use super::disputes::Dispute;
use super::faults::{Faults, Post, Rates, Trouble};
use super::form::Form;
use super::intent::Intent;
use super::methods::Method;
use super::outbox::{Endpoint, Outbox, Sending};
use super::parameters::{only, page};
use super::refunds::{Charge, Refund};
use super::refusal::Refusal;
use super::rng::SeededRng;

/// The API version if a call names none.
pub(super) const VERSION: &str = "2026-09-30.endive";

/// The two keys of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// `sk_test_…`: may call everything.
    pub secret: String,
    /// `pk_test_…`: may call what a browser needs.
    pub publishable: String,
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

/// An account and all its data. Pure: it has no clock and no network, and the same seed and the same calls at the same
/// times give the same history.
///
/// Time is passed in as the duration since 1970, and must not run backwards.
#[derive(Debug, Clone)]
pub struct Account {
    pub(super) keys: Keys,
    /// Its address, for the URLs in its responses.
    base: String,
    ids: SeededRng,
    pub(super) faults: Faults,
    pub(super) intents: Vec<Intent>,
    pub(super) methods: Vec<Method>,
    pub(super) charges: Vec<Charge>,
    pub(super) refunds: Vec<Refund>,
    pub(super) disputes: Vec<Dispute>,
    /// Whether the balance is too low for any refund.
    pub(super) balance_is_empty: bool,
    events: Vec<Value>,
    pub(super) remembered: HashMap<String, Remembered>,
    pub(super) outbox: Outbox,
    pub(super) history: Vec<String>,
}

impl Account {
    /// An empty account at `base`, an address without a trailing slash.
    #[must_use]
    pub fn new(keys: Keys, base: &str, seed: u64, rates: Rates) -> Self {
        Self {
            keys,
            base: base.to_owned(),
            ids: SeededRng::new(seed, 0),
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

    // --- events ------------------------------------------------------------------------------------------------------

    /// Records an event about an object, and queues its webhook.
    pub(super) fn emit(&mut self, kind: &str, object: &Value, now: Duration) {
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

    pub(super) fn retrieve_event(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        let event = self.events.iter().find(|event| event["id"] == id);
        event.cloned().ok_or_else(|| Refusal::no_such("event", id, "id"))
    }

    pub(super) fn list_events(&self, form: &Form) -> Result<Value, Refusal> {
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
        self.outbox.answered(sending.delivery, status, now);
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
    pub(super) fn expand(&self, mut answer: Value, paths: &[&str]) -> Result<Value, Refusal> {
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
