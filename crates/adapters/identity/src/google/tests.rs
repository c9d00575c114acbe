use std::collections::HashMap;
use std::time::Instant;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::fake_provider::{CLIENT_ID, CLIENT_SECRET, DISCOVERY, Failure, FakeProvider, KEYS, REDIRECT, Signer, TOKEN};
use super::*;
use crate::TokenKeys;
use crate::test_clock::TestClock;

/// Short enough for a test, long enough for a busy machine to respond.
const TEST_TIMEOUT: Duration = Duration::from_secs(2);

struct Shop {
    fake: FakeProvider,
    google: GoogleProvider,
    clock: Arc<TestClock>,
}

fn settings(issuer: &str) -> GoogleSettings {
    GoogleSettings {
        issuer: issuer.to_owned(),
        client_id: CLIENT_ID.to_owned(),
        client_secret: SecretString::from(CLIENT_SECRET),
        redirect_url: REDIRECT.to_owned(),
    }
}

fn attempts(clock: &Arc<TestClock>) -> AttemptSeal {
    AttemptSeal::new(&TokenKeys::new(&[1; 32], None).unwrap(), clock.clone())
}

async fn shop(signer: Signer) -> Shop {
    let fake = FakeProvider::start(signer).await;
    let clock = TestClock::new();
    let google =
        GoogleProvider::with_timeout(settings(&fake.issuer), attempts(&clock), clock.clone(), TEST_TIMEOUT).unwrap();
    Shop { fake, google, clock }
}

impl Shop {
    async fn sign_in(&self) -> Result<GoogleIdentity, SignInRefused> {
        let attempt = self.google.begin();
        let address = self.google.address(&attempt).await?;
        let code = self.fake.authorize(&address);
        self.google.redeem(&attempt, &code).await
    }

    fn forge(&self, forge: impl Fn(&mut Value, &mut Value) + Send + 'static) {
        self.fake.state().forge = Box::new(forge);
    }

    fn fail(&self, path: &'static str, failure: Failure) {
        self.fake.state().failures.insert(path, failure);
    }
}

fn unproven(answer: &Result<GoogleIdentity, SignInRefused>) -> bool {
    matches!(answer, Err(SignInRefused::Unproven))
}

fn unavailable(answer: &Result<GoogleIdentity, SignInRefused>) -> bool {
    matches!(answer, Err(SignInRefused::Provider(ProviderError::Unavailable(_))))
}

fn is_invalid_response(answer: &Result<GoogleIdentity, SignInRefused>) -> bool {
    matches!(answer, Err(SignInRefused::Provider(ProviderError::InvalidResponse(_))))
}

#[tokio::test]
async fn a_token_signed_with_either_accepted_algorithm_signs_in() {
    for signer in [Signer::rsa("r"), Signer::ec("e")] {
        let shop = shop(signer).await;
        assert_eq!(
            shop.sign_in().await.unwrap(),
            GoogleIdentity {
                google: ports::GoogleSubject { issuer: shop.fake.issuer.clone(), subject: "1234567890".to_owned() },
                email: "ada@example.com".parse().unwrap(),
                email_is_authoritative: false,
                name: Some("Ada".to_owned()),
                picture: Some("https://pictures.example/ada.png".to_owned()),
            }
        );
    }
}

#[tokio::test]
async fn the_redirect_to_the_provider_has_all_parameters_but_no_secrets() {
    let shop = shop(Signer::ec("e")).await;
    let attempt = shop.google.begin();
    let address = shop.google.address(&attempt).await.unwrap();
    let query: HashMap<String, String> = Url::parse(&address).unwrap().query_pairs().into_owned().collect();
    assert!(address.starts_with(&format!("{}/authorize?", shop.fake.issuer)));
    assert_eq!(query["tenant"], "1");
    assert_eq!(query["state"], attempt.state);
    assert_eq!(query["nonce"], attempt.nonce);
    assert_eq!(query["scope"], "openid email profile");
    assert!(!address.contains(&attempt.verifier));
    assert!(!address.contains("s3cret"));
}

