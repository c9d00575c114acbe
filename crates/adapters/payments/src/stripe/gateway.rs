//! Stripe as one value.

use std::sync::Arc;

use ports::{BrowserPayments, CardFormOrigins, PaymentGateway, ProviderKind};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use super::webhook::InvalidWebhookSecret;
use super::{StripeEvents, StripePayments, StripeSetupError};

/// What Stripe.js needs (<https://docs.stripe.com/security/guide#content-security-policy>).
const ORIGINS: CardFormOrigins = CardFormOrigins {
    scripts: &["https://js.stripe.com"],
    calls: &["https://api.stripe.com"],
    frames: &["https://js.stripe.com", "https://hooks.stripe.com"],
};

/// A Stripe account. `Debug` shows no secret.
#[derive(Debug)]
pub struct StripeSettings {
    /// The key of the server.
    pub secret_key: SecretString,
    /// The key of the browser.
    pub publishable_key: String,
    /// The secret that Stripe signs its events with.
    pub webhook_secret: SecretString,
    /// The previous signing secret, while the secret is being rotated.
    pub webhook_secret_previous: Option<SecretString>,
    /// The address of its API, without a trailing slash.
    pub api_base: String,
}

/// Why there is no Stripe with these settings.
#[derive(Debug, Error)]
pub enum StripeGatewayError {
    /// The address of its API, or the secret key.
    #[error(transparent)]
    Api(#[from] StripeSetupError),
    /// A signing secret.
    #[error(transparent)]
    WebhookSecret(#[from] InvalidWebhookSecret),
}

impl StripeSettings {
    /// Stripe as the shop's payment provider.
    ///
    /// # Errors
    /// [`StripeGatewayError`] if a setting cannot work.
    pub fn gateway(self) -> Result<PaymentGateway, StripeGatewayError> {
        let payments = StripePayments::new(&self.api_base, &self.secret_key)?;
        let previous = self.webhook_secret_previous.as_ref().map(ExposeSecret::expose_secret);
        let events = StripeEvents::new(self.webhook_secret.expose_secret(), previous)?;
        Ok(PaymentGateway {
            provider: Arc::new(payments),
            browser: BrowserPayments {
                kind: ProviderKind::Stripe,
                public_key: Some(self.publishable_key),
                origins: ORIGINS,
            },
            events: Some(Arc::new(events)),
            test_cards: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> StripeSettings {
        StripeSettings {
            secret_key: "sk_test_1".into(),
            publishable_key: "pk_test_1".to_owned(),
            webhook_secret: "whsec_1".into(),
            webhook_secret_previous: None,
            api_base: "https://api.stripe.com".to_owned(),
        }
    }

    #[test]
    fn browsers_get_stripes_name_the_publishable_key_and_no_other() {
        let gateway = settings().gateway().map_err(|_| ()).unwrap();
        assert_eq!(gateway.browser.kind.as_str(), "stripe");
        assert_eq!(gateway.browser.public_key.as_deref(), Some("pk_test_1"));
        assert!(gateway.events.is_some() && gateway.test_cards.is_none());
    }

    #[test]
    fn settings_that_cannot_work_are_refused_by_what_is_wrong() {
        let no_secret = StripeSettings { webhook_secret: "".into(), ..settings() };
        assert!(matches!(no_secret.gateway(), Err(StripeGatewayError::WebhookSecret(_))));
        let no_address = StripeSettings { api_base: "nowhere".to_owned(), ..settings() };
        assert!(matches!(no_address.gateway(), Err(StripeGatewayError::Api(_))));
    }

    #[test]
    fn the_settings_show_no_secret() {
        let shown = format!("{:?}", settings());
        assert!(!shown.contains("sk_test_1") && !shown.contains("whsec_1"), "{shown}");
    }
}
