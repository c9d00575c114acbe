//! Authentication: passwords, sessions, access tokens, Google sign-in, and stored responses that only their requester
//! can read again.
//!
//! Every secret of this crate comes from the system's randomness or is derived from the shop's own secret
//! ([`TokenKeys`]); the time comes from outside. Nothing here logs, stores a row, or knows a role.

mod entropy;
mod fair_queue;
mod keys;
mod sealed_box;

pub mod attempts;
pub mod device_cookies;
pub mod google;
pub mod google_sandbox;
pub mod one_time_codes;
pub mod passkeys;
pub mod passwords;
pub mod response_seal;
pub mod secrets;
pub mod tokens;
pub mod vins;
pub mod webhook_secrets;

#[cfg(test)]
mod test_clock;

pub use attempts::AttemptSeal;
pub use device_cookies::DeviceSigner;
pub use google::{GoogleProvider, GoogleSettings, SettingsError};
pub use google_sandbox::GoogleSandbox;
pub use keys::{ShortSecret, TokenKeys};
pub use one_time_codes::TimeBasedCodes;
pub use passkeys::{NoPasskeys, WebauthnPasskeys};
pub use passwords::{Argon2Hasher, HashingLimits};
pub use response_seal::ResponseSealer;
pub use secrets::RandomSecrets;
pub use tokens::JwtIssuer;
pub use vins::VinSealer;
pub use webhook_secrets::WebhookSecretSealer;
