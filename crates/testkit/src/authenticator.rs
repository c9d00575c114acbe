//! What a user proves themselves with: an authenticator in software, which makes passkeys and signs with them as a browser would
//! answer a page (W3C Web Authentication, Level 3; P-256, attestation `none`), and the codes of an app.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use aws_lc_rs::{digest, hmac, rand};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// User present.
const PRESENT: u8 = 0x01;
/// User verified.
const VERIFIED: u8 = 0x04;
/// Attested credential data follows.
const ATTESTED: u8 = 0x40;

/// A passkey, and the browser that it is in.
pub struct SoftwarePasskey {
    key: EcdsaKeyPair,
    id: [u8; 32],
    /// The page's origin, as the browser sees it.
    origin: String,
    host: String,
    /// How many signatures were made.
    pub counter: u32,
    /// Whether it verifies its user: a finger, a face or a PIN.
    pub verifies: bool,
}

impl SoftwarePasskey {
    /// A new passkey in a browser that is on a page of this origin, such as `https://shop.example`.
    ///
    /// # Panics
    /// Without randomness.
    #[must_use]
    pub fn at(origin: &str) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("WebAuthn");
        let mut id = [0; 32];
        rand::fill(&mut id).expect("WebAuthn");
        let host = origin.split("://").nth(1).expect("WebAuthn").split(':').next().expect("WebAuthn").to_owned();
        Self { key, id, origin: origin.to_owned(), host, counter: 0, verifies: true }
    }

    /// Answers the options of `navigator.credentials.create`.
    ///
    /// # Panics
    /// If they are not what `WebAuthn` says.
    #[must_use]
    pub fn create(&self, options: &Value) -> Value {
        let client_data =
            self.client_data("webauthn.create", options["publicKey"]["challenge"].as_str().expect("WebAuthn"));
        let public = self.key.public_key().as_ref();
        let (x, y) = (&public[1..33], &public[33..65]);
        let mut data = self.authenticator_data(ATTESTED);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).expect("WebAuthn").to_be_bytes());
        data.extend(self.id);
        // COSE (RFC 9052): {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(x);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(y);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt\x64none\x67attStmt\xa0\x68authData\x59");
        object.extend(u16::try_from(data.len()).expect("WebAuthn").to_be_bytes());
        object.extend(&data);
        self.credential(&json!({
            "attestationObject": encoded(&object),
            "clientDataJSON": encoded(&client_data),
            "transports": ["internal"],
        }))
    }

    /// Answers the options of `navigator.credentials.get`.
    ///
    /// # Panics
    /// If they are not what `WebAuthn` says.
    #[must_use]
    pub fn sign(&mut self, options: &Value) -> Value {
        self.counter += 1;
        let client_data =
            self.client_data("webauthn.get", options["publicKey"]["challenge"].as_str().expect("WebAuthn"));
        let data = self.authenticator_data(0);
        let signed = [&data[..], digest::digest(&digest::SHA256, &client_data).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).expect("WebAuthn");
        self.credential(&json!({
            "authenticatorData": encoded(&data),
            "clientDataJSON": encoded(&client_data),
            "signature": encoded(signature.as_ref()),
            "userHandle": null,
        }))
    }

    fn credential(&self, response: &Value) -> Value {
        let id = encoded(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "extensions": {} })
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let data = json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false });
        serde_json::to_vec(&data).expect("WebAuthn")
    }

    fn authenticator_data(&self, flags: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = digest::digest(&digest::SHA256, self.host.as_bytes()).as_ref().to_vec();
        data.push(flags | PRESENT | verified);
        data.extend(self.counter.to_be_bytes());
        data
    }
}

/// The code that an authenticator app shows at a second since 1970 (RFC 6238): six digits of SHA-1, thirty seconds each.
///
/// # Panics
/// If the secret is not base32.
#[must_use]
pub fn code_at(secret: &str, second: u64) -> String {
    let mut bits = 0_u64;
    let mut held = 0;
    let mut key = Vec::new();
    for sign in secret.bytes() {
        let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|known| *known == sign).expect("base32");
        bits = (bits << 5) | u64::try_from(value).expect("five bits");
        held += 5;
        if held >= 8 {
            held -= 8;
            key.push(u8::try_from((bits >> held) & 0xff).expect("eight bits"));
        }
    }
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &key);
    let tag = hmac::sign(&key, &(second / 30).to_be_bytes());
    let tag = tag.as_ref();
    let at = usize::from(tag[19] & 0xf);
    let four = [tag[at] & 0x7f, tag[at + 1], tag[at + 2], tag[at + 3]];
    format!("{:06}", u32::from_be_bytes(four) % 1_000_000)
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::code_at;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(code_at("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", second), code);
        }
    }
}
