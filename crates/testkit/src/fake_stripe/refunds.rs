//! Charges and refunds.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::account::Account;
use super::cards::{Decline, RefundCourse};
use super::form::Form;
use super::methods::Method;
use super::parameters::{metadata, only, page};
use super::refusal::Refusal;

/// How long a delayed refund takes.
const LATER: Duration = Duration::from_secs(5);

#[derive(Debug, Clone)]
pub(super) struct Charge {
    pub(super) id: String,
    pub(super) intent: String,
    pub(super) method: String,
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) metadata: Map<String, Value>,
    pub(super) created: u64,
    pub(super) declined: Option<Decline>,
}

impl Charge {
    pub(super) fn render(&self, account: &Account) -> Value {
        let refunded = account.sent_back(&self.id);
        let method = account.methods.iter().find(|method| method.id == self.method);
        let card = method.map(|method| self.render_card(method));
        json!({
            "id": self.id,
            "object": "charge",
            "amount": self.amount,
            "amount_captured": if self.declined.is_some() { 0 } else { self.amount },
            "amount_refunded": refunded,
            "application": null,
            "application_fee": null,
            "application_fee_amount": null,
            "balance_transaction": null,
            "billing_details": method.map(Method::billing),
            "calculated_statement_descriptor": "DRIVELINE",
            "captured": self.declined.is_none(),
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "description": null,
            "disputed": account.is_disputed(&self.id),
            "failure_balance_transaction": null,
            "failure_code": self.declined.map(|decline| decline.code),
            "failure_message": self.declined.map(|decline| decline.message),
            "fraud_details": {},
            "livemode": false,
            "metadata": self.metadata,
            "on_behalf_of": null,
            "outcome": self.render_outcome(),
            "paid": self.declined.is_none(),
            "payment_intent": self.intent,
            "payment_method": self.method,
            "payment_method_details": {"card": card, "type": "card"},
            "receipt_email": null,
            "receipt_number": null,
            "receipt_url": null,
            "refunded": self.declined.is_none() && refunded == self.amount,
            "review": null,
            "shipping": null,
            "source_transfer": null,
            "statement_descriptor": null,
            "statement_descriptor_suffix": null,
            "status": if self.declined.is_some() { "failed" } else { "succeeded" },
            "transfer_data": null,
            "transfer_group": null,
        })
    }