#[tokio::test]
async fn the_provider_speaks_only_for_verified_addresses_that_it_hosts_itself() {
    for (email, verified, hosted, speaks) in [
        ("ada@gmail.com", json!(true), Value::Null, true),
        ("ada@googlemail.com", json!("true"), Value::Null, true),
        ("ada@example.com", json!(true), json!("example.com"), true),
        ("ada@example.com", json!(true), json!(""), false),
        ("ada@example.com", json!(true), Value::Null, false),
        ("ada@not-gmail.com", json!(true), Value::Null, false),
        ("ada@gmail.com.example.com", json!(true), Value::Null, false),
        ("ada@gmail.com", json!(false), Value::Null, false),
        ("ada@gmail.com", json!("false"), json!("gmail.com"), false),
        ("ada@gmail.com", Value::Null, json!("gmail.com"), false),
    ] {
        let shop = shop(Signer::ec("e")).await;
        let told = format!("{email} {verified} {hosted}");
        shop.forge(move |_, claims| {
            claims["email"] = json!(email);
            claims["email_verified"] = verified.clone();
            claims["hd"] = hosted.clone();
        });
        assert_eq!(shop.sign_in().await.unwrap().email_is_authoritative, speaks, "{told}");
    }
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    for (claim, value) in [
        ("nonce", json!("of-another-attempt")),
        ("nonce", Value::Null),
        ("aud", json!("another-client")),
        ("aud", json!(["another-client"])),
        ("aud", Value::Null),
        ("azp", json!("another-client")),
        ("iss", json!("https://accounts.google.com")),
        ("iss", json!("accounts.google.com")),
        ("iss", Value::Null),
        ("exp", json!(TestClock::START)),
        ("exp", json!(TestClock::START - 1)),
        ("exp", json!("never")),
        ("exp", Value::Null),
        ("sub", json!("")),
        ("sub", json!("1".repeat(256))),
        ("sub", Value::Null),
        ("email", json!("not an address")),
        ("email", Value::Null),
    ] {
        let forged = value.clone();
        shop.forge(move |_, claims| claims[claim] = forged.clone());
        assert!(unproven(&shop.sign_in().await), "{claim}: {value}");
    }
    shop.forge(|_, _| {});
    assert!(shop.sign_in().await.is_ok());
}

#[tokio::test]
async fn a_token_for_several_audiences_has_to_name_the_shop_as_authorized_party() {
    let shop = shop(Signer::ec("e")).await;
    shop.forge(|_, claims| claims["aud"] = json!([CLIENT_ID, "another-client"]));
    assert!(shop.sign_in().await.is_ok());
    shop.forge(|_, claims| {
        claims["aud"] = json!([CLIENT_ID, "another-client"]);
        claims["azp"] = Value::Null;
    });
    assert!(unproven(&shop.sign_in().await));
}

#[tokio::test]
async fn a_token_is_valid_until_it_expires() {
    let shop = shop(Signer::ec("e")).await;
    shop.clock.advance(599);
    assert!(shop.sign_in().await.is_ok());
    shop.clock.advance(1);
    assert!(unproven(&shop.sign_in().await));
}

#[tokio::test]
async fn only_googles_issuer_may_omit_its_scheme() {
    let clock = TestClock::new();
    let provider = |issuer: &str| GoogleProvider::new(settings(issuer), attempts(&clock), clock.clone()).unwrap();
    let discovery = |issuer: &str| -> Discovery {
        serde_json::from_value(json!({
            "issuer": issuer, "authorization_endpoint": issuer, "token_endpoint": issuer, "jwks_uri": issuer,
        }))
        .unwrap()
    };
    let google = "https://accounts.google.com";
    assert_eq!(provider(google).issuers(&discovery(google)), [google, "accounts.google.com"]);
    let other = "https://id.example";
    assert_eq!(provider(other).issuers(&discovery(other)), [other]);
}

#[tokio::test]
async fn an_unsigned_token_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    for algorithm in ["none", "None", "NONE", ""] {
        shop.forge(move |header, _| header["alg"] = json!(algorithm));
        for sign in [|_: &[u8]| Vec::new(), |_: &[u8]| b"x".to_vec()] {
            shop.fake.state().sign = Some(Box::new(sign));
            assert!(unproven(&shop.sign_in().await), "{algorithm:?}");
        }
    }
}

