//! An `OpenID` provider for tests: checks requests as strictly as a real one, and fails on demand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use oauth2::url::{Url, form_urlencoded};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::attempts::challenge_of;
use crate::test_clock::TestClock;

pub(super) const CLIENT_ID: &str = "shop";
pub(super) const CLIENT_SECRET: &str = "s3cret/&";
pub(super) const REDIRECT: &str = "https://shop.example/auth/google/callback";

pub(super) const DISCOVERY: &str = "/.well-known/openid-configuration";
pub(super) const TOKEN: &str = "/token";
pub(super) const KEYS: &str = "/keys";

/// A key pair with a key id.
pub(super) struct Signer {
    pub(super) id: String,
    pair: Pair,
}

enum Pair {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
}

impl Signer {
    pub(super) fn ec(id: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        Self { id: id.to_owned(), pair: Pair::Ec(pair) }
    }

    pub(super) fn rsa(id: &str) -> Self {
        Self { id: id.to_owned(), pair: Pair::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).unwrap()) }
    }

    pub(super) fn algorithm(&self) -> &'static str {
        match self.pair {
            Pair::Rsa(_) => "RS256",
            Pair::Ec(_) => "ES256",
        }
    }

    /// The public half as a JSON Web Key (RFC 7517).
    pub(super) fn published(&self) -> Value {
        let base64 = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match &self.pair {
            Pair::Rsa(pair) => {
                let public = pair.public_key();
                json!({
                    "kty": "RSA", "kid": self.id, "use": "sig", "alg": "RS256",
                    "n": base64(public.modulus().big_endian_without_leading_zero()),
                    "e": base64(public.exponent().big_endian_without_leading_zero()),
                })
            }
            Pair::Ec(pair) => {
                let point = &pair.public_key().as_ref()[1..];
                json!({
                    "kty": "EC", "crv": "P-256", "kid": self.id, "use": "sig", "alg": "ES256",
                    "x": base64(&point[..32]), "y": base64(&point[32..]),
                })
            }
        }
    }

    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
            Pair::Ec(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
        }
    }
}

/// What an endpoint does instead of its normal response.
#[derive(Clone)]
pub(super) enum Failure {
    /// Accepts the request and never responds.
    Hangs,
    /// Responds with a status and a body.
    Says(&'static str, String),
    /// Responds with a body that never ends.
    Endless,
}

struct Grant {
    nonce: String,
    challenge: String,
}

type Forge = Box<dyn Fn(&mut Value, &mut Value) + Send>;
type Sign = Box<dyn Fn(&[u8]) -> Vec<u8> + Send>;

pub(super) struct State {
    pub(super) signer: Arc<Signer>,
    pub(super) published: Vec<Value>,
    /// Modifies the header and the claims of the ID tokens.
    pub(super) forge: Forge,
    /// Signs instead of the signer.
    pub(super) sign: Option<Sign>,
    pub(super) discovery: Value,
    pub(super) failures: HashMap<&'static str, Failure>,
    pub(super) hits: HashMap<String, u32>,
    grants: HashMap<String, Grant>,
}

pub(super) struct FakeProvider {
    pub(super) issuer: String,
    state: Arc<Mutex<State>>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeProvider {
    pub(super) async fn start(signer: Signer) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            published: vec![signer.published()],
            signer: Arc::new(signer),
            forge: Box::new(|_, _| {}),
            sign: None,
            discovery: json!({
                "issuer": issuer,
                "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
                "token_endpoint": format!("{issuer}{TOKEN}"),
                "jwks_uri": format!("{issuer}{KEYS}"),
            }),
            failures: HashMap::new(),
            hits: HashMap::new(),
            grants: HashMap::new(),
        }));
        let server = tokio::spawn({
            let (state, issuer) = (Arc::clone(&state), issuer.clone());
            async move {
                loop {
                    let (stream, _) = listener.accept().await.unwrap();
                    tokio::spawn(serve(stream, Arc::clone(&state), issuer.clone()));
                }
            }
        });
        Self { issuer, state, server }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub(super) fn hits(&self, path: &str) -> u32 {
        self.state().hits.get(path).copied().unwrap_or(0)
    }

    /// Signs with another key from now on.
    pub(super) fn rotate(&self, signer: Signer) {
        let mut state = self.state();
        state.published = vec![signer.published()];
        state.signer = Arc::new(signer);
    }

    /// What a browser does with the address that it is redirected to: signs in, and comes back with a code.
    pub(super) fn authorize(&self, address: &str) -> String {
        let query: HashMap<String, String> = Url::parse(address).unwrap().query_pairs().into_owned().collect();
        assert_eq!(query["client_id"], CLIENT_ID);
        assert_eq!(query["redirect_uri"], REDIRECT);
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["code_challenge_method"], "S256");
        let mut state = self.state();
        let code = format!("code/{}", state.grants.len() + 1);
        let grant = Grant { nonce: query["nonce"].clone(), challenge: query["code_challenge"].clone() };
        state.grants.insert(code.clone(), grant);
        code
    }
}