    fn render_card(&self, method: &Method) -> Value {
        json!({
            "amount_authorized": self.amount,
            "authorization_code": null,
            "brand": method.card.brand(),
            "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass"},
            "country": "US",
            "exp_month": method.card.exp_month,
            "exp_year": method.card.exp_year,
            "extended_authorization": {"status": "disabled"},
            "funding": "credit",
            "incremental_authorization": {"status": "unavailable"},
            "installments": null,
            "last4": method.card.last4(),
            "mandate": null,
            "multicapture": {"status": "unavailable"},
            "network": method.card.brand(),
            "overcapture": {"maximum_amount_capturable": self.amount, "status": "unavailable"},
            "three_d_secure": null,
            "wallet": null,
        })
    }

    /// What the card's bank said.
    fn render_outcome(&self) -> Value {
        match self.declined {
            None => json!({
                "advice_code": null, "network_advice_code": null, "network_decline_code": null,
                "network_status": "approved_by_network", "reason": null, "risk_level": "normal",
                "seller_message": "Payment complete.", "type": "authorized",
            }),
            Some(decline) => json!({
                "advice_code": null, "network_advice_code": null, "network_decline_code": null,
                "network_status": "declined_by_network", "reason": decline.reason.unwrap_or(decline.code),
                "risk_level": "normal", "seller_message": "The bank did not return any further details with this decline.",
                "type": "issuer_declined",
            }),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Refund {
    pub(super) id: String,
    charge: String,
    pub(super) intent: String,
    pub(super) amount: i64,
    currency: String,
    reason: Option<String>,
    metadata: Map<String, Value>,
    created: u64,
    status: &'static str,
    /// When it ends, and with which status.
    ends: Option<(Duration, &'static str)>,
}

impl Refund {
    /// Whether it succeeded or is pending.
    pub(super) fn stands(&self) -> bool {
        !matches!(self.status, "failed" | "canceled")
    }

    pub(super) fn render(&self) -> Value {
        json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": null,
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "destination_details": {
                "card": {"reference_status": "pending", "reference_type": "acquirer_reference_number", "type": "refund"},
                "type": "card"
            },
            "failure_reason": if self.status == "failed" { json!("expired_or_canceled_card") } else { Value::Null },
            "metadata": self.metadata,
            "payment_intent": self.intent,
            "reason": self.reason,
            "receipt_number": null,
            "source_transfer_reversal": null,
            "status": self.status,
            "transfer_reversal": null,
        })
    }
}

impl Account {
    pub(super) fn retrieve_charge(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        self.charges
            .iter()
            .find(|charge| charge.id == id)
            .map(|charge| charge.render(self))
            .ok_or_else(|| Refusal::no_such("charge", id, "id"))
    }

    pub(super) fn rendered_charge(&self, id: &str) -> Value {
        self.charges.iter().find(|charge| charge.id == id).map_or(Value::Null, |charge| charge.render(self))
    }

    /// The refunded amount of a charge, including pending refunds.
    fn sent_back(&self, charge: &str) -> i64 {
        self.refunds
            .iter()
            .filter(|refund| refund.charge == charge && refund.stands())
            .map(|refund| refund.amount)
            .sum()
    }

    pub(super) fn create_refund(&mut self, form: &Form, now: Duration) -> Result<Value, Refusal> {
        const REASONS: [&str; 3] = ["duplicate", "fraudulent", "requested_by_customer"];
        only(form, &["amount", "charge", "expand", "metadata", "payment_intent", "reason"])?;
        let charge = self.charge_to_refund(form)?;
        let reason = form.text("reason").map(str::to_owned);
        if reason.as_ref().is_some_and(|reason| !REASONS.contains(&reason.as_str())) {
            return Err(
                Refusal::invalid(format!("Invalid reason: must be one of {}", REASONS.join(", "))).about("reason")
            );
        }
        let metadata = metadata(form, &Map::new())?;
        let amount = self.amount_to_refund(form, &charge)?;
        let course = self.card_of(&charge.method).map(|card| card.behaviour().refund);
        let (status, ends) = match course {
            Some(RefundCourse::Later) => ("pending", Some((now + LATER, "succeeded"))),
            Some(RefundCourse::ComesBack) => ("succeeded", Some((now + LATER, "failed"))),
            Some(RefundCourse::AtOnce) | None => ("succeeded", None),
        };
        let id = self.id("re");
        let refund = Refund {
            id,
            charge: charge.id.clone(),
            intent: charge.intent.clone(),
            amount,
            currency: charge.currency.clone(),
            reason,
            metadata,
            created: now.as_secs(),
            status,
            ends,
        };
        let rendered = refund.render();
        self.refunds.push(refund);
        self.emit("refund.created", &rendered, now);
        let charge = self.rendered_charge(&charge.id);
        self.emit("charge.refunded", &charge, now);
        Ok(rendered)
    }

    /// The charge that a refund is asked for, named by itself or by its payment.
    fn charge_to_refund(&self, form: &Form) -> Result<Charge, Refusal> {
        let charge = match (form.text("charge"), form.text("payment_intent")) {
            (Some(charge), None) => charge.to_owned(),
            (None, Some(intent)) => {
                let charge = self.intent(intent)?.charge.clone();
                charge
                    .filter(|id| self.charges.iter().any(|charge| charge.id == *id && charge.declined.is_none()))
                    .ok_or_else(|| {
                        Refusal::invalid(format!(
                            "This PaymentIntent ({intent}) does not have a successful charge to refund."
                        ))
                        .begun()
                    })?
            }
            _ => return Err(Refusal::invalid("Exactly one of these parameters is required: charge, payment_intent.")),
        };
        let charge = self
            .charges
            .iter()
            .find(|known| known.id == charge)
            .cloned()
            .ok_or_else(|| Refusal::no_such("charge", &charge, "charge"))?;
        if charge.declined.is_some() {
            let message = format!("Charge {} is not refundable: it failed.", charge.id);
            return Err(Refusal::invalid(message).about("charge").begun());
        }
        Ok(charge)
    }

    /// The amount that a refund of the charge may have now.
    fn amount_to_refund(&self, form: &Form, charge: &Charge) -> Result<i64, Refusal> {
        let left = charge.amount - self.sent_back(&charge.id);
        let amount = match form.text("amount").map(str::parse::<i64>) {
            None => left,
            Some(Ok(amount)) if amount > 0 => amount,
            Some(_) => {
                return Err(Refusal::invalid("Invalid positive integer")
                    .coded("parameter_invalid_integer")
                    .about("amount"));
            }
        };
        if left == 0 {
            let message = format!("Charge {} has already been refunded.", charge.id);
            return Err(Refusal::invalid(message).coded("charge_already_refunded").begun());
        }
        if amount > left {
            let message = format!(
                "Refund amount ({}) is greater than unrefunded amount on charge ({})",
                dollars(amount),
                dollars(left)
            );
            return Err(Refusal::invalid(message).about("amount").begun());
        }
        if self.disputes.iter().any(|dispute| dispute.charge == charge.id && dispute.stands()) {
            let message = format!("Charge {} has been charged back; cannot issue a refund.", charge.id);
            return Err(Refusal::invalid(message).coded("charge_disputed").begun());
        }
        if self.balance_is_empty {
            let message = "You have insufficient funds in your Stripe account to refund this amount.";
            return Err(Refusal::invalid(message).coded("insufficient_funds").begun());
        }
        Ok(amount)
    }

    pub(super) fn retrieve_refund(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        let found = self.refunds.iter().find(|refund| refund.id == id);
        found.map(Refund::render).ok_or_else(|| Refusal::no_such("refund", id, "id"))
    }

    pub(super) fn list_refunds(&self, form: &Form) -> Result<Value, Refusal> {
        only(form, &["charge", "ending_before", "expand", "limit", "payment_intent", "starting_after"])?;
        let chosen = |refund: &&Refund| {
            form.text("payment_intent").is_none_or(|intent| refund.intent == intent)
                && form.text("charge").is_none_or(|charge| refund.charge == charge)
        };
        page(form, "/v1/refunds", &self.refunds.iter().rev().filter(chosen).map(Refund::render).collect::<Vec<_>>())
    }

    pub(super) fn next_refund(&self) -> Option<(Duration, String)> {
        self.refunds.iter().filter_map(|refund| Some((refund.ends?.0, refund.id.clone()))).min()
    }

    pub(super) fn finish_refund(&mut self, id: &str, now: Duration) {
        let Some(refund) = self.refunds.iter_mut().find(|refund| refund.id == id) else { return };
        let Some((_, status)) = refund.ends.take() else { return };
        refund.status = status;
        let rendered = refund.render();
        self.emit(if status == "failed" { "refund.failed" } else { "refund.updated" }, &rendered, now);
        self.emit("charge.refund.updated", &rendered, now);
    }
}

fn dollars(cents: i64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