#[tokio::test]
async fn a_token_signed_with_the_public_key_as_a_shared_secret_proves_nothing() {
    let signer = Signer::rsa("r");
    let published = signer.published();
    let shop = shop(signer).await;
    let modulus = URL_SAFE_NO_PAD.decode(published["n"].as_str().unwrap()).unwrap();
    shop.forge(|header, _| header["alg"] = json!("HS256"));
    shop.fake.state().sign = Some(Box::new(move |message| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &modulus);
        hmac::sign(&key, message).as_ref().to_vec()
    }));
    assert!(unproven(&shop.sign_in().await));
}

#[tokio::test]
async fn a_token_signed_by_another_key_under_a_known_key_id_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    let impostor = Signer::ec("e");
    shop.fake.state().sign = Some(Box::new(move |message| impostor.sign(message)));
    assert!(unproven(&shop.sign_in().await));
}

#[tokio::test]
async fn a_token_that_does_not_name_its_key_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    shop.forge(|header, _| header["kid"] = Value::Null);
    assert!(unproven(&shop.sign_in().await));
}

#[tokio::test]
async fn a_key_for_another_use_or_algorithm_proves_nothing() {
    for (field, value) in
        [("use", json!("enc")), ("alg", json!("RS256")), ("crv", json!("P-384")), ("kty", json!("oct"))]
    {
        let shop = shop(Signer::ec("e")).await;
        shop.fake.state().published[0][field] = value.clone();
        assert!(unproven(&shop.sign_in().await), "{field}: {value}");
    }
}

#[tokio::test]
async fn a_key_of_an_unknown_type_does_not_invalidate_the_others() {
    let shop = shop(Signer::ec("e")).await;
    let strange = [json!({ "kty": "PQ", "kid": "q" }), json!(7), json!({ "kty": "EC", "crv": "P-999", "kid": "p" })];
    shop.fake.state().published.splice(0..0, strange);
    assert!(shop.sign_in().await.is_ok());
}

#[tokio::test]
async fn a_new_key_is_found_immediately_but_keys_are_fetched_at_most_once_a_minute() {
    let shop = shop(Signer::ec("first")).await;
    assert!(shop.sign_in().await.is_ok());
    shop.fake.rotate(Signer::ec("second"));
    assert!(shop.sign_in().await.is_ok());
    assert_eq!(shop.fake.hits(KEYS), 2);

    shop.fake.rotate(Signer::ec("third"));
    shop.clock.advance(59);
    for _ in 0..3 {
        assert!(unproven(&shop.sign_in().await));
    }
    assert_eq!(shop.fake.hits(KEYS), 2);

    shop.clock.advance(1);
    assert!(shop.sign_in().await.is_ok());
    assert_eq!(shop.fake.hits(KEYS), 3);
}

#[tokio::test]
async fn concurrent_sign_ins_with_a_new_key_cause_one_fetch() {
    let shop = shop(Signer::ec("first")).await;
    assert!(shop.sign_in().await.is_ok());
    shop.fake.rotate(Signer::ec("second"));
    let (a, b, c, d) = tokio::join!(shop.sign_in(), shop.sign_in(), shop.sign_in(), shop.sign_in());
    for answer in [a, b, c, d] {
        assert!(answer.is_ok(), "{answer:?}");
    }
    assert_eq!(shop.fake.hits(KEYS), 2);
}

#[tokio::test]
async fn the_providers_documents_are_cached_for_an_hour() {
    let shop = shop(Signer::ec("e")).await;
    shop.forge(|_, claims| claims["exp"] = json!(TestClock::START + 10_000));
    for _ in 0..3 {
        assert!(shop.sign_in().await.is_ok());
    }
    shop.clock.advance(3_599);
    assert!(shop.sign_in().await.is_ok());
    assert_eq!((shop.fake.hits(DISCOVERY), shop.fake.hits(KEYS)), (1, 1));
    shop.clock.advance(1);
    assert!(shop.sign_in().await.is_ok());
    assert_eq!((shop.fake.hits(DISCOVERY), shop.fake.hits(KEYS)), (2, 2));
}