struct Request {
    path: String,
    authorization: Option<String>,
    form: HashMap<String, String>,
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
        let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let header = |name: &str| {
            head.lines().skip(1).find_map(|line| {
                let (key, value) = line.split_once(": ")?;
                key.eq_ignore_ascii_case(name).then(|| value.to_owned())
            })
        };
        let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
        let body = &bytes[end + 4..];
        if body.len() >= length {
            return Some(Request {
                path: head.split(' ').nth(1).unwrap().to_owned(),
                authorization: header("authorization"),
                form: form_urlencoded::parse(body).into_owned().collect(),
            });
        }
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>, issuer: String) {
    let Some(request) = read(&mut stream).await else { return };
    let failure = {
        let mut state = state.lock().unwrap();
        *state.hits.entry(request.path.clone()).or_default() += 1;
        state.failures.get(request.path.as_str()).cloned()
    };
    let (status, body) = match failure {
        None => state.lock().unwrap().answer(&request, &issuer),
        Some(Failure::Says(status, body)) => (status, body),
        Some(Failure::Hangs) => return std::future::pending().await,
        Some(Failure::Endless) => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[";
            let mut alive = stream.write_all(head.as_bytes()).await.is_ok();
            while alive {
                alive = stream.write_all(&[b'1'; 8192]).await.is_ok();
            }
            return;
        }
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nlocation: {issuer}{KEYS}\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    // Some tests are about a client that has stopped waiting.
    let _ = stream.write_all(answer.as_bytes()).await;
}

impl State {
    fn answer(&mut self, request: &Request, issuer: &str) -> (&'static str, String) {
        match request.path.as_str() {
            DISCOVERY => ("200 OK", self.discovery.to_string()),
            KEYS => ("200 OK", json!({ "keys": self.published }).to_string()),
            TOKEN => self.trade(request, issuer),
            path => panic!("unexpected request for {path}"),
        }
    }

    fn trade(&mut self, request: &Request, issuer: &str) -> (&'static str, String) {
        let error = |error: &str| ("400 Bad Request", json!({ "error": error }).to_string());
        let form = |name: &str| request.form.get(name).map(String::as_str);
        let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT_ID}:s3cret%2F%26")));
        let by_form = form("client_id") == Some(CLIENT_ID) && form("client_secret") == Some(CLIENT_SECRET);
        let takes_basic = self.discovery.get("token_endpoint_auth_methods_supported").is_none();
        let known = if takes_basic { request.authorization.as_ref() == Some(&basic) } else { by_form };
        if !known {
            return error("invalid_client");
        }
        let Some(grant) = form("code").and_then(|code| self.grants.remove(code)) else {
            return error("invalid_grant");
        };
        let proven = form("grant_type") == Some("authorization_code")
            && form("redirect_uri") == Some(REDIRECT)
            && form("code_verifier").map(challenge_of).as_ref() == Some(&grant.challenge);
        if !proven {
            return error("invalid_grant");
        }
        let token = self.id_token(issuer, &grant.nonce);
        let body = json!({ "access_token": "opaque", "token_type": "Bearer", "expires_in": 3599, "id_token": token });
        ("200 OK", body.to_string())
    }

    fn id_token(&self, issuer: &str, nonce: &str) -> String {
        let mut header = json!({ "alg": self.signer.algorithm(), "kid": self.signer.id, "typ": "JWT" });
        let mut claims = json!({
            "iss": issuer, "aud": CLIENT_ID, "azp": CLIENT_ID, "sub": "1234567890", "nonce": nonce,
            "iat": TestClock::START, "exp": TestClock::START + 600,
            "email": "Ada@Example.com", "email_verified": true,
            "name": "Ada", "picture": "https://pictures.example/ada.png",
        });
        (self.forge)(&mut header, &mut claims);
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let message = format!("{}.{}", encode(&header), encode(&claims));
        let signature = match &self.sign {
            None => self.signer.sign(message.as_bytes()),
            Some(sign) => sign(message.as_bytes()),
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}
