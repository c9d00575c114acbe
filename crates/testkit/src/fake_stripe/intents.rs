//! Payment intents and their lifecycle (<https://docs.stripe.com/payments/paymentintents/lifecycle>).

use std::time::Duration;

use serde_json::{Map, Value};

use super::account::Account;
use super::calls::Caller;
use super::form::Form;
use super::intent::{Choice, Intent, Status};
use super::parameters::{metadata, only, page};
use super::refusal::Refusal;

/// Per currency: its code, the least amount in the smallest unit, and its sign.
const CURRENCIES: [(&str, i64, &str); 2] = [("usd", 50, "$"), ("eur", 50, "€")];
/// The largest amount: eight digits.
const MOST: i64 = 99_999_999;

/// The parameters of a new payment.
const OF_A_NEW_ONE: [&str; 13] = [
    "allowed_payment_method_types",
    "amount",
    "automatic_payment_methods",
    "capture_method",
    "confirm",
    "currency",
    "description",
    "expand",
    "metadata",
    "payment_method",
    "payment_method_types",
    "receipt_email",
    "return_url",
];

impl Account {
    pub(super) fn create_intent(&mut self, form: &Form, now: Duration) -> Result<Value, Refusal> {
        only(form, &OF_A_NEW_ONE)?;
        if !matches!(form.text("capture_method"), None | Some("automatic" | "automatic_async")) {
            return Err(Refusal::invalid("Invalid capture_method: this account only captures automatically.")
                .about("capture_method"));
        }
        let amount = form.text("amount").ok_or_else(|| Refusal::missing("amount"))?;
        let currency = form.text("currency").ok_or_else(|| Refusal::missing("currency"))?.to_ascii_lowercase();
        let amount = price(amount, &currency)?;
        let (choice, allowed) = choice(form)?;
        let method = form.text("payment_method").map(|id| self.known_method(id, now)).transpose()?;
        let confirm = form.text("confirm") == Some("true");
        if confirm && form.text("return_url").is_none() && choice == (Choice::Automatic { redirects: true }) {
            return Err(Refusal::invalid(
                "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
            ));
        }
        let metadata = metadata(form, &Map::new())?;
        let id = self.id("pi");
        let intent = Intent {
            secret: self.secret_of(&id),
            id: id.clone(),
            amount,
            currency,
            choice,
            allowed,
            metadata,
            description: optional(form, "description"),
            receipt_email: optional(form, "receipt_email"),
            status: if method.is_some() { Status::RequiresConfirmation } else { Status::RequiresPaymentMethod },
            method,
            last_error: None,
            charge: None,
            canceled_at: None,
            cancellation_reason: None,
            created: now.as_secs(),
            next_action: None,
            return_url: optional(form, "return_url"),
            decides: None,
        };
        let rendered = intent.render();
        self.intents.push(intent);
        self.emit("payment_intent.created", &rendered, now);
        if confirm {
            self.confirm(&id, false, now)?;
            return self.rendered(&id);
        }
        Ok(rendered)
    }

    pub(super) fn list_intents(&self, form: &Form) -> Result<Value, Refusal> {
        only(form, &["created", "ending_before", "expand", "limit", "starting_after"])?;
        let bound = |name: &str| form.parts("created")?.text(name)?.parse::<u64>().ok();
        let within = |intent: &&Intent| {
            bound("gte").is_none_or(|bound| intent.created >= bound)
                && bound("gt").is_none_or(|bound| intent.created > bound)
                && bound("lte").is_none_or(|bound| intent.created <= bound)
                && bound("lt").is_none_or(|bound| intent.created < bound)
        };
        page(
            form,
            "/v1/payment_intents",
            &self.intents.iter().rev().filter(within).map(Intent::render).collect::<Vec<_>>(),
        )
    }

    pub(super) fn retrieve_intent(&self, id: &str, form: &Form, caller: Caller) -> Result<Value, Refusal> {
        only(form, &["client_secret", "expand"])?;
        let intent = self.intent(id)?;
        admit(intent, form, caller)?;
        Ok(intent.render_for(caller))
    }

