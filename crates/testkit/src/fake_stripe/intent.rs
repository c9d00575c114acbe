//! A payment intent, as Stripe records and shows it (<https://docs.stripe.com/api/payment_intents/object>).

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::calls::Caller;
use super::refusal::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    Canceled,
    Succeeded,
}

impl Status {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::RequiresPaymentMethod => "requires_payment_method",
            Self::RequiresConfirmation => "requires_confirmation",
            Self::RequiresAction => "requires_action",
            Self::Processing => "processing",
            Self::Canceled => "canceled",
            Self::Succeeded => "succeeded",
        }
    }
}

/// How the payment methods are selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// By Stripe; whether redirects to another page are allowed.
    Automatic { redirects: bool },
    /// By name.
    Named(Vec<String>),
}

#[derive(Debug, Clone)]
pub(super) struct Intent {
    pub(super) id: String,
    pub(super) secret: String,
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) choice: Choice,
    /// Whether they were selected by `allowed_payment_method_types`.
    pub(super) allowed: bool,
    pub(super) metadata: Map<String, Value>,
    pub(super) description: Option<String>,
    pub(super) receipt_email: Option<String>,
    pub(super) status: Status,
    pub(super) method: Option<String>,
    pub(super) last_error: Option<Value>,
    pub(super) charge: Option<String>,
    pub(super) canceled_at: Option<u64>,
    pub(super) cancellation_reason: Option<String>,
    pub(super) created: u64,
    pub(super) next_action: Option<Value>,
    pub(super) return_url: Option<String>,
    /// When the bank decides, while it is processing.
    pub(super) decides: Option<Duration>,
}

impl Intent {
    /// With all fields, for the secret key.
    pub(super) fn render(&self) -> Value {
        let received = if self.status == Status::Succeeded { self.amount } else { 0 };
        let (automatic, types) = match &self.choice {
            Choice::Automatic { redirects } => {
                let redirects = if *redirects { "always" } else { "never" };
                (json!({"enabled": true, "allow_redirects": redirects}), json!(["card"]))
            }
            Choice::Named(types) => (Value::Null, json!(types)),
        };
        json!({
            "id": self.id,
            "object": "payment_intent",
            "allowed_payment_method_types": if self.allowed { types.clone() } else { Value::Null },
            "amount": self.amount,
            "amount_capturable": 0,
            "amount_details": {"tip": {}},
            "amount_received": received,
            "application": null,
            "application_fee_amount": null,
            "automatic_payment_methods": automatic,
            "canceled_at": self.canceled_at,
            "cancellation_reason": self.cancellation_reason,
            "capture_method": "automatic",
            "client_secret": self.secret,
            "confirmation_method": "automatic",
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "customer_account": null,
            "description": self.description,
            "excluded_payment_method_types": null,
            "last_payment_error": self.last_error,
            "latest_charge": self.charge,
            "livemode": false,
            "metadata": self.metadata,
            "next_action": self.next_action,
            "on_behalf_of": null,
            "payment_method": self.method,
            "payment_method_configuration_details": null,
            "payment_method_options": {
                "card": {"installments": null, "mandate_options": null, "network": null, "request_three_d_secure": "automatic"}
            },
            "payment_method_types": types,
            "processing": null,
            "receipt_email": self.receipt_email,
            "review": null,
            "setup_future_usage": null,
            "shipping": null,
            "statement_descriptor": null,
            "statement_descriptor_suffix": null,
            "status": self.status.word(),
            "transfer_data": null,
            "transfer_group": null,
        })
    }

    /// With the fields that the caller may see.
    pub(super) fn render_for(&self, caller: Caller) -> Value {
        const PRIVATE: [&str; 14] = [
            "amount_capturable",
            "amount_details",
            "amount_received",
            "application",
            "application_fee_amount",
            "customer",
            "latest_charge",
            "metadata",
            "on_behalf_of",
            "review",
            "statement_descriptor",
            "statement_descriptor_suffix",
            "transfer_data",
            "transfer_group",
        ];
        let mut intent = self.render();
        if let (Caller::Publishable, Some(fields)) = (caller, intent.as_object_mut()) {
            fields.retain(|name, _| !PRIVATE.contains(&name.as_str()));
        }
        intent
    }

    pub(super) fn unexpected(&self, sentence: &str) -> Refusal {
        Refusal::state(sentence, self.render())
    }
}
