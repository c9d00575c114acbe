//! Two-step verification in production: what an admin cannot do before it, what it takes, and what has to be proved again.

use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use testkit::Sql;
use testkit::authenticator::{SoftwarePasskey, code_at};

use crate::fixtures::{PASSWORD, User, eventually};
use crate::server::{Call, Demo, call, delete, get, patch, post, put, run};

const ORIGIN: &str = "https://shop.example.com";

fn open(policy: &str) -> (Demo, String) {
    Demo::serve(&[
        ("PUBLIC_URL", ORIGIN),
        // The Postgres of the tests runs without fsync.
        ("DATABASE_DURABILITY", "trusted"),
        ("ADMIN_SECOND_FACTOR", policy),
    ])
}

fn admin_command(database: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_driveline"))
        .arg("admin")
        .args(arguments)
        .env("DATABASE_URL", database)
        .env("RUST_LOG", "off")
        .output()
        .unwrap()
}

async fn new_admin(shop: &Demo, database: &str) -> User {
    let boss = User::new_at(shop).await;
    assert!(admin_command(database, &["grant", &boss.email, "--unverified"]).status.success());
    boss
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// Signs in with the password alone, and returns the session.
async fn first_step(shop: &Demo, email: &str) -> String {
    let signed_in = post("/auth/login", &json!({"email": email, "password": PASSWORD})).at(shop).await.is(200);
    signed_in.cookie("session").unwrap().0
}

/// Adds an authenticator app to a session's account. Returns its secret and the recovery codes.
async fn add_app(shop: &Demo, session: &str) -> (String, Vec<String>) {
    let setup = call("POST", "/auth/second-factor/app").session(session).at(shop).await.is(200).json();
    let secret = setup["secret"].as_str().unwrap().to_owned();
    let code = json!({"code": code_at(&secret, now())});
    let added = put("/auth/second-factor/app", &code).session(session).at(shop).await.is(200).json();
    let codes = added["recoveryCodes"].as_array().unwrap();
    (secret, codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

fn prove(session: &str, code: &str) -> Call {
    post("/auth/second-factor/proof", &json!({"code": code})).session(session)
}

fn token_of(session: &str, email: &str) -> Call {
    put(format!("/user/{email}"), &json!({"email": email})).session(session)
}

async fn is_refused_as(call: Call, kind: &str) {
    assert_eq!(call.await.refused(403)["type"], format!("/problems/{kind}"));
}

/// Makes it eleven minutes since the sessions of an account proved themselves and were opened.
async fn eleven_minutes_later(shop: &Demo, database: &str, session: &str, email: &str) {
    Sql::connect(database).run(&format!(
        "UPDATE sessions SET second_factor_at = second_factor_at - interval '11 minutes',
         opened_at = opened_at - interval '11 minutes'
         WHERE account_id = (SELECT id FROM accounts WHERE email = '{email}')"
    ));
    // What is remembered of a session is half a second old at most.
    let stale = async || {
        let asked = call("POST", "/auth/second-factor/app").session(session).at(shop).await;
        asked.status == 403
    };
    eventually(Duration::from_secs(3), stale).await;
}

#[test]
fn an_admin_is_served_as_a_customer_until_they_add_a_second_factor() {
    run(async {
        let (shop, database) = open("required");
        let boss = new_admin(&shop, &database).await;
        let sees_missing =
            async || boss.send(get("/user")).at(&shop).await.json()["type"] == "/problems/second-factor-missing";
        eventually(Duration::from_secs(3), sees_missing).await;
        for denied in [get("/user"), get("/allOrders"), get("/allOrders.csv"), get("/audit")] {
            is_refused_as(boss.send(denied).at(&shop), "second-factor-missing").await;
        }
        boss.send(get(format!("/orders?email={}", boss.email))).at(&shop).await.is(200);
        // What is remembered of the session is half a second old at most.
        let no_token = async || token_of(&boss.session, &boss.email).at(&shop).await.status == 403;
        eventually(Duration::from_secs(3), no_token).await;
        let issue = || token_of(&boss.session, &boss.email).key("one key for both").at(&shop);
        is_refused_as(issue(), "second-factor-missing").await;
        let status = get("/auth/second-factor").session(&boss.session).at(&shop).await.is(200).json();
        assert_eq!((&status["required"], &status["enrolled"]), (&json!(true), &json!(false)), "{status}");

        let setup = call("POST", "/auth/second-factor/app").session(&boss.session).at(&shop).await.is(200);
        assert!(setup.header("cache-control").contains("no-store"), "{setup}");
        let setup = setup.json();
        let secret = setup["secret"].as_str().unwrap();
        assert!(setup["link"].as_str().unwrap().contains(secret), "{setup}");
        assert!(setup["qr"]["path"].as_str().unwrap().starts_with("M0 0h7v1h-7z"), "{setup}");
        for wrong in ["000000", "12345", "", "no code"] {
            let refused = put("/auth/second-factor/app", &json!({"code": wrong}));
            let refused = refused.session(&boss.session).at(&shop).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], "code", "{wrong:?}");
        }
        let code = json!({"code": code_at(secret, now())});
        let added = put("/auth/second-factor/app", &code).session(&boss.session).at(&shop).await.is(200).json();
        assert_eq!(added["recoveryCodes"].as_array().unwrap().len(), 10);
        boss.send(get("/user")).at(&shop).await.is(200);
        issue().await.is(200);
        // The last one stays.
        let refused = delete("/auth/second-factor/app").session(&boss.session).at(&shop).await.refused(409);
        assert_eq!(refused["type"], "/problems/last-second-factor");
        Sql::connect(&database).run("UPDATE accounts SET role = 'customer'");
        let gone = async || {
            delete("/auth/second-factor/app").session(&boss.session).at(&shop).await.json()
                == json!({"deletedCount": 1})
        };
        eventually(Duration::from_secs(3), gone).await;
    });
}

/// Visitors, ended sessions and foreign pages are refused by every call of the second step.
async fn nobody_else_calls_them(shop: &Demo, ended: &str, session: &str) {
    for (method, path) in [
        ("GET", ""),
        ("POST", "/app"),
        ("PUT", "/app"),
        ("DELETE", "/app"),
        ("POST", "/passkeys/options"),
        ("POST", "/passkeys"),
        ("DELETE", "/passkeys/00000000-0000-7000-8000-000000000000"),
        ("POST", "/recovery-codes"),
        ("POST", "/proof"),
        ("POST", "/proof/passkey/options"),
        ("POST", "/proof/passkey"),
    ] {
        let visitors = || call(method, format!("/auth/second-factor{path}")).at(shop);
        visitors().await.is(401);
        visitors().session(ended).await.is(401);
        visitors().session(session).header("origin", "https://evil.example").await.is(if method == "GET" {
            200
        } else {
            403
        });
    }
}

#[test]
fn a_password_alone_opens_nothing_of_an_account_with_a_second_factor() {
    run(async {
        let (shop, database) = open("required");
        let boss = new_admin(&shop, &database).await;
        let other = first_step(&shop, &boss.email).await;
        let (secret, recovery) = add_app(&shop, &boss.session).await;
        get("/auth/me").session(&other).at(&shop).await.is(401);

        let session = first_step(&shop, &boss.email).await;
        get("/auth/me").session(&session).at(&shop).await.is(200);
        let status = get("/auth/second-factor").session(&session).at(&shop).await.is(200).json();
        assert_eq!(
            (&status["proved"], &status["byApp"], &status["factors"]),
            (&json!(false), &json!(true), &Value::Null)
        );
        for closed in [
            token_of(&session, &boss.email),
            get("/auth/sessions"),
            delete("/auth/sessions"),
            get("/auth/verification"),
            get("/auth/sign-in-methods"),
            patch("/auth/me", &json!({"displayName": "Somebody"})),
            post("/auth/password/change", &json!({"currentPassword": PASSWORD, "newPassword": "a shorter walk home"})),
            call("POST", "/auth/second-factor/app"),
            call("POST", "/auth/second-factor/recovery-codes"),
            call("POST", "/auth/second-factor/passkeys/options"),
            delete("/auth/second-factor/app"),
        ] {
            is_refused_as(closed.session(&session).at(&shop), "second-factor-required").await;
        }
        nobody_else_calls_them(&shop, &other, &session).await;
        // The code that confirmed the app, and one that was never shown.
        for wrong in [&code_at(&secret, now()), "000000", "AAAA-BBBB-CCCC-DDDD"] {
            prove(&session, wrong).at(&shop).await.refused(422);
        }
        let next = code_at(&secret, now() + 30);
        prove(&session, &next).at(&shop).await.is(204);
        prove(&session, &next).at(&shop).await.refused(422);
        let token =
            token_of(&session, &boss.email).at(&shop).await.is(200).json()["token"].as_str().unwrap().to_owned();
        get("/user").token(&token).at(&shop).await.is(200);
        // Another session proves itself; a recovery code does, once, however it is typed.
        let session = first_step(&shop, &boss.email).await;
        let typed = recovery[0].to_lowercase().replace('-', " ");
        prove(&session, &typed).at(&shop).await.is(204);
        prove(&session, &recovery[0]).at(&shop).await.refused(422);
        let status = get("/auth/second-factor").session(&session).at(&shop).await.is(200).json();
        assert_eq!(status["factors"]["recoveryCodes"], 9);
        let renewed =
            call("POST", "/auth/second-factor/recovery-codes").session(&session).at(&shop).await.is(200).json();
        prove(&session, &recovery[1]).at(&shop).await.refused(422);
        prove(&session, renewed["recoveryCodes"][0].as_str().unwrap()).at(&shop).await.is(204);
        call("POST", "/auth/logout").session(&first_step(&shop, &boss.email).await).at(&shop).await.is(204);
        // Nothing of it is readable in the database.
        let mut sql = Sql::connect(&database);
        let plain = format!(
            "SELECT count(*) FROM authenticator_apps, recovery_codes
             WHERE strpos(encode(secret_sealed, 'escape'), '{secret}') > 0 OR hash = convert_to('{}', 'UTF8')",
            recovery[2]
        );
        assert_eq!(sql.number(&plain), 0);
    });
}

#[test]
fn what_does_lasting_harm_asks_for_a_proof_of_the_last_ten_minutes() {
    run(async {
        let (shop, database) = open("required");
        let boss = new_admin(&shop, &database).await;
        let (secret, _) = add_app(&shop, &boss.session).await;
        let token =
            token_of(&boss.session, &boss.email).at(&shop).await.is(200).json()["token"].as_str().unwrap().to_owned();
        let nobody = "00000000-0000-7000-8000-000000000000";
        let harmful = || {
            let webhook = json!({"url": "https://erp.example.com/hooks", "events": ["order.paid"]});
            [
                (call("PUT", "/user/admin/nobody@example.com"), 404),
                (delete("/user/admin/nobody@example.com"), 404),
                (delete("/user/nobody@example.com"), 404),
                (post("/webhook-endpoints", &webhook), 201),
                (delete(format!("/webhook-endpoints/{nobody}")), 200),
                (post(format!("/outbox/retry?endpoint={nobody}"), &json!({})), 404),
                (get("/products.csv"), 200),
                (get("/allOrders.csv"), 200),
                (get("/allCheckouts.csv"), 200),
                (get("/overview/sales.csv"), 200),
                (get("/audit.csv"), 200),
                (post(format!("/orders/{nobody}/refund"), &json!({})), 404),
                (post(format!("/returns/{nobody}/accept"), &json!({"restock": true})), 404),
            ]
        };
        eleven_minutes_later(&shop, &database, &boss.session, &boss.email).await;
        for (number, (call, _)) in harmful().into_iter().enumerate() {
            let refused = call.token(&token).at(&shop).await;
            assert_eq!(refused.status, 403, "{number}: {refused}");
            assert_eq!(refused.refused(403)["type"], "/problems/second-factor-again", "{number}");
        }
        get("/user").token(&token).at(&shop).await.is(200);
        get("/allOrders").token(&token).at(&shop).await.is(200);
        is_refused_as(
            call("POST", "/auth/second-factor/recovery-codes").session(&boss.session).at(&shop),
            "second-factor-again",
        )
        .await;
        prove(&boss.session, &code_at(&secret, now() + 30)).at(&shop).await.is(204);
        for (number, (call, status)) in harmful().into_iter().enumerate() {
            let answer = call.token(&token).at(&shop).await;
            assert_eq!(answer.status, status, "{number}: {answer}");
        }
    });
}

#[test]
fn a_passkey_proves_a_session_at_its_own_shop_alone() {
    run(async {
        let (shop, database) = open("required");
        let boss = new_admin(&shop, &database).await;
        let status = get("/auth/second-factor").session(&boss.session).at(&shop).await.is(200).json();
        assert_eq!(status["passkeyHost"], "shop.example.com");
        let (mut laptop, elsewhere) = (SoftwarePasskey::at(ORIGIN), SoftwarePasskey::at("https://shop.example.net"));
        let ask = async || {
            call("POST", "/auth/second-factor/passkeys/options").session(&boss.session).at(&shop).await.is(200).json()
        };
        let add = |passkey: &SoftwarePasskey, options: &Value| {
            let made = json!({"name": "Laptop", "credential": passkey.create(options)});
            post("/auth/second-factor/passkeys", &made).session(&boss.session).at(&shop)
        };
        let options = ask().await;
        add(&elsewhere, &options).await.refused(422);
        assert_eq!(add(&laptop, &options).await.refused(409)["type"], "/problems/challenge-gone", "asked once");
        for bad in [json!({}), json!({"name": "", "credential": {}}), json!({"name": "x", "credential": "text"})] {
            post("/auth/second-factor/passkeys", &bad).session(&boss.session).at(&shop).await.refused(422);
        }
        let added = add(&laptop, &ask().await).await.is(200).json();
        assert_eq!(added["recoveryCodes"].as_array().unwrap().len(), 10);
        let excluded = ask().await;
        assert_eq!(excluded["publicKey"]["excludeCredentials"].as_array().unwrap().len(), 1);

        let session = first_step(&shop, &boss.email).await;
        let question = async || {
            let asked = call("POST", "/auth/second-factor/proof/passkey/options").session(&session).at(&shop).await;
            asked.is(200).json()
        };
        let answer = |credential: Value| {
            let sent = json!({ "credential": credential });
            post("/auth/second-factor/proof/passkey", &sent).session(&session).at(&shop)
        };
        let first = question().await;
        let signed = laptop.sign(&first);
        question().await;
        answer(signed).await.refused(422);
        let signed = laptop.sign(&question().await);
        answer(signed.clone()).await.is(204);
        answer(signed).await.refused(422);
        token_of(&session, &boss.email).at(&shop).await.is(200);
        let status = get("/auth/second-factor").session(&session).at(&shop).await.is(200).json();
        let passkey = &status["factors"]["passkeys"][0];
        assert_eq!(passkey["name"], "Laptop");
        assert!(passkey["lastUsedAt"].is_string(), "{passkey}");
        // A session without passkeys asks for none.
        let user = User::new_at(&shop).await;
        let none = call("POST", "/auth/second-factor/proof/passkey/options").session(&user.session).at(&shop);
        assert_eq!(none.await.refused(409)["type"], "/problems/no-second-factor");
    });
}

#[test]
fn whoever_knows_the_password_tries_ten_codes_and_the_owner_still_gets_in() {
    run(async {
        let (shop, database) = open("optional");
        let user = User::new_at(&shop).await;
        let refused = call("POST", "/auth/second-factor/app").session(&user.session).at(&shop).await.refused(409);
        assert_eq!(refused["type"], "/problems/unproved", "somebody else may have signed up with the address");
        Sql::connect(&database).run("UPDATE accounts SET proved_at = now(), email_verified_at = now()");
        let (secret, recovery) = add_app(&shop, &user.session).await;
        let thief = first_step(&shop, &user.email).await;
        let wrong: Vec<Call> = (0..30).map(|_| prove(&thief, "000000").at(&shop)).collect();
        let answers = crate::server::all(wrong).await;
        let looked_at = answers.iter().filter(|answer| answer.status == 422).count();
        assert_eq!((looked_at, answers.iter().filter(|answer| answer.status == 429).count()), (10, 20));
        let late = answers.iter().find(|answer| answer.status == 429).unwrap();
        assert!((1..=900).contains(&late.header("retry-after").parse::<u32>().unwrap()), "{late}");
        // From any session: it is the account that is guessed at.
        let owners = first_step(&shop, &user.email).await;
        prove(&owners, &code_at(&secret, now() + 30)).at(&shop).await.is(429);
        prove(&owners, &recovery[0]).at(&shop).await.is(204);
        // Under `optional` a session that proved nothing lately may still do what needs no second factor.
        token_of(&owners, &user.email).at(&shop).await.is(200);
    });
}

#[test]
fn the_first_factor_is_added_soon_after_the_sign_in_and_an_operator_can_take_all_away() {
    run(async {
        let (shop, database) = open("optional");
        let boss = new_admin(&shop, &database).await;
        // Optional: an admin without one works as before.
        boss.send(get("/user")).at(&shop).await.is(200);
        boss.send(get("/allOrders.csv")).at(&shop).await.is(200);
        eleven_minutes_later(&shop, &database, &boss.session, &boss.email).await;
        is_refused_as(call("POST", "/auth/second-factor/app").session(&boss.session).at(&shop), "sign-in-again").await;
        let session = first_step(&shop, &boss.email).await;
        add_app(&shop, &session).await;
        is_refused_as(token_of(&first_step(&shop, &boss.email).await, &boss.email).at(&shop), "second-factor-required")
            .await;
        let forgotten = admin_command(&database, &["forget-second-factor", &boss.email]);
        assert!(forgotten.status.success(), "{forgotten:?}");
        assert!(String::from_utf8_lossy(&forgotten.stdout).contains("no second factor any more"), "{forgotten:?}");
        let ended = async || get("/auth/me").session(&session).at(&shop).await.status == 401;
        eventually(Duration::from_secs(3), ended).await;
        token_of(&first_step(&shop, &boss.email).await, &boss.email).at(&shop).await.is(200);
        let nobody = admin_command(&database, &["forget-second-factor", "nobody@example.com"]);
        assert_eq!(nobody.status.code(), Some(2));
    });
}