    pub(super) fn update_intent(&mut self, id: &str, form: &Form, now: Duration) -> Result<Value, Refusal> {
        const ALWAYS: [&str; 4] = ["description", "expand", "metadata", "receipt_email"];
        const WHILE_OPEN: [&str; 3] = ["amount", "currency", "payment_method"];
        only(form, &[ALWAYS.as_slice(), &WHILE_OPEN].concat())?;
        let mut after = self.intent(id)?.clone();
        let open = matches!(
            after.status,
            Status::RequiresPaymentMethod | Status::RequiresConfirmation | Status::RequiresAction
        );
        if let Some(name) = WHILE_OPEN.iter().find(|name| form.has(name) && !open) {
            return Err(after.unexpected(&format!(
                "This PaymentIntent's {name} could not be updated because it has a status of {}. You may only update the {name} of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.",
                after.status.word()
            )));
        }
        after.metadata = metadata(form, &after.metadata)?;
        if form.has("amount") || form.has("currency") {
            let currency = form.text("currency").unwrap_or(&after.currency).to_ascii_lowercase();
            after.amount = price(form.text("amount").unwrap_or(&after.amount.to_string()), &currency)?;
            after.currency = currency;
        }
        if form.has("description") {
            after.description = optional(form, "description");
        }
        if form.has("receipt_email") {
            after.receipt_email = optional(form, "receipt_email");
        }
        if let Some(method) = form.text("payment_method") {
            after.method = Some(self.known_method(method, now)?);
            after.status = Status::RequiresConfirmation;
            after.next_action = None;
        }
        let rendered = after.render();
        *self.intent_mut(id)? = after;
        Ok(rendered)
    }

    pub(super) fn confirm_intent(
        &mut self,
        id: &str,
        form: &Form,
        caller: Caller,
        now: Duration,
    ) -> Result<Value, Refusal> {
        only(
            form,
            &[
                "client_secret",
                "expand",
                "expected_payment_method_type",
                "payment_method",
                "payment_method_data",
                "receipt_email",
                "return_url",
                "use_stripe_sdk",
            ],
        )?;
        let intent = self.intent(id)?;
        admit(intent, form, caller)?;
        let status = intent.status;
        if status == Status::Succeeded {
            return Err(intent.unexpected(
                "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.",
            ));
        }
        if matches!(status, Status::Canceled | Status::Processing) {
            return Err(intent.unexpected(&format!(
                "You cannot confirm this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.",
                status.word()
            )));
        }
        let method = match (form.text("payment_method"), form.parts("payment_method_data")) {
            (Some(method), _) => Some(self.known_method(method, now)?),
            (None, Some(typed)) => Some(self.type_card(typed, now)?),
            (None, None) => intent.method.clone(),
        };
        let intent = self.intent_mut(id)?;
        if method.is_none() {
            return Err(intent.unexpected(
                "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
            ));
        }
        intent.method = method;
        intent.return_url = optional(form, "return_url").or(intent.return_url.take());
        if form.has("receipt_email") {
            intent.receipt_email = optional(form, "receipt_email");
        }
        self.confirm(id, form.text("use_stripe_sdk") == Some("true"), now)?;
        Ok(self.intent(id)?.render_for(caller))
    }

    pub(super) fn cancel_intent(&mut self, id: &str, form: &Form, now: Duration) -> Result<Value, Refusal> {
        const REASONS: [&str; 4] = ["abandoned", "duplicate", "fraudulent", "requested_by_customer"];
        only(form, &["cancellation_reason", "expand"])?;
        let reason = optional(form, "cancellation_reason");
        if reason.as_ref().is_some_and(|reason| !REASONS.contains(&reason.as_str())) {
            return Err(Refusal::invalid(format!(
                "Invalid cancellation_reason: must be one of {}",
                REASONS.join(", ")
            ))
            .about("cancellation_reason"));
        }
        let intent = self.intent_mut(id)?;
        // Stripe's list has `processing` at its end, "in rare cases"; a card that is being charged is not one.
        if matches!(intent.status, Status::Succeeded | Status::Canceled | Status::Processing) {
            return Err(intent.unexpected(&format!(
                "You cannot cancel this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.",
                intent.status.word()
            )));
        }
        intent.status = Status::Canceled;
        intent.canceled_at = Some(now.as_secs());
        intent.cancellation_reason = reason;
        intent.next_action = None;
        let rendered = intent.render();
        self.emit("payment_intent.canceled", &rendered, now);
        Ok(rendered)
    }

