//! Passkeys: the `WebAuthn` ceremonies (W3C Web Authentication, Level 3), by `webauthn-rs`.

use domain::{AccountId, Email};
use ports::{MadePasskey, PasskeyChallenge, PasskeyCredential, PasskeyRefused, Passkeys};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use url::{Host, Url};
use webauthn_rs::prelude::{
    Passkey, PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// How the shop is called in the browser's dialog.
const SHOP: &str = "Driveline";

/// The shop's address is not one that passkeys can be for.
#[derive(Debug, Error)]
pub enum NoPasskeys {
    /// The host is a number, or there is none; a passkey is for a name.
    #[error("{0} has no host name")]
    NoName(String),
    /// The library refused it.
    #[error("{url}: {reason}")]
    Refused {
        /// The address.
        url: String,
        /// Why.
        reason: String,
    },
}

/// The ceremonies for one address of the shop. Every signature has to show that the user was verified, by a finger, a face or
/// a PIN.
pub struct WebauthnPasskeys {
    webauthn: Webauthn,
    host: String,
}

impl WebauthnPasskeys {
    /// For the shop at this address, as browsers call it.
    ///
    /// # Errors
    /// [`NoPasskeys`].
    pub fn new(public_url: &str) -> Result<Self, NoPasskeys> {
        let refused = |reason: String| NoPasskeys::Refused { url: public_url.to_owned(), reason };
        let origin = Url::parse(public_url).map_err(|error| refused(error.to_string()))?;
        let Some(Host::Domain(host)) = origin.host() else {
            return Err(NoPasskeys::NoName(public_url.to_owned()));
        };
        let webauthn = WebauthnBuilder::new(host, &origin).and_then(|builder| builder.rp_name(SHOP).build());
        let webauthn = webauthn.map_err(|error| refused(error.to_string()))?;
        Ok(Self { webauthn, host: host.to_owned() })
    }
}

impl Passkeys for WebauthnPasskeys {
    fn host(&self) -> String {
        self.host.clone()
    }

    fn begin_adding(
        &self,
        account: AccountId,
        email: &Email,
        has: &[PasskeyCredential],
    ) -> Result<PasskeyChallenge, PasskeyRefused> {
        let has = parse_all(has)?.iter().map(|passkey| passkey.cred_id().clone()).collect();
        let (options, state) = self
            .webauthn
            .start_passkey_registration(account.uuid(), email.as_str(), email.as_str(), Some(has))
            .map_err(|error| noted(&error))?;
        challenge(&options, &state)
    }

    fn finish_adding(&self, state: &[u8], answer: &str) -> Result<MadePasskey, PasskeyRefused> {
        let state: PasskeyRegistration = parse(state)?;
        let answer: RegisterPublicKeyCredential = parse(answer.as_bytes())?;
        let made = self.webauthn.finish_passkey_registration(&answer, &state).map_err(|error| noted(&error))?;
        Ok(MadePasskey { credential_id: made.cred_id().clone(), credential: written(&made)? })
    }

    fn begin_proving(&self, has: &[PasskeyCredential]) -> Result<PasskeyChallenge, PasskeyRefused> {
        let (options, state) =
            self.webauthn.start_passkey_authentication(&parse_all(has)?).map_err(|error| noted(&error))?;
        challenge(&options, &state)
    }

    fn finish_proving(
        &self,
        state: &[u8],
        answer: &str,
        has: &[PasskeyCredential],
    ) -> Result<(usize, PasskeyCredential), PasskeyRefused> {
        let state: PasskeyAuthentication = parse(state)?;
        let answer: PublicKeyCredential = parse(answer.as_bytes())?;
        let signed = self.webauthn.finish_passkey_authentication(&answer, &state).map_err(|error| noted(&error))?;
        // The policy asks for it and the library checks it; nothing else here would notice if it no longer did.
        if !signed.user_verified() {
            return Err(PasskeyRefused);
        }
        let mut has = parse_all(has)?;
        let which = has.iter().position(|passkey| passkey.cred_id() == signed.cred_id()).ok_or(PasskeyRefused)?;
        let passkey = has.get_mut(which).ok_or(PasskeyRefused)?;
        passkey.update_credential(&signed);
        Ok((which, written(passkey)?))
    }
}

/// A refusal's reason is for the operator: it tells a forger what to change.
fn noted(error: &impl std::fmt::Display) -> PasskeyRefused {
    tracing::debug!(%error, "a passkey was not accepted");
    PasskeyRefused
}

fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, PasskeyRefused> {
    serde_json::from_slice(json).map_err(|error| noted(&error))
}

fn parse_all(credentials: &[PasskeyCredential]) -> Result<Vec<Passkey>, PasskeyRefused> {
    credentials.iter().map(|credential| parse(credential.0.as_bytes())).collect()
}

fn written(passkey: &Passkey) -> Result<PasskeyCredential, PasskeyRefused> {
    serde_json::to_string(passkey).map(PasskeyCredential).map_err(|error| noted(&error))
}

fn challenge(options: &impl Serialize, state: &impl Serialize) -> Result<PasskeyChallenge, PasskeyRefused> {
    let options = serde_json::to_string(options).map_err(|error| noted(&error))?;
    let state = serde_json::to_vec(state).map_err(|error| noted(&error))?;
    Ok(PasskeyChallenge { options, state })
}

#[cfg(test)]
mod tests;
