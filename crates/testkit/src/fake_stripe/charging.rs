//! Confirmation of a payment, authentication by the card's owner, and the charge.

use std::time::Duration;

use serde_json::json;

use super::account::Account;
use super::cards::Decline;
use super::intent::{Intent, Status};
use super::refunds::Charge;
use super::refusal::Refusal;

impl Account {
    /// Charges the card, or asks for authentication first.
    pub(super) fn confirm(&mut self, id: &str, sdk: bool, now: Duration) -> Result<(), Refusal> {
        let base = self.base().to_owned();
        let behaviour = self.behaviour(id)?;
        let intent = self.intent_mut(id)?;
        intent.last_error = None;
        if !behaviour.asks {
            return self.collect(id, now);
        }
        intent.status = Status::RequiresAction;
        let url = format!("{base}/_fake/challenge/{id}");
        intent.next_action = Some(match &intent.return_url {
            Some(return_url) if !sdk => {
                json!({"type": "redirect_to_url", "redirect_to_url": {"url": url, "return_url": return_url}})
            }
            _ => {
                json!({"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": url}})
            }
        });
        let rendered = intent.render();
        self.emit("payment_intent.requires_action", &rendered, now);
        Ok(())
    }

    /// The card's owner has authenticated, or failed to. Returns where the browser goes on, if anywhere.
    pub(super) fn end_challenge(&mut self, id: &str, proven: bool, now: Duration) -> Result<Option<String>, Refusal> {
        let intent = self.intent_mut(id)?;
        if intent.status != Status::RequiresAction {
            return Err(intent.unexpected("This PaymentIntent waits for no authentication."));
        }
        intent.next_action = None;
        let mut back = intent.return_url.clone().and_then(|url| url::Url::parse(&url).ok());
        if let Some(back) = &mut back {
            back.query_pairs_mut()
                .append_pair("payment_intent", id)
                .append_pair("payment_intent_client_secret", &intent.secret)
                .append_pair("redirect_status", if proven { "succeeded" } else { "failed" });
        }
        if proven {
            // A decline is recorded in the payment; the authentication itself succeeded.
            let _ = self.collect(id, now);
        } else {
            let failure = Refusal::invalid(
                "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
            )
            .coded("payment_intent_authentication_failure");
            self.fail(id, &failure, now)?;
        }
        Ok(back.map(String::from))
    }

    /// Charges the card, immediately or after a while of processing.
    fn collect(&mut self, id: &str, now: Duration) -> Result<(), Refusal> {
        let Some(pause) = self.faults.of_payment() else { return self.charge(id, now) };
        let intent = self.intent_mut(id)?;
        intent.status = Status::Processing;
        intent.decides = Some(now + pause);
        let rendered = intent.render();
        self.emit("payment_intent.processing", &rendered, now);
        Ok(())
    }

    pub(super) fn next_decision(&self) -> Option<(Duration, String)> {
        self.intents.iter().filter_map(|intent| Some((intent.decides?, intent.id.clone()))).min()
    }

    /// The bank decides on a payment in processing.
    pub(super) fn decide(&mut self, id: &str, now: Duration) {
        if let Ok(intent) = self.intent_mut(id) {
            intent.decides = None;
        }
        // There is no caller to answer: webhooks report the result.
        let _ = self.charge(id, now);
    }

    fn charge(&mut self, id: &str, now: Duration) -> Result<(), Refusal> {
        let declines = self.behaviour(id)?.declines;
        let charge = self.id("ch");
        let intent = self.intent_mut(id)?;
        intent.charge = Some(charge.clone());
        let intent = intent.clone();
        self.charges.push(Charge {
            id: charge.clone(),
            intent: id.to_owned(),
            method: intent.method.clone().unwrap_or_default(),
            amount: intent.amount,
            currency: intent.currency.clone(),
            metadata: intent.metadata.clone(),
            created: now.as_secs(),
            declined: declines,
        });
        if let Some(decline) = declines {
            let rendered = self.rendered_charge(&charge);
            self.emit("charge.failed", &rendered, now);
            let refusal = self.declined(&intent, &charge, decline);
            self.fail(id, &refusal, now)?;
            let after = self.rendered(id)?;
            return Err(refusal.with("payment_intent", after));
        }
        self.intent_mut(id)?.status = Status::Succeeded;
        let rendered = self.rendered_charge(&charge);
        self.emit("charge.succeeded", &rendered, now);
        let rendered = self.rendered(id)?;
        self.emit("payment_intent.succeeded", &rendered, now);
        if self.behaviour(id)?.disputes {
            self.open_dispute(id, "fraudulent", now)?;
        }
        Ok(())
    }

    fn declined(&self, intent: &Intent, charge: &str, decline: Decline) -> Refusal {
        let method = intent.method.as_ref().and_then(|id| self.methods.iter().find(|known| known.id == *id));
        let mut refusal = Refusal::card(decline.code, decline.message).with("charge", json!(charge));
        if let Some(code) = decline.reason {
            refusal = refusal.with("decline_code", json!(code));
        }
        if decline.code == "incorrect_cvc" {
            refusal = refusal.about("cvc");
        }
        if decline.code == "expired_card" {
            refusal = refusal.about("exp_month");
        }
        method.map_or(refusal.clone(), |method| refusal.with("payment_method", method.render()))
    }

    /// The payment failed and needs another payment method.
    fn fail(&mut self, id: &str, failure: &Refusal, now: Duration) -> Result<(), Refusal> {
        let intent = self.intent_mut(id)?;
        intent.status = Status::RequiresPaymentMethod;
        intent.method = None;
        intent.last_error = Some(failure.error());
        let rendered = intent.render();
        self.emit("payment_intent.payment_failed", &rendered, now);
        Ok(())
    }
}
