//! The keys that tokens are signed with, and what admins sign in with.

use std::collections::HashSet;

use domain::SecondFactorPolicy;
use identity::TokenKeys;
use secrecy::ExposeSecret;

use super::reader::EnvReader;

/// The least entropy of a token secret in bits, by a crude estimate.
const SECRET_BITS: f64 = 128.0;

/// Whether the program requires a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
}

impl EnvReader<'_> {
    /// Whether admins need a second factor.
    pub(super) fn admin_second_factor(&mut self, unless_set: SecondFactorPolicy) -> SecondFactorPolicy {
        let set = self.parsed("ADMIN_SECOND_FACTOR", "required or optional", |typed| match typed {
            "required" => Some(SecondFactorPolicy::Required),
            "optional" => Some(SecondFactorPolicy::Optional),
            _ => None,
        });
        set.unwrap_or(unless_set)
    }

    pub(super) fn token_keys(&mut self, need: Need) -> Option<TokenKeys> {
        const WANTED: &str = "at least 32 random bytes, for example from `openssl rand -base64 48`";
        let current = self.secret("TOKEN_SECRET");
        let previous = self.secret("TOKEN_SECRET_PREVIOUS");
        let Some(current) = current else {
            if previous.is_some() {
                self.complain("TOKEN_SECRET_PREVIOUS is set, and TOKEN_SECRET is not");
            } else if need == Need::Required {
                self.missing("TOKEN_SECRET", WANTED);
            }
            return None;
        };
        let mut sound = true;
        for (name, secret) in [("TOKEN_SECRET", Some(&current)), ("TOKEN_SECRET_PREVIOUS", previous.as_ref())] {
            let length = secret.map_or(TokenKeys::MIN, |secret| secret.expose_secret().len());
            if length < TokenKeys::MIN {
                self.complain(format!(
                    "{name} is too short: {length} bytes, and at least {} are needed",
                    TokenKeys::MIN
                ));
                sound = false;
            }
        }
        // A weak one is accepted as the previous secret, so that it can be replaced.
        if sound && need == Need::Required && bits(current.expose_secret()) < SECRET_BITS {
            self.complain(format!("TOKEN_SECRET is too easy to guess: it has to be {WANTED}"));
            sound = false;
        }
        let previous = previous.as_ref().map(|secret| secret.expose_secret().as_bytes());
        if previous == Some(current.expose_secret().as_bytes()) {
            self.complain("TOKEN_SECRET_PREVIOUS is the same as TOKEN_SECRET");
            sound = false;
        }
        if sound { TokenKeys::new(current.expose_secret().as_bytes(), previous).ok() } else { None }
    }
}

/// The most bits of entropy that a secret can have, by a crude estimate: what a text of these kinds of characters could
/// hold, or of so few different ones.
fn bits(secret: &str) -> f64 {
    const FEW: usize = 8;
    let different = secret.bytes().collect::<HashSet<_>>().len();
    let has = |kind: fn(&u8) -> bool| secret.bytes().any(|byte| kind(&byte));
    let of_kinds: usize = [
        if has(u8::is_ascii_digit) { 10 } else { 0 },
        if has(u8::is_ascii_lowercase) { 26 } else { 0 },
        if has(u8::is_ascii_uppercase) { 26 } else { 0 },
        if has(|byte| !byte.is_ascii_alphanumeric()) { 32 } else { 0 },
    ]
    .iter()
    .sum();
    let choices = if different < FEW { different } else { of_kinds };
    let (choices, length) = (u32::try_from(choices.max(1)), u32::try_from(secret.len()));
    f64::from(length.unwrap_or(u32::MAX)) * f64::from(choices.unwrap_or(u32::MAX)).log2()
}
