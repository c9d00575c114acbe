//! Access tokens: JWTs (RFC 7519) signed with HS256.

use std::fmt::Write as _;
use std::time::Duration;

use domain::{AccountId, Email, SessionId, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use ports::{AccessToken, TokenClaims, TokenIssuer};
use serde::{Deserialize, Serialize};

use crate::TokenKeys;
use crate::keys::Purpose;

/// The claims on the wire. Times are whole seconds since 1970.
#[derive(Debug, Serialize, Deserialize)]
struct WireClaims {
    iss: String,
    aud: String,
    sub: String,
    sid: String,
    email: String,
    iat: i64,
    exp: i64,
    /// Our tokens have none; one that is present is honoured (RFC 7519, section 4.1.5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nbf: Option<i64>,
}

/// How far another instance's clock may be ahead of this one's: a token that it has just issued must not be refused
/// here.
const LEEWAY: Duration = Duration::from_mins(2);

struct Key {
    id: String,
    signs: EncodingKey,
    reads: DecodingKey,
}

/// Signs with the current secret and accepts tokens of either.
///
/// The algorithm is pinned to HS256, and the key is chosen by the header's `kid`, which is derived from the secret and
/// reveals nothing of it. A token without a known `kid` is refused before anything is computed.
pub struct JwtIssuer {
    keys: Vec<Key>,
    issuer: String,
    audience: String,
    validation: Validation,
}

impl JwtIssuer {
    /// An issuer for one shop: `issuer` and `audience` are put into every token and required of every token.
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
    // The library would use the wall clock; `JwtIssuer::read` uses the time it is given.
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

impl std::fmt::Debug for JwtIssuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JwtIssuer")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

impl TokenIssuer for JwtIssuer {
    fn issue(&self, claims: &TokenClaims) -> Option<AccessToken> {
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
            nbf: None,
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
        let begins = issued_at.as_second().max(wire.nbf.unwrap_or(i64::MIN));
        let latest = now.checked_add(LEEWAY).unwrap_or(Timestamp::MAX);
        (begins <= latest.as_second() && now < expires_at).then_some(TokenClaims {
            session: wire.sid.parse::<SessionId>().ok()?,
            account: wire.sub.parse::<AccountId>().ok()?,
            email: wire.email.parse::<Email>().ok()?,
            issued_at,
            expires_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::hmac;
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    const NOW: i64 = 1_800_000_000;
    const OLD: [u8; 32] = [1; 32];
    const NEW: [u8; 32] = [2; 32];

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn issuer(current: &[u8], previous: Option<&[u8]>) -> JwtIssuer {
        let keys = TokenKeys::new(current, previous).unwrap();
        JwtIssuer::new(&keys, "https://shop.example", "driveline")
    }

    fn claims() -> TokenClaims {
        TokenClaims {
            session: SessionId::new(Uuid::from_u128(7)),
            account: AccountId::new(Uuid::from_u128(8)),
            email: "robin@example.com".parse().unwrap(),
            issued_at: at(NOW),
            expires_at: at(NOW + 900),
        }
    }

    fn parts(token: &AccessToken) -> (Value, Value) {
        let mut parts = token.expose().split('.').map(|part| {
            let bytes = URL_SAFE_NO_PAD.decode(part).unwrap();
            serde_json::from_slice(&bytes).unwrap_or(Value::Null)
        });
        (parts.next().unwrap(), parts.next().unwrap())
    }

    /// A token with the given header and claims, signed with a secret as HS256 would.
    fn forged(header: &Value, claims: &Value, secret: &[u8]) -> String {
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let message = format!("{}.{}", encode(header), encode(claims));
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&key, message.as_bytes()));
        format!("{message}.{signature}")
    }

    #[test]
    fn an_issued_token_reads_back_as_its_claims() {
        let issuer = issuer(&NEW, None);
        let token = issuer.issue(&claims()).unwrap();
        assert_eq!(issuer.read(token.expose(), at(NOW)), Some(claims()));
    }

    #[test]
    fn a_forged_token_without_changes_is_accepted_so_the_refusals_below_prove_something() {
        let issuer = issuer(&NEW, None);
        let (header, body) = parts(&issuer.issue(&claims()).unwrap());
        assert_eq!(issuer.read(&forged(&header, &body, &NEW), at(NOW)), Some(claims()));
    }

    #[test]
    fn a_token_holds_its_account_and_expiry_but_never_a_role() {
        let (header, body) = parts(&issuer(&NEW, None).issue(&claims()).unwrap());
        assert_eq!(header["alg"], "HS256");
        assert_eq!(header["kid"].as_str().unwrap().len(), 16);
        assert_eq!(
            body,
            json!({
                "iss": "https://shop.example",
                "aud": "driveline",
                "sub": "00000000-0000-0000-0000-000000000008",
                "sid": "00000000-0000-0000-0000-000000000007",
                "email": "robin@example.com",
                "iat": NOW,
                "exp": NOW + 900,
            })
        );
    }

    #[test]
    fn times_on_the_wire_are_whole_seconds() {
        let issuer = issuer(&NEW, None);
        let half = Timestamp::from_microsecond(NOW * 1_000_000 + 500_000).unwrap();
        let token = issuer.issue(&TokenClaims { issued_at: half, ..claims() }).unwrap();
        assert_eq!(issuer.read(token.expose(), half).map(|read| read.issued_at), Some(at(NOW)));
    }

    #[test]
    fn a_token_expires_to_the_second() {
        let issuer = issuer(&NEW, None);
        let token = issuer.issue(&claims()).unwrap();
        let just_before = Timestamp::from_microsecond((NOW + 900) * 1_000_000 - 1).unwrap();
        assert!(issuer.read(token.expose(), just_before).is_some());
        assert_eq!(issuer.read(token.expose(), at(NOW + 900)), None);
    }

    #[test]
    fn a_token_of_an_instance_whose_clock_is_slightly_ahead_is_accepted() {
        let issuer = issuer(&NEW, None);
        let token = issuer.issue(&claims()).unwrap();
        assert_eq!(issuer.read(token.expose(), at(NOW - 90)), Some(claims()));
        assert_eq!(issuer.read(token.expose(), at(NOW - 120)), Some(claims()));
    }

    #[test]
    fn a_token_from_the_far_future_is_refused() {
        let issuer = issuer(&NEW, None);
        let token = issuer.issue(&claims()).unwrap();
        assert_eq!(issuer.read(token.expose(), at(NOW - 121)), None);
    }

    #[test]
    fn a_token_is_refused_before_its_nbf() {
        let issuer = issuer(&NEW, None);
        let (header, mut body) = parts(&issuer.issue(&claims()).unwrap());
        for (nbf, is_read) in [
            (json!(NOW - 1), true),
            (json!(NOW + 120), true),
            (json!(NOW + 121), false),
            (json!(NOW + 600), false),
            (json!(i64::MAX), false),
            (json!("soon"), false),
        ] {
            body["nbf"] = nbf;
            let token = forged(&header, &body, &NEW);
            assert_eq!(issuer.read(&token, at(NOW)).is_some(), is_read, "{body}");
        }
    }

    #[test]
    fn no_character_of_a_token_can_be_changed() {
        let issuer = issuer(&NEW, None);
        let token = issuer.issue(&claims()).unwrap();
        let token = token.expose();
        for place in 0..token.len() {
            for other in ["A", "g", "."] {
                let mut tampered = token.to_owned();
                tampered.replace_range(place..=place, other);
                if tampered != token {
                    assert_eq!(issuer.read(&tampered, at(NOW)), None, "{other} at {place}");
                }
            }
        }
    }

    #[test]
    fn a_token_of_the_previous_key_is_accepted_and_one_of_a_dropped_key_refused() {
        let token = issuer(&OLD, None).issue(&claims()).unwrap();
        assert_eq!(issuer(&NEW, Some(&OLD)).read(token.expose(), at(NOW)), Some(claims()));
        assert_eq!(issuer(&NEW, None).read(token.expose(), at(NOW)), None);
    }

    #[test]
    fn the_current_key_signs() {
        let token = issuer(&NEW, Some(&OLD)).issue(&claims()).unwrap();
        assert_eq!(issuer(&NEW, None).read(token.expose(), at(NOW)), Some(claims()));
    }

    #[test]
    fn a_token_without_a_signature_is_refused() {
        let issuer = issuer(&NEW, None);
        let (mut header, body) = parts(&issuer.issue(&claims()).unwrap());
        for none in ["none", "None", "NONE"] {
            header["alg"] = json!(none);
            let signed = forged(&header, &body, &NEW);
            let (message, _) = signed.rsplit_once('.').unwrap();
            for token in [signed.clone(), format!("{message}."), message.to_owned()] {
                assert_eq!(issuer.read(&token, at(NOW)), None, "{token}");
            }
        }
    }

    #[test]
    fn a_token_that_names_another_algorithm_or_key_is_refused() {
        let issuer = issuer(&NEW, None);
        let (header, body) = parts(&issuer.issue(&claims()).unwrap());
        for (field, value) in
            [("alg", json!("RS256")), ("alg", json!("HS384")), ("kid", json!("0000000000000000")), ("kid", Value::Null)]
        {
            let mut header = header.clone();
            header[field] = value;
            let token = forged(&header, &body, &NEW);
            assert_eq!(issuer.read(&token, at(NOW)), None, "{header}");
        }
    }

    #[test]
    fn a_token_with_a_wrong_or_missing_claim_is_refused() {
        let issuer = issuer(&NEW, None);
        let (header, body) = parts(&issuer.issue(&claims()).unwrap());
        for (claim, value) in [
            ("iss", json!("https://other.example")),
            ("aud", json!("other")),
            ("sub", json!("somebody")),
            ("sid", json!("")),
            ("email", json!("nobody")),
            ("exp", json!("later")),
            ("exp", json!(i64::MAX)),
            ("iat", json!(i64::MIN)),
        ] {
            let mut changed = body.clone();
            changed[claim] = value;
            let mut missing = body.clone();
            missing.as_object_mut().unwrap().remove(claim);
            for body in [changed, missing] {
                let token = forged(&header, &body, &NEW);
                assert_eq!(issuer.read(&token, at(NOW)), None, "{body}");
            }
        }
    }

    #[test]
    fn garbage_is_refused() {
        let issuer = issuer(&NEW, None);
        for garbage in ["", ".", "..", "a.b.c", "ä.ö.ü", "\0"] {
            assert_eq!(issuer.read(garbage, at(NOW)), None, "{garbage:?}");
        }
    }
}
