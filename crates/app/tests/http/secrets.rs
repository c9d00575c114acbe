//! Everything secret that a customer and an admin send and are given, and that none of it is readable in what a shop
//! stores and logs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use testkit::authenticator::code_at;
use testkit::{Reply, StandIn};

use crate::fixtures::{GOOD_CARD, User, card, draft, eventually, fresh_key, hint, inserted, purchase};
use crate::server::{Demo, call, patch, post, put, run};
use crate::traces::hex;

/// How long an e-mail or a webhook may take: the outbox is polled every few seconds.
const SOON: Duration = Duration::from_mins(1);

const CHOSEN: &str = "seven grey herons";
const WRONG: &str = "eight grey herons";
/// A card that pays and one that is declined, as people type them.
const SPACED_CARD: &str = "4242 4242 4242 4242";
const DECLINED_CARD: &str = "4000 0000 0000 9995";

const CLIENT_SECRET: &str = "a payment's client secret";
/// No secrets: what a search of the files and of the log has to find, or it has read nothing.
const EMAIL: &str = "the customer's e-mail";
const REQUEST: &str = "the id of a request";

/// What nobody but its owner may read, and the bytes that it is.
#[derive(Default)]
struct Secrets(Vec<(&'static str, Vec<u8>)>);

impl Secrets {
    fn keep(&mut self, name: &'static str, secret: impl Into<Vec<u8>>) {
        let bytes = secret.into();
        assert!(bytes.len() >= 8, "{name} is too short to be searched for");
        self.0.push((name, bytes));
    }

    /// Random bytes that are sent in base64. Whoever has the bytes has the secret as well.
    fn keep_random(&mut self, name: &'static str, secret: &str) {
        self.keep(name, BASE64_URL_SAFE_NO_PAD.decode(secret).unwrap());
        self.keep(name, secret);
    }
}

/// Bytes as programs write them: as they are, in hexadecimal digits, and as a list of numbers.
fn ways_to_write(bytes: &[u8]) -> [Vec<u8>; 3] {
    let list = format!("{bytes:?}");
    [bytes.to_vec(), hex(bytes).into_bytes(), list.as_bytes()[1..list.len() - 1].to_vec()]
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) * 256 + usize::from(second)
}

/// Looks for all secrets at once: a data folder has hundreds of megabytes.
struct Search {
    wanted: Vec<(&'static str, Vec<u8>)>,
    /// Which of them begin with a pair of bytes.
    beginning: Vec<Vec<usize>>,
}

impl Search {
    fn of(secrets: &Secrets) -> Self {
        let mut wanted = Vec::new();
        for (name, secret) in &secrets.0 {
            wanted.extend(ways_to_write(secret).map(|written| (*name, written)));
        }
        let mut beginning = vec![Vec::new(); 256 * 256];
        for (nth, (_, written)) in wanted.iter().enumerate() {
            beginning[pair(written[0], written[1])].push(nth);
        }
        Self { wanted, beginning }
    }

    /// The names of what is in these bytes.
    fn within(&self, bytes: &[u8]) -> BTreeSet<&'static str> {
        let (mut found, beginning) = (BTreeSet::new(), self.beginning.as_slice());
        let mut at = 0;
        // Not an iterator: unoptimised, one takes several times as long.
        while at + 1 < bytes.len() {
            let candidates = &beginning[pair(bytes[at], bytes[at + 1])];
            if !candidates.is_empty() {
                let rest = &bytes[at..];
                let here = candidates.iter().map(|nth| &self.wanted[*nth]);
                found.extend(here.filter(|(_, written)| rest.starts_with(written)).map(|(name, _)| *name));
            }
            at += 1;
        }
        found
    }

    /// The names of what is in the files below a folder, and in which: except for the e-mails in `mail`, where links
    /// belong.
    fn below(&self, root: &Path) -> BTreeSet<(&'static str, String)> {
        let mut found = BTreeSet::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            // A Postgres that is ending removes some.
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.extend((path != root.join("mail")).then_some(path));
                } else if let Ok(bytes) = fs::read(&path) {
                    let file = path.strip_prefix(root).unwrap().display().to_string();
                    found.extend(self.within(&bytes).into_iter().map(|name| (name, file.clone())));
                }
            }
        }
        found
    }
}

/// The bytes of a text in base32 (RFC 4648, section 6).
fn from_base32(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bits_of = |sign: char| {
        let value = ALPHABET.find(sign).unwrap();
        (0..5).rev().map(move |bit| u8::from((value >> bit) & 1 == 1))
    };
    let bits: Vec<u8> = text.chars().flat_map(bits_of).collect();
    bits.chunks(8).map(|byte| byte.iter().fold(0, |sum: u8, bit| (sum << 1) | bit)).collect()
}

