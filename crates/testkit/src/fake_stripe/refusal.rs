//! Stripe's errors (<https://docs.stripe.com/api/errors>).

use serde_json::{Map, Value, json};

/// An error response.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub(super) status: u16,
    kind: &'static str,
    code: Option<&'static str>,
    message: String,
    more: Map<String, Value>,
    /// Whether the work had begun, so that the error is stored under the idempotency key.
    pub(super) begun: bool,
}

impl Refusal {
    fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, code: None, message: message.into(), more: Map::new(), begun: false }
    }

    /// The request itself is invalid.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    pub(super) fn missing(param: &str) -> Self {
        Self::invalid(format!("Missing required param: {param}.")).coded("parameter_missing").about(param)
    }

    pub(super) fn unknown(param: &str) -> Self {
        Self::invalid(format!("Received unknown parameter: {param}")).coded("parameter_unknown").about(param)
    }

    pub(super) fn no_such(what: &str, id: &str, param: &str) -> Self {
        Self::invalid(format!("No such {what}: '{id}'")).of_status(404).coded("resource_missing").about(param)
    }

    /// The call does not fit the payment's status.
    pub(super) fn state(message: impl Into<String>, intent: Value) -> Self {
        Self::invalid(message).coded("payment_intent_unexpected_state").with("payment_intent", intent).begun()
    }

    pub(super) fn unauthorized(message: impl Into<String>) -> Self {
        Self::invalid(message).of_status(401)
    }

    /// An error of the card, not of the request.
    pub(super) fn card(code: &'static str, message: &str) -> Self {
        Self::new(402, "card_error", message).coded(code).begun()
    }

    pub(super) fn idempotency(message: impl Into<String>) -> Self {
        Self::new(400, "idempotency_error", message)
    }

    pub(super) fn busy(key: &str) -> Self {
        Self::new(
            409,
            "invalid_request_error",
            format!("There is currently another in-progress request using this Idempotent Key: {key}. Please try again later."),
        )
        .coded("idempotency_key_in_use")
    }

    pub(super) fn too_many() -> Self {
        Self::new(429, "invalid_request_error", "Request rate limit exceeded.").coded("rate_limit")
    }

    /// An internal error of Stripe.
    pub(super) fn server(status: u16) -> Self {
        Self::new(status, "api_error", "An unknown error occurred.").begun()
    }

    pub(super) fn coded(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    pub(super) fn about(self, param: &str) -> Self {
        self.with("param", json!(param))
    }

    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    pub(super) fn of_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(super) fn begun(self) -> Self {
        Self { begun: true, ..self }
    }

    /// The error object, as it also appears in a payment's `last_payment_error`.
    pub(super) fn error(&self) -> Value {
        let mut error = self.more.clone();
        error.insert("type".to_owned(), json!(self.kind));
        error.insert("message".to_owned(), json!(self.message));
        if let Some(code) = self.code {
            error.insert("code".to_owned(), json!(code));
            error.insert(
                "doc_url".to_owned(),
                json!(format!("https://stripe.com/docs/error-codes/{}", code.replace('_', "-"))),
            );
        }
        Value::Object(error)
    }
}