    // --- looking things up -------------------------------------------------------------------------------------------

    pub(super) fn intent(&self, id: &str) -> Result<&Intent, Refusal> {
        let found = self.intents.iter().find(|intent| intent.id == id);
        found.ok_or_else(|| Refusal::no_such("payment_intent", id, "intent"))
    }

    pub(super) fn intent_mut(&mut self, id: &str) -> Result<&mut Intent, Refusal> {
        let found = self.intents.iter_mut().find(|intent| intent.id == id);
        found.ok_or_else(|| Refusal::no_such("payment_intent", id, "intent"))
    }

    pub(super) fn rendered(&self, id: &str) -> Result<Value, Refusal> {
        self.intent(id).map(Intent::render)
    }

    pub(super) fn behaviour(&self, id: &str) -> Result<super::cards::Behaviour, Refusal> {
        let method = self.intent(id)?.method.as_deref().unwrap_or_default();
        let card = self.card_of(method).ok_or_else(|| Refusal::no_such("PaymentMethod", method, "payment_method"))?;
        Ok(card.behaviour())
    }
}

/// A browser proves with the payment's secret that it may see it; a secret that is sent has to be the right one.
fn admit(intent: &Intent, form: &Form, caller: Caller) -> Result<(), Refusal> {
    match form.text("client_secret") {
        Some(secret) if secret == intent.secret => Ok(()),
        Some(_) => Err(Refusal::invalid(
            "The client_secret provided does not match the client_secret associated with the PaymentIntent.",
        )
        .coded("payment_intent_invalid_parameter")
        .about("client_secret")),
        None if caller == Caller::Secret => Ok(()),
        None => Err(Refusal::missing("client_secret")),
    }
}

fn price(amount: &str, currency: &str) -> Result<i64, Refusal> {
    let Some((_, least, sign)) = CURRENCIES.iter().find(|(known, ..)| *known == currency) else {
        let known: Vec<&str> = CURRENCIES.iter().map(|(known, ..)| *known).collect();
        return Err(Refusal::invalid(format!(
            "Invalid currency: {currency}. Stripe currently supports these currencies: {}",
            known.join(", ")
        ))
        .about("currency"));
    };
    let amount: i64 = amount.parse().map_err(|_| {
        Refusal::invalid(format!("Invalid integer: {amount}")).coded("parameter_invalid_integer").about("amount")
    })?;
    if amount < 1 {
        return Err(Refusal::invalid("This value must be greater than or equal to 1.")
            .coded("parameter_invalid_integer")
            .about("amount"));
    }
    if amount < *least {
        let message = format!("Amount must be at least {sign}0.{least} {currency}");
        return Err(Refusal::invalid(message).coded("amount_too_small").about("amount"));
    }
    if amount > MOST {
        let message = format!("Amount must be no more than {sign}999,999.99 {currency}");
        return Err(Refusal::invalid(message).coded("amount_too_large").about("amount"));
    }
    Ok(amount)
}

fn choice(form: &Form) -> Result<(Choice, bool), Refusal> {
    let allowed = form.has("allowed_payment_method_types");
    let param = if allowed { "allowed_payment_method_types" } else { "payment_method_types" };
    if let Some(automatic) = form.parts("automatic_payment_methods") {
        only(automatic, &["allow_redirects", "enabled"])?;
        if form.has(param) {
            return Err(Refusal::invalid(format!(
                "You may only specify one of these parameters: automatic_payment_methods, {param}."
            )));
        }
        if automatic.text("enabled") == Some("true") {
            return Ok((Choice::Automatic { redirects: automatic.text("allow_redirects") != Some("never") }, false));
        }
    }
    if !form.has(param) {
        return Ok((Choice::Automatic { redirects: true }, false));
    }
    let types = form.list(param);
    if types != ["card"] {
        return Err(Refusal::invalid(format!(
            "The payment method types {types:?} are not activated on this account, which only takes card."
        ))
        .about(param));
    }
    Ok((Choice::Named(types.into_iter().map(str::to_owned).collect()), allowed))
}

/// A text; an empty one clears it.
fn optional(form: &Form, name: &str) -> Option<String> {
    form.text(name).filter(|text| !text.is_empty()).map(str::to_owned)
}
