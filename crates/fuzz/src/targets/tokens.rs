//! Tokens and cookies that the shop has issued, or that somebody says it has.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{AccountId, Email, SessionId, Timestamp};
use identity::{DeviceSigner, JwtIssuer, TokenKeys};
use jsonwebtoken::{Algorithm, EncodingKey};
use ports::{DeviceAccount, DeviceCookies, TokenClaims, TokenIssuer};

use super::texts;
use crate::target::Target;

const SECRET: &[u8] = b"a secret of thirty-two bytes, or more";
const NOW: i64 = 1_760_000_000;

/// Anything in place of an access token: nothing opens that the shop has not issued.
pub(super) const ACCESS_TOKEN: Target =
    Target::of_text("access-token", tokens, &[".", "..", "none", "HS512", "eyJ", "=", "\"alg\""], token);

/// Claims under the shop's own key, which only the shop could sign.
pub(super) const CLAIMS: Target = Target::of_text(
    "access-claims",
    claims,
    &[
        "\"exp\":",
        "\"nbf\":",
        "\"iat\":",
        "\"aud\":[",
        "\"iss\":",
        "\"sub\":",
        "\"email\":",
        "1e400",
        "-1",
        "null",
        "\"\"",
    ],
    signed_claims,
);

/// The cookie that says which accounts have signed in on a device.
pub(super) const DEVICE_COOKIE: Target =
    Target::of_text("device-cookie", cookies, &[".", "..", "AAAA", "=", "-", "_"], cookie);

/// The cursor of a page.
pub(super) const CURSOR: Target =
    Target::of_text("cursor", cursors, &["MDE5", "IA", "=", "-", "_"], http_adapter::fuzz::cursor);

fn issuer() -> Option<JwtIssuer> {
    TokenKeys::new(SECRET, None).ok().map(|keys| JwtIssuer::new(&keys, "shop", "shop"))
}

fn now() -> Timestamp {
    Timestamp::from_second(NOW).unwrap_or_default()
}

fn issued() -> Option<(TokenClaims, String)> {
    let claims = TokenClaims {
        session: "0199f3a0-0000-7000-8000-000000000001".parse::<SessionId>().ok()?,
        account: "0199f3a0-0000-7000-8000-000000000002".parse::<AccountId>().ok()?,
        email: "customer@example.com".parse::<Email>().ok()?,
        issued_at: now(),
        expires_at: Timestamp::from_second(NOW + 900).ok()?,
    };
    let token = issuer()?.issue(&claims)?.expose().to_owned();
    Some((claims, token))
}

fn tokens() -> Vec<Vec<u8>> {
    let none = r#"{"alg":"none","typ":"JWT"}"#;
    let forged = issued().map(|(_, token)| {
        let rest = token.split_once('.').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        format!("{}.{rest}", URL_SAFE_NO_PAD.encode(none))
    });
    [issued().map(|(_, token)| token), forged].into_iter().flatten().map(String::into_bytes).collect()
}

fn token(sent: &[u8]) {
    let (Ok(sent), Some(issuer), Some((claims, token))) = (std::str::from_utf8(sent), issuer(), issued()) else {
        return;
    };
    assert_eq!(issuer.read(&token, now()), Some(claims.clone()), "the shop does not know its own token");
    if let Some(read) = issuer.read(sent, now()) {
        // Base64's last character may differ in bits that mean nothing; header and claims may not.
        let meant = |token: &str| token.rsplit_once('.').map(|(signed, _)| signed.to_owned());
        assert_eq!(meant(sent), meant(&token), "a token opens that the shop has not issued");
        assert_eq!(read, claims);
    }
}

fn claims() -> Vec<Vec<u8>> {
    let known = r#""sub":"0199f3a0-0000-7000-8000-000000000002","sid":"0199f3a0-0000-7000-8000-000000000001","email":"a@example.com""#;
    texts(&[
        &format!(r#"{{"iss":"shop","aud":"shop",{known},"iat":{NOW},"exp":{}}}"#, NOW + 900),
        &format!(r#"{{"iss":"shop","aud":["shop"],{known},"iat":{NOW},"nbf":{NOW},"exp":{}}}"#, i64::MAX),
        &format!(r#"{{"iss":["shop"],"aud":"other",{known},"iat":{},"exp":0}}"#, i64::MIN),
    ])
}

/// Signs claims as the shop would. The library takes them only as JSON.
fn signed_claims(claims: &[u8]) {
    let Ok(claims) = serde_json::from_slice::<serde_json::Value>(claims) else { return };
    let (Some(issuer), Some((_, own))) = (issuer(), issued()) else { return };
    let Ok(header) = jsonwebtoken::decode_header(&own) else { return };
    assert_eq!(header.alg, Algorithm::HS256);
    let Ok(signed) = jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(SECRET)) else { return };
    if let Some(read) = issuer.read(&signed, now()) {
        assert!(now() < read.expires_at, "an expired token opens");
        assert!(read.issued_at.as_second() <= NOW + 120, "a token of the future opens");
        assert!(
            claims["aud"] == "shop" || claims["aud"].as_array().is_some_and(|all| all.iter().any(|one| one == "shop"))
        );
    }
}

fn signer() -> Option<DeviceSigner> {
    TokenKeys::new(SECRET, None).ok().map(|keys| DeviceSigner::new(&keys))
}

fn email(name: &str) -> Option<Email> {
    name.parse().ok()
}

/// Entries with a MAC of zeros: a device's id is random, and samples have to be the same at every run.
fn cookies() -> Vec<Vec<u8>> {
    let entry = |id: u8| URL_SAFE_NO_PAD.encode([[id; 16].as_slice(), &NOW.to_be_bytes(), &[0; 32]].concat());
    texts(&[&entry(1), &[entry(1), entry(2)].join("."), &[entry(1), entry(2), entry(3), entry(4), entry(5)].join(".")])
}

fn cookie(sent: &[u8]) {
    let (Ok(sent), Some(signer), Some(email)) = (std::str::from_utf8(sent), signer(), email("a@example.com")) else {
        return;
    };
    let account = DeviceAccount { email, password: None };
    assert_eq!(signer.recognise(sent, &account, now()), None, "a device is known that never signed in");
    let issued = signer.issue(&account, sent, now());
    assert!(issued.len() <= 4 * 76, "a cookie grows without end");
    assert!(signer.recognise(&issued, &account, now()).is_some(), "a device is forgotten at once");
}

fn cursors() -> Vec<Vec<u8>> {
    ["added 2026-01-02T03:04:05Z", "price 1999", "name2 Brake disc, 312 mm", "added1 2026-01-02T03:04:05.123456Z"]
        .map(|rest| URL_SAFE_NO_PAD.encode(format!("0199f3a0-0000-7000-8000-000000000001 {rest}")).into_bytes())
        .to_vec()
}