#[test]
fn a_secret_is_found_wherever_and_however_it_is_written() {
    assert_eq!(from_base32("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), b"12345678901234567890");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("base/5")).unwrap();
    fs::create_dir(folder.path().join("mail")).unwrap();
    for (file, content) in [
        ("encoded", "{\"secret\":\"c2V2ZW4gZ3JleSBoZXJvbnM\"}"),
        ("base/5/plain", "\0\0seven grey heronsseven grey herons"),
        ("hexadecimal", "\\x736576656e2067726579206865726f6e73"),
        ("listed", "[115, 101, 118, 101, 110, 32, 103, 114, 101, 121, 32, 104, 101, 114, 111, 110, 115]"),
        ("almost", "seven grey heron, seven grey heroes, c2V2ZW4gZ3JleSBoZXJvbn"),
        ("empty", ""),
        ("mail/1.eml", "seven grey herons"),
    ] {
        fs::write(folder.path().join(file), content).unwrap();
    }
    let mut secrets = Secrets::default();
    secrets.keep_random("birds", "c2V2ZW4gZ3JleSBoZXJvbnM");
    secrets.keep("nowhere", WRONG);
    let found: Vec<_> = Search::of(&secrets).below(folder.path()).into_iter().collect();
    let places = ["base/5/plain", "encoded", "hexadecimal", "listed"];
    assert_eq!(found, places.map(|place| ("birds", place.to_owned())));
}

#[test]
fn no_card_password_or_token_is_readable_in_the_database_or_the_log() {
    run(async {
        let log = std::env::temp_dir().join(format!("driveline-secrets-{}.log", std::process::id()));
        let demo = Demo::open(&[
            ("RUST_LOG", "trace"),
            ("LOG_TO", log.to_str().unwrap()),
            ("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true"),
        ]);
        let subscriber = StandIn::start(vec![Reply::Json(204, String::new())]).await;
        let mut secrets = Secrets::default();
        let product = subscribe(&demo, &subscriber, &mut secrets).await;
        let customer = sign_up_and_in(&demo, &mut secrets).await;
        order_and_pay(&demo, &customer, &product, &mut secrets).await;
        use_links(&demo, &customer, &mut secrets).await;
        add_app(&demo, &customer, &mut secrets).await;
        // Signed with the webhook's secret.
        eventually(SOON, async || !subscriber.received().is_empty()).await;

        demo.crash();
        let search = Search::of(&secrets);
        let (planted, stored): (Vec<_>, Vec<_>) =
            search.below(&demo.data_dir).into_iter().partition(|(name, _)| [EMAIL, REQUEST].contains(name));
        assert!(planted.iter().any(|(name, _)| *name == EMAIL), "the files were not read");
        // Not the shop's: the sandbox stands in for Stripe, which knows the secrets of its payments.
        assert_eq!(stored, [(CLIENT_SECRET, "sandbox-payments.journal".to_owned())]);
        let mut logged = search.within(&fs::read(&log).unwrap());
        assert!(logged.remove(REQUEST), "the log was not read");
        logged.remove(EMAIL);
        assert!(logged.is_empty(), "in the log: {logged:?}");
        fs::remove_file(log).unwrap();
    });
}

/// An admin subscribes to orders and adds a product, whose id is returned. Here and below, a call has a key where the
/// shop then remembers its answer, and the secret in it.
async fn subscribe(demo: &Demo, subscriber: &StandIn, secrets: &mut Secrets) -> String {
    let boss = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    secrets.keep_random("an admin's session", &boss.session);
    secrets.keep("an admin's token", boss.token.as_str());
    let sent = json!({"url": subscriber.base(), "events": ["order.ordered"]});
    let added = boss.send(post("/webhook-endpoints", &sent)).key(&fresh_key()).at(demo).await.is(201).json();
    let secret = added["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap();
    secrets.keep("a webhook's secret", secret);
    secrets.keep("a webhook's secret", BASE64_STANDARD.decode(secret).unwrap());
    inserted(&boss.send(post("/products", &draft(1_000, 2.5))).at(demo).await)
}

/// A customer signs up, mistypes the password, and logs in.
async fn sign_up_and_in(demo: &Demo, secrets: &mut Secrets) -> User {
    let email = User::fresh_email();
    let sent = json!({"name": "Some Body", "email": email, "password": CHOSEN});
    let signed_up = post("/auth/signup", &sent).key(&fresh_key()).at(demo).await.is(201);
    let log_in = |password: &str| post("/auth/login", &json!({"email": email, "password": password})).at(demo);
    log_in(WRONG).await.is(401);
    let logged_in = log_in(CHOSEN).await.is(200);
    secrets.keep("a password", CHOSEN);
    secrets.keep("a wrong password", WRONG);
    for answer in [&signed_up, &logged_in] {
        secrets.keep_random("a session's cookie", &answer.cookie("session").unwrap().0);
        secrets.keep_random("a device's cookie", &answer.cookie("device").unwrap().0);
    }
    secrets.keep(EMAIL, email.as_str());
    secrets.keep(REQUEST, logged_in.header("x-request-id"));
    let (session, _) = logged_in.cookie("session").unwrap();
    let issuing = put(format!("/user/{email}"), &json!({"email": email})).session(&session).key(&fresh_key());
    let token = issuing.at(demo).await.is(200).json()["token"].as_str().unwrap().to_owned();
    secrets.keep("an access token", token.as_str());
    User { email, session, token }
}

/// The customer orders, has one card declined, and pays with another.
async fn order_and_pay(demo: &Demo, customer: &User, product: &str, secrets: &mut Secrets) {
    let order = inserted(&customer.send(post("/orders", &purchase(product, 50))).at(demo).await);
    let opening = post("/create-payment-intent", &json!({"orderId": order})).key(&fresh_key());
    let opened = customer.send(opening).at(demo).await.is(200).json();
    let secret = opened["clientSecret"].as_str().unwrap();
    let (payment, random) = secret.split_once("_secret_").unwrap();
    secrets.keep(CLIENT_SECRET, secret);
    secrets.keep(CLIENT_SECRET, random);
    card(secret, DECLINED_CARD).at(demo).await.is(402);
    card(secret, SPACED_CARD).at(demo).await.is(200);
    for number in [DECLINED_CARD, SPACED_CARD] {
        secrets.keep("a card's number", number);
        secrets.keep("a card's number", number.replace(' ', ""));
    }
    assert_eq!(SPACED_CARD.replace(' ', ""), GOOD_CARD);
    let settling = patch(format!("/orders/{order}"), &hint(&order, payment));
    customer.send(settling).at(demo).await.is(200);
}

/// The customer confirms the address by its link, and asks for a link to set another password.
async fn use_links(demo: &Demo, customer: &User, secrets: &mut Secrets) {
    post("/auth/password/forgot", &json!({"email": customer.email})).at(demo).await.is(202);
    let token_for = |page: &str| {
        let (emails, link) = (demo.emails_to(&customer.email).join("\n"), format!("/{page}#token="));
        emails.lines().find_map(|line| Some(line.split_once(&link)?.1.trim().to_owned()))
    };
    eventually(SOON, async || token_for("verify-email").is_some() && token_for("reset-password").is_some()).await;
    let (verify, reset) = (token_for("verify-email").unwrap(), token_for("reset-password").unwrap());
    secrets.keep_random("the token of a confirmation", &verify);
    secrets.keep_random("the token of a reset", &reset);
    let confirming = post("/auth/verification/confirm", &json!({"token": verify})).session(&customer.session);
    confirming.at(demo).await.is(200);
}

/// The customer adds an authenticator app, and proves another session by a recovery code.
async fn add_app(demo: &Demo, customer: &User, secrets: &mut Secrets) {
    let setup = call("POST", "/auth/second-factor/app").session(&customer.session).at(demo).await.is(200).json();
    let secret = setup["secret"].as_str().unwrap();
    secrets.keep("an app's secret", secret);
    secrets.keep("an app's secret", from_base32(secret));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let code = json!({"code": code_at(secret, now)});
    let added = put("/auth/second-factor/app", &code).session(&customer.session).at(demo).await.is(200).json();
    let codes: Vec<&str> = added["recoveryCodes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(codes.len(), 10);
    for code in &codes {
        secrets.keep("a recovery code", *code);
        secrets.keep("a recovery code", code.replace('-', ""));
    }
    let sent = json!({"email": customer.email, "password": CHOSEN});
    let (session, _) = post("/auth/login", &sent).at(demo).await.is(200).cookie("session").unwrap();
    secrets.keep_random("a session's cookie", &session);
    let proof = post("/auth/second-factor/proof", &json!({"code": codes[0]})).session(&session);
    proof.at(demo).await.is(204);
}
