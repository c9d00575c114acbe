//! Access tokens: JWTs (RFC 7519) signed with HS256.

use std::fmt::Write as _;

use domain::{AccountId, Email, SessionId, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use ports::{AccessToken, TokenClaims, TokenMint};
use serde::{Deserialize, Serialize};

use crate::TokenKeys;
use crate::keys::Purpose;

/// What the wire carries. Times are whole seconds since 1970.
#[derive(Debug, Serialize, Deserialize)]
struct WireClaims {
    iss: String,
    aud: String,
    sub: String,
    sid: String,
    email: String,
    iat: i64,
    exp: i64,
}

struct Key {
    id: String,
    signs: EncodingKey,
    reads: DecodingKey,
}

/// Signs with the secret in use and reads what either secret signed.
///
/// The algorithm is pinned to HS256, and the key is chosen by the `kid` of the header, which is derived from the secret
/// and tells nothing of it. A token without a known `kid` is refused before anything is computed.
pub struct JwtMint {
    keys: Vec<Key>,
    issuer: String,
    audience: String,
    validation: Validation,
}

impl JwtMint {
    /// A mint for one shop: `issuer` and `audience` go into every token and are asked of every token.
    #[must_use]
    pub fn new(keys: &TokenKeys, issuer: &str, audience: &str) -> Self {
        let ids = keys.derive(Purpose::TokenKeyId);
        let keys = keys
            .secrets()
            .zip(ids.all())
            .map(|(secret, id)| Key {
                id: short_hex(id),
                signs: EncodingKey::from_secret(secret),
                reads: DecodingKey::from_secret(secret),
            })
            .collect();
        Self {
            keys,
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            validation: validation(issuer, audience),
        }
    }
}

fn validation(issuer: &str, audience: &str) -> Validation {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[audience]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    // The library would ask the wall clock and grant a minute; `JwtMint::read` asks the time it is given and grants none.
    validation.validate_exp = false;
    validation
}

/// The first eight bytes, in hexadecimal.
fn short_hex(bytes: &[u8; 32]) -> String {
    bytes.iter().take(8).fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

impl std::fmt::Debug for JwtMint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JwtMint")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

impl TokenMint for JwtMint {
    fn mint(&self, claims: &TokenClaims) -> Option<AccessToken> {
        let key = self.keys.first()?;
        let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::HS256) };
        let wire = WireClaims {
            iss: self.issuer.clone(),
            aud: self.audience.clone(),
            sub: claims.account.to_string(),
            sid: claims.session.to_string(),
            email: claims.email.to_string(),
            iat: claims.issued_at.as_second(),
            exp: claims.expires_at.as_second(),
        };
        jsonwebtoken::encode(&header, &wire, &key.signs).ok().map(AccessToken::new)
    }

    fn read(&self, compact: &str, now: Timestamp) -> Option<TokenClaims> {
        let header = jsonwebtoken::decode_header(compact).ok()?;
        let key_id = header.kid?;
        let key = self.keys.iter().find(|key| key.id == key_id)?;
        let wire = jsonwebtoken::decode::<WireClaims>(compact, &key.reads, &self.validation).ok()?.claims;
        let issued_at = Timestamp::from_second(wire.iat).ok()?;
        let expires_at = Timestamp::from_second(wire.exp).ok()?;
        (issued_at <= now && now < expires_at).then_some(TokenClaims {
            session: wire.sid.parse::<SessionId>().ok()?,
            account: wire.sub.parse::<AccountId>().ok()?,
            email: wire.email.parse::<Email>().ok()?,
            issued_at,
            expires_at,
        })
    }
}
