//! The settings of a Stripe account.

use payments::StripeSettings;
use secrecy::ExposeSecret;

use super::reader::{EnvReader, has_more_than, is_web};

/// Stripe's own address, and the only one that a live key may be sent to.
const STRIPE: &str = "https://api.stripe.com";

impl EnvReader<'_> {
    pub(super) fn stripe(&mut self, public_url: Option<&str>) -> Option<StripeSettings> {
        let secret_key = self.secret("STRIPE_SECRET_KEY");
        let publishable_key = self.text("STRIPE_PUBLISHABLE_KEY");
        let webhook_secret = self.secret("STRIPE_WEBHOOK_SECRET");
        let api_base = self.parsed("STRIPE_API_BASE", "an http(s) address", |typed| {
            is_web(typed).then(|| typed.trim_end_matches('/').to_owned())
        });
        let api_base = api_base.unwrap_or_else(|| STRIPE.to_owned());

        let secret_mode = secret_key.as_ref().and_then(|key| Mode::of(key.expose_secret(), &["sk", "rk"]));
        let public_mode = publishable_key.as_deref().and_then(|key| Mode::of(key, &["pk"]));
        match (&secret_key, secret_mode) {
            (None, _) => self.missing("STRIPE_SECRET_KEY", "the secret key of a Stripe account, sk_… or rk_…"),
            (Some(_), None) => {
                self.complain("STRIPE_SECRET_KEY does not begin with sk_test_, sk_live_, rk_test_ or rk_live_");
            }
            (Some(_), Some(Mode::Live)) => {
                if api_base != STRIPE {
                    self.complain(format!(
                        "STRIPE_SECRET_KEY is a live key, and STRIPE_API_BASE would send it to {api_base}"
                    ));
                }
                if public_url.is_some_and(|url| !url.starts_with("https://")) {
                    self.complain("STRIPE_SECRET_KEY is a live key, and PUBLIC_URL is not https");
                }
            }
            (Some(_), Some(Mode::Test)) => {}
        }
        match (&publishable_key, public_mode) {
            (None, _) => self.missing("STRIPE_PUBLISHABLE_KEY", "the publishable key of the same Stripe account, pk_…"),
            (Some(_), None) => self.complain("STRIPE_PUBLISHABLE_KEY does not begin with pk_test_ or pk_live_"),
            (Some(_), Some(_)) => {}
        }
        if let (Some(secret), Some(public)) = (secret_mode, public_mode)
            && secret != public
        {
            self.complain(format!("STRIPE_SECRET_KEY is a {secret} key, and STRIPE_PUBLISHABLE_KEY a {public} one"));
        }
        let webhook_secret_previous = self.secret("STRIPE_WEBHOOK_SECRET_PREVIOUS");
        if webhook_secret_previous.as_ref().is_some_and(|secret| !has_more_than(secret.expose_secret(), "whsec_")) {
            self.complain("STRIPE_WEBHOOK_SECRET_PREVIOUS does not begin with whsec_");
        }
        match &webhook_secret {
            None => self.missing("STRIPE_WEBHOOK_SECRET", "the signing secret of the webhook endpoint, whsec_…"),
            Some(secret) if !has_more_than(secret.expose_secret(), "whsec_") => {
                self.complain("STRIPE_WEBHOOK_SECRET does not begin with whsec_");
            }
            Some(_) => {}
        }
        Some(StripeSettings {
            secret_key: secret_key?,
            publishable_key: publishable_key?,
            webhook_secret: webhook_secret?,
            webhook_secret_previous,
            api_base,
        })
    }
}

/// Whether a key moves real money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Test,
    Live,
}

impl Mode {
    /// The mode of a Stripe key, which is part of the key.
    fn of(key: &str, kinds: &[&str]) -> Option<Self> {
        kinds.iter().find_map(|kind| {
            [("test", Self::Test), ("live", Self::Live)]
                .into_iter()
                .find_map(|(mode, found)| has_more_than(key, &format!("{kind}_{mode}_")).then_some(found))
        })
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Test => "test",
            Self::Live => "live",
        })
    }
}