#[tokio::test]
async fn a_code_that_is_reused_stolen_or_made_up_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    let attempt = shop.google.begin();
    let code = shop.fake.authorize(&shop.google.address(&attempt).await.unwrap());
    assert!(shop.google.redeem(&attempt, &code).await.is_ok());
    assert!(unproven(&shop.google.redeem(&attempt, &code).await));

    let stolen = shop.fake.authorize(&shop.google.address(&attempt).await.unwrap());
    let thief = SignInAttempt { verifier: shop.google.begin().verifier, ..attempt.clone() };
    assert!(unproven(&shop.google.redeem(&thief, &stolen).await));

    for code in ["", "made up", "ä&code=b\r\nx: y"] {
        assert!(unproven(&shop.google.redeem(&attempt, code).await), "{code:?}");
    }
}

#[tokio::test]
async fn a_provider_that_accepts_the_secret_only_in_the_form_gets_it_there() {
    let shop = shop(Signer::ec("e")).await;
    shop.fake.state().discovery["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
    assert!(shop.sign_in().await.is_ok());
}

#[tokio::test]
async fn an_unknown_client_is_reported_as_an_invalid_response() {
    let shop = shop(Signer::ec("e")).await;
    shop.fail(TOKEN, Failure::Says("401 Unauthorized", json!({ "error": "invalid_client" }).to_string()));
    assert!(is_invalid_response(&shop.sign_in().await));
}

#[tokio::test]
async fn a_provider_that_hangs_is_unavailable_after_the_timeout() {
    for path in [DISCOVERY, TOKEN, KEYS] {
        let mut shop = shop(Signer::ec("e")).await;
        shop.google.http = Fetcher::new(Duration::from_millis(300)).unwrap();
        shop.fail(path, Failure::Hangs);
        let start = Instant::now();
        let answer = tokio::time::timeout(Duration::from_secs(5), shop.sign_in()).await;
        assert!(answer.as_ref().is_ok_and(unavailable), "{path}: {answer:?}");
        assert!((300..2_000).contains(&start.elapsed().as_millis()), "{path}: {:?}", start.elapsed());
    }
}

#[tokio::test]
async fn a_provider_that_responds_with_429_or_5xx_is_unavailable() {
    for path in [DISCOVERY, TOKEN, KEYS] {
        for status in ["500 Oops", "503 Later", "429 Slowly"] {
            let shop = shop(Signer::ec("e")).await;
            shop.fail(path, Failure::Says(status, json!({ "error": "invalid_grant" }).to_string()));
            assert!(unavailable(&shop.sign_in().await), "{status} {path}");
        }
    }
}

#[tokio::test]
async fn a_provider_that_refuses_connections_is_unavailable() {
    let shop = shop(Signer::ec("e")).await;
    let unused = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let issuer = format!("http://{}", unused.local_addr().unwrap());
    drop(unused);
    let google = GoogleProvider::new(settings(&issuer), attempts(&shop.clock), shop.clock.clone()).unwrap();
    let address = google.address(&google.begin()).await;
    assert!(matches!(address, Err(ProviderError::Unavailable(_))), "{address:?}");
}

#[tokio::test]
async fn an_invalid_response_of_the_provider_is_reported_as_such() {
    for path in [DISCOVERY, TOKEN, KEYS] {
        for (status, body) in [
            ("200 OK", ""),
            ("200 OK", "<html>"),
            ("200 OK", "{}"),
            ("200 OK", "[1]"),
            ("200 OK", "\u{0}"),
            ("404 Not Found", "<html>"),
            ("400 Bad Request", ""),
            // Redirects are not followed: one could pass the secret on to any host.
            ("302 Found", ""),
            ("307 Temporary Redirect", "{}"),
        ] {
            let shop = shop(Signer::ec("e")).await;
            shop.fail(path, Failure::Says(status, body.to_owned()));
            let answer = shop.sign_in().await;
            assert!(is_invalid_response(&answer), "{path} {status} {body:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn an_endless_response_is_reported_as_invalid() {
    for path in [DISCOVERY, TOKEN, KEYS] {
        let shop = shop(Signer::ec("e")).await;
        shop.fail(path, Failure::Endless);
        assert!(is_invalid_response(&shop.sign_in().await), "{path}");
    }
}

#[tokio::test]
async fn a_missing_id_token_is_an_invalid_response_and_a_malformed_one_proves_nothing() {
    let shop = shop(Signer::ec("e")).await;
    let answer =
        |id_token: Value| json!({ "access_token": "opaque", "token_type": "Bearer", "id_token": id_token }).to_string();
    shop.fail(TOKEN, Failure::Says("200 OK", answer(Value::Null)));
    assert!(is_invalid_response(&shop.sign_in().await));
    for garbage in ["", "a", "a.b.c", "e30.e30.", "\u{0}..ä"] {
        shop.fail(TOKEN, Failure::Says("200 OK", answer(json!(garbage))));
        assert!(unproven(&shop.sign_in().await), "{garbage:?}");
    }
}

#[tokio::test]
async fn no_error_quotes_a_token_or_the_secret() {
    let shop = shop(Signer::ec("e")).await;
    shop.fail(TOKEN, Failure::Says("200 OK", json!({ "access_token": ["sensitive"], "id_token": 7 }).to_string()));
    let error = format!("{:?}", shop.sign_in().await.unwrap_err());
    assert!(!error.contains("sensitive"), "{error}");
    assert!(!format!("{:?}", shop.google).contains("s3cret"));
    assert!(!format!("{:?}", settings("https://id.example")).contains("s3cret"));
}

#[tokio::test]
async fn metadata_with_another_issuer_or_an_unsafe_endpoint_is_an_invalid_response() {
    for (field, value) in [
        ("issuer", "https://accounts.google.com"),
        ("authorization_endpoint", "http://id.example/authorize"),
        ("token_endpoint", "http://id.example/token"),
        ("jwks_uri", "http://id.example/keys"),
        ("jwks_uri", "file:///etc/passwd"),
        ("token_endpoint", "not an address"),
    ] {
        let shop = shop(Signer::ec("e")).await;
        shop.fake.state().discovery[field] = json!(value);
        assert!(is_invalid_response(&shop.sign_in().await), "{field}: {value}");
    }
}

#[tokio::test]
async fn a_sign_in_succeeds_again_after_a_failure_of_the_provider() {
    let shop = shop(Signer::ec("e")).await;
    for path in [DISCOVERY, TOKEN, KEYS] {
        shop.fail(path, Failure::Says("503 Later", String::new()));
        assert!(unavailable(&shop.sign_in().await), "{path}");
        shop.fake.state().failures.clear();
    }
    assert!(shop.sign_in().await.is_ok());
}

#[test]
fn invalid_settings_are_refused() {
    let clock = TestClock::new();
    let make = |settings: GoogleSettings| GoogleProvider::new(settings, attempts(&clock), clock.clone());
    for issuer in ["", "accounts.google.com", "http://accounts.google.com", "ftp://localhost", "https://"] {
        assert!(matches!(make(settings(issuer)), Err(SettingsError::Issuer)), "{issuer:?}");
    }
    for issuer in ["https://accounts.google.com", "http://localhost:9000/", "http://127.0.0.1:1", "http://[::1]:1"] {
        assert!(make(settings(issuer)).is_ok(), "{issuer:?}");
    }
    let good = settings("https://accounts.google.com");
    let refused = [
        make(GoogleSettings { client_id: String::new(), ..good.clone() }),
        make(GoogleSettings { client_secret: SecretString::from(""), ..good.clone() }),
        make(GoogleSettings { redirect_url: "/callback".to_owned(), ..good.clone() }),
        make(GoogleSettings { redirect_url: "javascript:alert(1)".to_owned(), ..good }),
    ];
    let [id, secret, path, script] = refused;
    assert!(matches!(id, Err(SettingsError::ClientId)));
    assert!(matches!(secret, Err(SettingsError::ClientSecret)));
    assert!(matches!(path, Err(SettingsError::RedirectUrl)));
    assert!(matches!(script, Err(SettingsError::RedirectUrl)));
}
