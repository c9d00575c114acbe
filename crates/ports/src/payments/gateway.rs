//! A payment provider as one value: all that the shop is given of it.

use std::sync::Arc;

use super::events::ProviderEvents;
use super::provider::{PaymentProvider, TestCardEndpoint};

/// The payment providers that the shop can work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderKind {
    /// The shop's own, where no money moves.
    Sandbox,
    /// Stripe.
    Stripe,
}

impl ProviderKind {
    /// Every provider.
    pub const ALL: [Self; 2] = [Self::Sandbox, Self::Stripe];

    /// Its name on the wire and in addresses, such as `/webhooks/stripe`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Stripe => "stripe",
        }
    }
}

/// What a browser needs to pay with a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserPayments {
    /// Which provider it is, and so which card form.
    pub kind: ProviderKind,
    /// The key by which the provider's script knows the shop; `None` if it needs none. Not a secret.
    pub public_key: Option<String>,
    /// The origins that the card form uses besides the shop's own.
    pub origins: CardFormOrigins,
}

/// Origins that a card form uses besides the shop's own, such as `https://js.stripe.com`. A page may use no others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CardFormOrigins {
    /// Where scripts are loaded from.
    pub scripts: &'static [&'static str],
    /// Where calls go to.
    pub calls: &'static [&'static str],
    /// What is shown in frames.
    pub frames: &'static [&'static str],
}

/// A payment provider, whole. Its adapter makes one; nothing else in the shop names a provider.
#[derive(Clone)]
pub struct PaymentGateway {
    /// Moves the money.
    pub provider: Arc<dyn PaymentProvider>,
    /// What browsers are given.
    pub browser: BrowserPayments,
    /// Verifies the events that it sends; `None` if it sends none.
    pub events: Option<Arc<dyn ProviderEvents>>,
    /// Accepts test cards; `None` with a real provider.
    pub test_cards: Option<Arc<dyn TestCardEndpoint>>,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_provider_has_a_name_of_its_own_that_fits_an_address() {
        let names: HashSet<&str> = ProviderKind::ALL.map(ProviderKind::as_str).into();
        assert_eq!(names.len(), ProviderKind::ALL.len());
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())), "{names:?}");
    }
}
