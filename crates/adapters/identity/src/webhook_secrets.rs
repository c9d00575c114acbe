//! Signing secrets of webhook subscriptions: shown to their owner once, and stored encrypted, because the shop needs
//! them again for every delivery.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::WebhookSubscriptionId;
use ports::{OpenedSecret, SealedSecret, WebhookSecret, WebhookSecrets};

use crate::keys::{Derived, Purpose};
use crate::{TokenKeys, entropy, sealed_box};

/// The prefix of a symmetric secret in Standard Webhooks.
const PREFIX: &str = "whsec_";

/// Seals webhook secrets with AES-256-GCM, each bound to its subscription, under a key that is derived from the shop's
/// secret.
#[derive(Debug, Clone)]
pub struct WebhookSecretSealer {
    keys: Derived,
}

impl WebhookSecretSealer {
    /// A sealer under the shop's secret; the previous secret still opens.
    #[must_use]
    pub fn new(keys: &TokenKeys) -> Self {
        Self { keys: keys.derive(Purpose::WebhookSecret) }
    }
}

impl WebhookSecrets for WebhookSecretSealer {
    fn fresh(&self) -> WebhookSecret {
        WebhookSecret::new(format!("{PREFIX}{}", STANDARD.encode(entropy::bytes::<32>())))
    }

    fn seal(&self, subscription: WebhookSubscriptionId, secret: &WebhookSecret) -> Option<SealedSecret> {
        let plain = secret.expose().as_bytes().to_vec();
        sealed_box::seal(self.keys.current()?, subscription.uuid().as_bytes(), plain).map(SealedSecret)
    }

    fn open(&self, subscription: WebhookSubscriptionId, sealed: &SealedSecret) -> Option<OpenedSecret> {
        self.keys.all().enumerate().find_map(|(age, key)| {
            let plain = sealed_box::open(key, subscription.uuid().as_bytes(), &sealed.0)?;
            Some(OpenedSecret {
                secret: WebhookSecret::new(String::from_utf8(plain).ok()?),
                under_previous_secret: age > 0,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const ENDPOINT: WebhookSubscriptionId = WebhookSubscriptionId::new(Uuid::from_u128(7));

    fn sealer(current: u8, previous: Option<u8>) -> WebhookSecretSealer {
        let previous = previous.map(|byte| [byte; 32]);
        WebhookSecretSealer::new(&TokenKeys::new(&[current; 32], previous.as_ref().map(|p| &p[..])).unwrap())
    }

    #[test]
    fn a_secret_has_its_prefix_and_thirty_two_bytes_that_never_repeat() {
        let (first, second) = (sealer(1, None).fresh(), sealer(1, None).fresh());
        assert_ne!(first, second);
        let bytes = STANDARD.decode(first.expose().strip_prefix("whsec_").unwrap()).unwrap();
        assert_eq!(bytes.len(), 32);
        assert!(!format!("{first:?}").contains(first.expose()));
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_subscription_and_its_shop() {
        let secret = sealer(1, None).fresh();
        let sealed = sealer(1, None).seal(ENDPOINT, &secret).unwrap();
        let opened = sealer(1, None).open(ENDPOINT, &sealed).unwrap();
        assert_eq!(opened, OpenedSecret { secret, under_previous_secret: false });
        assert_eq!(sealer(1, None).open(WebhookSubscriptionId::new(Uuid::from_u128(8)), &sealed), None);
        assert_eq!(sealer(2, None).open(ENDPOINT, &sealed), None);
    }

    #[test]
    fn a_secret_sealed_under_the_previous_key_opens_and_is_reported_as_stale() {
        let secret = sealer(1, None).fresh();
        let sealed = sealer(1, None).seal(ENDPOINT, &secret).unwrap();
        assert!(sealer(2, Some(1)).open(ENDPOINT, &sealed).unwrap().under_previous_secret);
        let again = sealer(2, Some(1)).seal(ENDPOINT, &secret).unwrap();
        assert!(!sealer(2, Some(1)).open(ENDPOINT, &again).unwrap().under_previous_secret);
        assert_eq!(sealer(2, None).open(ENDPOINT, &again).unwrap().secret, secret);
    }
}
