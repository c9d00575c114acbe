//! The shop's secret, and the keys that are derived from it.

use aws_lc_rs::hmac;
use secrecy::{ExposeSecret, SecretSlice};
use thiserror::Error;

/// A secret that is too short to be secure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have at least {} bytes", TokenKeys::MIN)]
pub struct ShortSecret;

/// The shop's secret and, during a rotation, the previous one: new values use the current secret, values of either are
/// still accepted. `Debug` shows neither.
#[derive(Debug, Clone)]
pub struct TokenKeys {
    current: SecretSlice<u8>,
    previous: Option<SecretSlice<u8>>,
}

/// What a derived key is for. Keys for different purposes are independent of each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    TokenKeyId,
    SignInAttempt,
    StoredResponse,
    WebhookSecret,
    Device,
    Vin,
    AppSecret,
}

impl Purpose {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::TokenKeyId => b"driveline/1/access-token/key-id",
            Self::SignInAttempt => b"driveline/1/sign-in-attempt",
            Self::StoredResponse => b"driveline/1/remembered-answer",
            Self::WebhookSecret => b"driveline/1/endpoint-secret",
            Self::Device => b"driveline/1/device",
            Self::Vin => b"driveline/1/garage-vin",
            Self::AppSecret => b"driveline/1/authenticator-app",
        }
    }
}

impl TokenKeys {
    /// Minimum length of a secret, in bytes: the length of HMAC-SHA-256's output (RFC 7518, section 3.2).
    pub const MIN: usize = 32;

    /// The current secret, and the previous one if there was one.
    ///
    /// # Errors
    /// [`ShortSecret`] if either is shorter than [`TokenKeys::MIN`].
    pub fn new(current: &[u8], previous: Option<&[u8]>) -> Result<Self, ShortSecret> {
        let keep = |secret: &[u8]| {
            if secret.len() < Self::MIN { Err(ShortSecret) } else { Ok(SecretSlice::from(secret.to_vec())) }
        };
        Ok(Self { current: keep(current)?, previous: previous.map(keep).transpose()? })
    }

    /// The secrets, the current one first.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::once(&self.current).chain(&self.previous).map(ExposeSecret::expose_secret)
    }

    /// The keys for a purpose, the current one first.
    pub(crate) fn derive(&self, purpose: Purpose) -> Derived {
        Derived(self.secrets().map(|secret| mac(secret, &[purpose.label()])).collect())
    }
}

/// Keys for one purpose, the current one first.
#[derive(Clone)]
pub(crate) struct Derived(Vec<[u8; 32]>);

impl Derived {
    pub(crate) fn current(&self) -> Option<&[u8; 32]> {
        self.0.first()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.0.iter()
    }
}

impl std::fmt::Debug for Derived {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Derived(…)")
    }
}

/// HMAC-SHA-256 (RFC 2104) over parts, each preceded by its length, so that two different lists of parts never yield
/// the same input.
pub(crate) fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key));
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let tag = context.sign();
    let mut bytes = [0; 32];
    bytes.copy_from_slice(tag.as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_at_least_thirty_two_bytes() {
        assert_eq!(TokenKeys::new(&[7; 31], None).err(), Some(ShortSecret));
        assert_eq!(TokenKeys::new(&[7; 32], Some(&[7; 31])).err(), Some(ShortSecret));
        assert!(TokenKeys::new(&[7; 32], Some(&[8; 32])).is_ok());
    }

    #[test]
    fn the_debug_output_hides_the_secrets() {
        let keys = TokenKeys::new(b"this-secret-must-not-show-anywhere", None).unwrap();
        let shown = format!("{keys:?} {:?}", keys.derive(Purpose::SignInAttempt));
        assert!(!shown.contains("must-not-show"), "{shown}");
        assert!(!shown.contains("116, 104, 105"), "{shown}");
    }

    #[test]
    fn keys_for_different_purposes_differ() {
        let keys = TokenKeys::new(&[7; 32], None).unwrap();
        assert_ne!(keys.derive(Purpose::SignInAttempt).current(), keys.derive(Purpose::StoredResponse).current());
    }

    #[test]
    fn moving_a_byte_from_one_part_to_the_next_changes_the_mac() {
        assert_ne!(mac(&[1; 32], &[b"ab", b"c"]), mac(&[1; 32], &[b"a", b"bc"]));
    }
}
