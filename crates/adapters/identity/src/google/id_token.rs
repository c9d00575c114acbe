//! ID tokens (`OpenID` Connect Core 1.0, section 3.1.3.7).

use domain::{Email, Timestamp};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use ports::{GoogleIdentity, GoogleSubject};
use serde::Deserialize;

/// The longest `sub` (`OpenID` Connect Core 1.0, section 2).
const SUBJECT_MAX: usize = 255;

/// The key id and the algorithm that a token claims. Neither is verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    key_id: String,
    algorithm: Algorithm,
}

/// What a valid token must contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected<'a> {
    pub(super) issuers: &'a [&'a str],
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    nonce: String,
    email: String,
    email_verified: Option<Flag>,
    /// The organisation whose accounts Google hosts.
    hd: Option<String>,
    name: Option<String>,
    picture: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

/// A boolean; some providers write it as a string.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Plain(bool),
    Written(String),
}

impl Flag {
    fn is_set(&self) -> bool {
        match self {
            Self::Plain(flag) => *flag,
            Self::Written(text) => text == "true",
        }
    }
}

impl Signature {
    /// Reads a token's header; `None` unless it names a key and one of the two accepted algorithms.
    pub(super) fn of(token: &str) -> Option<Self> {
        let header = jsonwebtoken::decode_header(token).ok()?;
        matches!(header.alg, Algorithm::RS256 | Algorithm::ES256)
            .then_some(Self { key_id: header.kid?, algorithm: header.alg })
    }

    /// The key to check the signature with, if it is among `keys` and usable for that.
    pub(super) fn key_among(&self, keys: &[Jwk]) -> Option<DecodingKey> {
        keys.iter()
            .find(|key| key.common.key_id.as_ref() == Some(&self.key_id) && self.fits(key))
            .and_then(|key| DecodingKey::from_jwk(key).ok())
    }

    fn fits(&self, key: &Jwk) -> bool {
        let signs = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let (kind, name) = match self.algorithm {
            Algorithm::RS256 => (matches!(key.algorithm, AlgorithmParameters::RSA(_)), KeyAlgorithm::RS256),
            _ => (
                matches!(&key.algorithm, AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256),
                KeyAlgorithm::ES256,
            ),
        };
        signs && kind && key.common.key_algorithm.is_none_or(|told| told == name)
    }

    /// The identity in a token; `None` if its signature, issuer, audience, expiry or nonce is not as expected.
    pub(super) fn check(&self, token: &str, key: &DecodingKey, expected: &Expected<'_>) -> Option<GoogleIdentity> {
        let mut validation = Validation::new(self.algorithm);
        validation.set_issuer(expected.issuers);
        validation.set_audience(&[expected.client_id]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // The library would use the wall clock and allow a leeway of one minute.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &validation).ok()?.claims;
        let until = Timestamp::from_second(claims.exp).ok()?;
        let sound = expected.now < until
            && claims.nonce == expected.nonce
            && claims.is_for(expected.client_id)
            && (1..=SUBJECT_MAX).contains(&claims.sub.len());
        if sound { claims.identity(expected.issuers.first()?) } else { None }
    }
}

/// Whether Google itself runs the mail of an address. For other addresses, `email_verified` is only as good as on the
/// day when Google verified them (Google Identity, "Verify the Google ID token on your server side").
fn is_googles_own(email: &Email) -> bool {
    let host = email.as_str().rsplit('@').next().unwrap_or_default();
    matches!(host, "gmail.com" | "googlemail.com")
}

impl Claims {
    /// A token for several audiences has to name us as the authorized party.
    fn is_for(&self, client_id: &str) -> bool {
        match (&self.azp, &self.aud) {
            (Some(party), _) => party == client_id,
            (None, Audience::One(audience)) => audience == client_id,
            (None, Audience::Several(audiences)) => audiences.as_slice() == [client_id],
        }
    }

    fn identity(self, issuer: &str) -> Option<GoogleIdentity> {
        let email = self.email.parse::<Email>().ok()?;
        let verified = self.email_verified.as_ref().is_some_and(Flag::is_set);
        let hosted = self.hd.as_ref().is_some_and(|organisation| !organisation.is_empty());
        Some(GoogleIdentity {
            google: GoogleSubject { issuer: issuer.to_owned(), subject: self.sub },
            email_is_authoritative: verified && (hosted || is_googles_own(&email)),
            email,
            name: self.name,
            picture: self.picture,
        })
    }
}
