//! Disputes (<https://docs.stripe.com/api/disputes>).

use std::time::Duration;

use serde_json::{Value, json};

use super::account::Account;
use super::form::Form;
use super::parameters::{only, page};
use super::refusal::Refusal;

#[derive(Debug, Clone)]
pub(super) struct Dispute {
    pub(super) id: String,
    pub(super) charge: String,
    pub(super) intent: String,
    pub(super) amount: i64,
    currency: String,
    reason: String,
    status: &'static str,
    created: u64,
}

impl Dispute {
    /// Whether the money is lost, or may still be.
    pub(super) fn stands(&self) -> bool {
        self.status != "won"
    }

    pub(super) fn render(&self) -> Value {
        json!({
            "id": self.id,
            "object": "dispute",
            "amount": self.amount,
            "balance_transactions": [],
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "enhanced_eligibility_types": [],
            "evidence": {},
            "evidence_details": {"due_by": null, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false, "submission_count": 0},
            "is_charge_refundable": false,
            "livemode": false,
            "metadata": {},
            "payment_intent": self.intent,
            "reason": self.reason,
            "status": self.status,
        })
    }
}

impl Account {
    /// The disputes that are still open.
    pub fn open_disputes(&self) -> impl Iterator<Item = &str> {
        self.disputes.iter().filter(|dispute| dispute.status == "needs_response").map(|dispute| dispute.id.as_str())
    }

    pub(super) fn is_disputed(&self, charge: &str) -> bool {
        self.disputes.iter().any(|dispute| dispute.charge == charge)
    }

    /// The owner of the card that made a payment disputes it.
    pub(super) fn open_dispute(&mut self, intent: &str, reason: &str, now: Duration) -> Result<Value, Refusal> {
        let charge = self.intent(intent)?.charge.clone();
        let charge = charge
            .and_then(|id| self.charges.iter().find(|charge| charge.id == id && charge.declined.is_none()).cloned())
            .ok_or_else(|| Refusal::invalid("This PaymentIntent does not have a successful charge to dispute."))?;
        if self.disputes.iter().any(|dispute| dispute.charge == charge.id) {
            return Err(Refusal::invalid("This charge is disputed already."));
        }
        let dispute = Dispute {
            id: self.id("dp"),
            charge: charge.id.clone(),
            intent: intent.to_owned(),
            amount: charge.amount,
            currency: charge.currency.clone(),
            reason: if reason.is_empty() { "fraudulent" } else { reason }.to_owned(),
            status: "needs_response",
            created: now.as_secs(),
        };
        let rendered = dispute.render();
        self.disputes.push(dispute);
        self.emit("charge.dispute.created", &rendered, now);
        Ok(rendered)
    }

    /// The bank closes the dispute.
    pub(super) fn close_dispute(&mut self, id: &str, won: bool, now: Duration) -> Result<Value, Refusal> {
        let found = self.disputes.iter_mut().find(|dispute| dispute.id == id);
        let dispute = found.ok_or_else(|| Refusal::no_such("dispute", id, "id"))?;
        if dispute.status != "needs_response" {
            return Err(Refusal::invalid("This dispute is closed."));
        }
        dispute.status = if won { "won" } else { "lost" };
        let rendered = dispute.render();
        self.emit("charge.dispute.closed", &rendered, now);
        Ok(rendered)
    }

    pub(super) fn retrieve_dispute(&self, id: &str, form: &Form) -> Result<Value, Refusal> {
        only(form, &["expand"])?;
        let found = self.disputes.iter().find(|dispute| dispute.id == id);
        found.map(Dispute::render).ok_or_else(|| Refusal::no_such("dispute", id, "id"))
    }

    pub(super) fn list_disputes(&self, form: &Form) -> Result<Value, Refusal> {
        only(form, &["charge", "ending_before", "expand", "limit", "payment_intent", "starting_after"])?;
        let chosen = |dispute: &&Dispute| {
            form.text("payment_intent").is_none_or(|intent| dispute.intent == intent)
                && form.text("charge").is_none_or(|charge| dispute.charge == charge)
        };
        page(form, "/v1/disputes", &self.disputes.iter().rev().filter(chosen).map(Dispute::render).collect::<Vec<_>>())
    }
}
