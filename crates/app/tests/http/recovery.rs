//! Password resets and address confirmation, through the e-mails that the demo writes to its folder.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::fixtures::{PASSWORD, User, admin, elsewhere, eventually};
use crate::google::Browser;
use crate::server::{Answer, Call, Demo, all, call, emails_to, get, post, run};

const NEW_PASSWORD: &str = "a longer walk home";

/// How long an e-mail may take: the outbox is polled every few seconds.
const EMAIL_TIMEOUT: Duration = Duration::from_secs(20);

fn forgot(email: &str) -> Call {
    post("/auth/password/forgot", &json!({"email": email}))
}

fn reset(token: &str, password: &str) -> Call {
    post("/auth/password/reset", &json!({"token": token, "password": password}))
}

/// The request of the confirmation page when the account is signed in.
fn confirm(token: &str) -> Call {
    post("/auth/verification/confirm", &json!({"token": token}))
}

fn confirm_with(token: &str, password: &str) -> Call {
    post("/auth/verification/confirm", &json!({"token": token, "password": password}))
}

pub(crate) async fn token_to(email: &str, page: &str) -> String {
    tokens(|| emails_to(email), page, 1).await.remove(0)
}

fn log_in(email: &str, password: &str) -> Call {
    post("/auth/login", &json!({"email": email, "password": password}))
}

async fn is_verified(user: &User) -> bool {
    let output = get("/auth/verification").session(&user.session).await.is(200).json();
    assert_eq!(output["email"], user.email);
    output["verified"].as_bool().unwrap()
}

/// The tokens in those of the e-mails that link to a page.
fn tokens_in(emails: &[String], page: &str) -> Vec<String> {
    let token = |text: &String| {
        let link = text.lines().find(|line| line.contains(&format!("/{page}#token=")))?;
        Some(link.split_once("#token=")?.1.trim().to_owned())
    };
    emails.iter().filter_map(token).collect()
}

/// The tokens in the e-mails that link an address to a page, oldest first, once there are this many.
async fn tokens(emails: impl Fn() -> Vec<String>, page: &str, many: usize) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let found = tokens_in(&emails(), page);
        if found.len() >= many {
            assert_eq!(found.len(), many, "more e-mails than were requested");
            return found;
        }
        assert!(begun.elapsed() < EMAIL_TIMEOUT, "{} of {many} e-mails link to {page}", found.len());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn reset_token(email: &str) -> String {
    forgot(email).await.is(202);
    tokens(|| emails_to(email), "reset-password", 1).await.remove(0)
}

fn is_gone(answer: Answer) {
    let refused = answer.refused(410);
    assert_eq!(refused["type"], "/problems/link-gone");
    assert_eq!(refused["message"], "This link has expired or has already been used.");
}

#[test]
fn a_reset_link_sets_a_password_once_and_ends_all_sessions() {
    run(async {
        let user = User::new().await;
        let token = reset_token(&user.email).await;
        assert_eq!(token.len(), 43, "{token}");
        get("/auth/me").session(&user.session).await.is(200);

        // A rejected password does not use up the link.
        assert_eq!(reset(&token, "12345").await.field("password"), "Must be at least 6 characters");
        assert_eq!(
            reset(&token, "password").await.field("password"),
            "This password is too common. Choose another one."
        );
        let output = reset(&token, NEW_PASSWORD).await.is(200);
        assert_eq!(output.json(), json!({"email": user.email}));
        assert!(output.cookie("session").is_none(), "{output}");

        get("/auth/me").session(&user.session).await.is(401);
        call("PUT", format!("/user/{}", user.email)).session(&user.session).await.is(401);
        user.send(get("/orders")).await.is(401);
        log_in(&user.email, PASSWORD).from(elsewhere()).await.is(401);
        let back = User::log_in(&user.email, NEW_PASSWORD).await;
        // Using the e-mailed link also confirms the address.
        assert!(is_verified(&back).await);
        is_gone(reset(&token, PASSWORD).await);
        User::log_in(&user.email, NEW_PASSWORD).await;
    });
}

/// How a login with a wrong password is answered on a device: 401 if it was checked, else 429.
async fn tries(email: &str, here: [u8; 4], device: Option<&str>) -> u16 {
    let call = log_in(email, "not the password").from(here);
    let call = match device {
        Some(device) => call.header("cookie", format!("device={device}")),
        None => call,
    };
    call.await.status
}

/// Uses up the attempts that all unknown devices together have.
async fn use_up(email: &str, here: [u8; 4]) {
    for _ in 0..10 {
        assert_eq!(tries(email, here, None).await, 401);
    }
    assert_eq!(tries(email, here, None).await, 429);
}

#[test]
fn a_device_is_unknown_once_the_password_is_another() {
    run(async {
        let email = User::fresh_email();
        let sent = json!({"name": "Some Body", "email": email, "password": PASSWORD});
        let signed_up = post("/auth/signup", &sent).await.is(201);
        let (first, _) = signed_up.cookie("device").unwrap();
        let user = User::of(signed_up, None).await;
        let here = elsewhere();
        use_up(&email, here).await;
        assert_eq!(tries(&email, here, Some(&first)).await, 401, "a known device has attempts of its own");
        // By whoever is signed in: that lifts the limit.
        let change = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
        let changed = post("/auth/password/change", &change).session(&user.session).await.is(204);
        let (second, _) = changed.cookie("device").unwrap();
        use_up(&email, here).await;
        assert_eq!(tries(&email, here, Some(&first)).await, 429, "it may be anybody's who knew the password of before");
        assert_eq!(tries(&email, here, Some(&second)).await, 401, "it was changed on this one");
        // By whoever reads the mail.
        reset(&reset_token(&email).await, PASSWORD).await.is(200);
        use_up(&email, here).await;
        for device in [&first, &second] {
            assert_eq!(tries(&email, here, Some(device)).await, 429);
        }
    });
}

#[test]
fn a_password_reset_lifts_the_login_limit() {
    run(async {
        let (user, here) = (User::new().await, elsewhere());
        for _ in 0..10 {
            log_in(&user.email, "not the password").from(here).await.is(401);
        }
        log_in(&user.email, PASSWORD).from(here).await.is(429);
        let token = reset_token(&user.email).await;
        reset(&token, NEW_PASSWORD).await.is(200);
        log_in(&user.email, NEW_PASSWORD).from(here).await.is(200);
    });
}

#[test]
fn of_twenty_concurrent_uses_of_a_reset_link_one_sets_the_password() {
    run(async {
        let user = User::new().await;
        let token = reset_token(&user.email).await;
        let password = |nth: usize| format!("a walk of {nth} miles");
        let answers = all((0..20).map(|nth| reset(&token, &password(nth)).while_unavailable())).await;
        assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 410 | 503)));
        let chosen: Vec<usize> = (0..20).filter(|nth| answers[*nth].status == 200).collect();
        assert_eq!(chosen.len(), 1, "{chosen:?}");
        User::log_in(&user.email, &password(chosen[0])).await;
    });
}

#[test]
fn a_repeated_reset_with_the_same_key_happens_once_and_is_replayed() {
    run(async {
        let user = User::new().await;
        let token = reset_token(&user.email).await;
        let key = crate::fixtures::fresh_key();
        let first = reset(&token, NEW_PASSWORD).key(&key).await.is(200);
        let again = reset(&token, NEW_PASSWORD).key(&key).await.is(200);
        assert_eq!(first.json(), again.json());
    });
}

#[test]
fn a_reset_request_does_not_reveal_whether_an_address_has_an_account() {
    run(async {
        let user = User::new().await;
        let unregistered = User::fresh_email();
        let (known, unknown) = (forgot(&user.email).await.is(202), forgot(&unregistered).await.is(202));
        assert_eq!((known.json(), unknown.json()), (json!({}), json!({})));
        let seen = |answer: &Answer| {
            let mut headers: Vec<(String, String)> = answer
                .headers
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "date" | "x-request-id"))
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
                .collect();
            headers.sort();
            headers
        };
        assert_eq!(seen(&known), seen(&unknown));
        for (sent, message) in [
            (json!({"email": "invalid"}), "Please enter a valid email"),
            (json!({"email": " "}), "Email is required"),
            (json!({}), "Email is required"),
        ] {
            assert_eq!(post("/auth/password/forgot", &sent).await.field("email"), message);
        }
        tokens(|| emails_to(&user.email), "reset-password", 1).await;
        eventually(EMAIL_TIMEOUT, async || waiting_for(&unregistered).await == 0).await;
        assert_eq!(emails_to(&unregistered), Vec::<String>::new());
    });
}

/// The number of e-mails to an address that wait in the outbox.
async fn waiting_for(email: &str) -> usize {
    let waiting = admin().await.send(get("/outbox?state=waiting&limit=1000")).await.is(200).json();
    waiting.as_array().unwrap().iter().filter(|one| one["to"] == email).count()
}

#[test]
fn an_address_gets_three_reset_emails_however_often_they_are_requested() {
    run(async {
        let user = User::new().await;
        // Requests made together result in one e-mail; in two if the first was sent before the last request arrived,
        // because a request joins only an e-mail that still waits.
        all((0..20).map(|_| forgot(&user.email))).await;
        eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        let sent = tokens_in(&emails_to(&user.email), "reset-password").len();
        assert!((1..=2).contains(&sent), "{sent} e-mails");
        for _ in 0..5 {
            forgot(&user.email).await.is(202);
            eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        }
        let secrets = tokens(|| emails_to(&user.email), "reset-password", 3).await;
        // Any of the links works, and after that none does.
        reset(&secrets[1], NEW_PASSWORD).await.is(200);
        for secret in &secrets {
            is_gone(reset(secret, PASSWORD).await);
        }
        // E-mails of the other kind have their own limit: one was sent at sign-up.
        tokens(|| emails_to(&user.email), "verify-email", 1).await;
    });
}

#[test]
fn an_altered_or_invented_link_does_nothing() {
    run(async {
        let user = User::new().await;
        let token = reset_token(&user.email).await;
        let verify = tokens(|| emails_to(&user.email), "verify-email", 1).await.remove(0);
        let last = if token.ends_with('A') { 'B' } else { 'A' };
        for wrong in [
            format!("{}{last}", &token[..42]),
            token[..42].to_owned(),
            format!("{token}="),
            format!(" {token}"),
            token.to_uppercase() + "a",
            verify.clone(),
            "\u{0}".to_owned(),
            "ä".repeat(43),
            "a".repeat(50_000),
        ] {
            is_gone(reset(&wrong, NEW_PASSWORD).await);
        }
        is_gone(confirm(&token).await);
        assert_eq!(
            post("/auth/password/reset", &json!({"password": PASSWORD})).await.field("token"),
            "Token is required"
        );
        assert_eq!(confirm("").await.field("token"), "Token is required");
        let own = "Don't use your name or email. Choose another one.";
        assert_eq!(reset(&token, &user.email.to_uppercase()).await.field("password"), own);
        confirm_with(&verify, PASSWORD).await.is(200);
        reset(&token, NEW_PASSWORD).await.is(200);
    });
}

#[test]
fn an_address_is_confirmed_by_the_link_sent_to_it() {
    run(async {
        let user = User::new().await;
        assert!(!is_verified(&user).await);
        let first = tokens(|| emails_to(&user.email), "verify-email", 1).await.remove(0);
        // An e-mail is in its folder a moment before it is recorded as sent, and a request joins one that still waits.
        eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        let asked = post("/auth/verification", &json!({})).session(&user.session).await.is(202);
        assert_eq!(asked.json(), json!({}));
        let both = tokens(|| emails_to(&user.email), "verify-email", 2).await;
        assert_ne!(both[0], both[1]);

        let output = confirm(&first).session(&user.session).await.is(200);
        assert_eq!(output.json(), json!({"email": user.email, "verified": true}));
        assert!(is_verified(&user).await);
        is_gone(confirm(&first).session(&user.session).await);
        call("POST", "/auth/verification").session(&user.session).await.is(202);
        // Nothing is left to confirm: no third e-mail waits, and none was sent.
        eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        assert_eq!(tokens(|| emails_to(&user.email), "verify-email", 2).await, both);
        // It does not sign in.
        assert!(output.cookie("session").is_none(), "{output}");
        User::log_in(&user.email, PASSWORD).await;
    });
}

#[test]
fn repeated_requests_for_the_confirmation_email_send_at_most_three() {
    run(async {
        let user = User::new().await;
        for _ in 0..6 {
            call("POST", "/auth/verification").session(&user.session).await.is(202);
            // Only one waits at a time.
            eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        }
        eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        tokens(|| emails_to(&user.email), "verify-email", 3).await;
    });
}

#[test]
fn a_removed_user_gets_no_email_and_their_link_does_nothing() {
    run(async {
        let user = User::new().await;
        let token = reset_token(&user.email).await;
        admin().await.send(call("DELETE", format!("/user/{}", user.email))).await.is(200);
        is_gone(reset(&token, NEW_PASSWORD).await);
        forgot(&user.email).await.is(202);
        eventually(EMAIL_TIMEOUT, async || waiting_for(&user.email).await == 0).await;
        tokens(|| emails_to(&user.email), "reset-password", 1).await;
    });
}

#[test]
fn a_page_with_a_token_in_its_address_leaks_it_to_no_one() {
    run(async {
        for page in ["/reset-password?token=secret", "/verify-email?token=secret"] {
            let page = get(page).header("accept", "text/html").await.is(200);
            assert_eq!(page.header("referrer-policy"), "no-referrer", "{page}");
            assert_eq!(page.header("cache-control"), "no-store", "{page}");
            assert!(!page.text().contains("secret"), "{page}");
        }
        let other = get("/forgot-password").header("accept", "text/html").await.is(200);
        assert_eq!(other.header("referrer-policy"), "strict-origin-when-cross-origin", "{other}");
    });
}

#[test]
fn an_address_that_google_verified_is_confirmed_from_the_start() {
    run(async {
        let demo = Demo::open(&[]);
        let mut browser = Browser::at(&demo);
        browser.sign_in("/", "Robin Vale").await.is(303);
        let output = get("/auth/verification").session(browser.session().unwrap()).at(&demo).await.is(200).json();
        assert_eq!(output, json!({"email": "robin.vale@example.com", "verified": true}));
        assert_eq!(demo.emails_to("robin.vale@example.com"), Vec::<String>::new());
    });
}

#[test]
fn a_click_by_the_addresss_owner_does_not_confirm_an_attackers_account() {
    run(async {
        let attacker = User::new().await;
        let link = token_to(&attacker.email, "verify-email").await;
        let elsewhere = User::new().await;
        for click in [confirm(&link), confirm(&link).session(&elsewhere.session)] {
            assert_eq!(click.await.refused(409)["type"], "/problems/confirm-as-owner");
        }
        assert_eq!(
            confirm_with(&link, "another password").await.field("password"),
            "This isn't the password for the account"
        );
        assert!(!is_verified(&attacker).await);
        // The owner of the address can take the account over instead.
        let take_over =
            |password: &str| post("/auth/verification/take-over", &json!({"token": link, "password": password}));
        assert_eq!(take_over("12345").await.field("password"), "Must be at least 6 characters");
        assert_eq!(take_over(NEW_PASSWORD).await.is(200).json(), json!({"email": attacker.email}));
        get("/auth/me").session(&attacker.session).await.is(401);
        attacker.send(get("/orders")).await.is(401);
        log_in(&attacker.email, PASSWORD).await.is(401);
        let owner = User::log_in(&attacker.email, NEW_PASSWORD).await;
        assert!(is_verified(&owner).await);
        is_gone(take_over(NEW_PASSWORD).await);
    });
}

#[test]
fn an_attackers_account_can_be_deleted_by_the_owner_who_can_then_sign_up() {
    run(async {
        let attacker = User::new().await;
        let order = crate::fixtures::some_order(&attacker).await;
        let link = token_to(&attacker.email, "verify-email").await;
        let delete = || post("/auth/verification/delete", &json!({"token": link}));
        assert_eq!(delete().await.is(200).json(), json!({"deletedCount": 1}));
        is_gone(delete().await);
        get("/auth/me").session(&attacker.session).await.is(401);
        log_in(&attacker.email, PASSWORD).await.is(401);
        admin().await.send(get(format!("/orders/{order}"))).await.is(404);
        post("/auth/signup", &json!({"name": "Owner", "email": attacker.email, "password": NEW_PASSWORD}))
            .await
            .is(201);
    });
}

#[test]
fn the_owner_is_notified_of_a_new_password_and_of_role_changes() {
    run(async {
        let user = User::new().await;
        let link = token_to(&user.email, "verify-email").await;
        confirm(&link).session(&user.session).await.is(200);
        let says = async |what: &str| {
            eventually(EMAIL_TIMEOUT, async || emails_to(&user.email).iter().any(|text| text.starts_with(what))).await;
            let emails = emails_to(&user.email);
            let message = emails.iter().find(|text| text.starts_with(what)).unwrap().clone();
            assert!(message.contains("Wasn't you?") && message.contains("/forgot-password"), "{message}");
        };
        let boss = admin().await;
        boss.send(call("PUT", format!("/user/admin/{}", user.email))).await.is(200);
        says("You're now an admin").await;
        let of_admins = || emails_to("admin@example.com");
        eventually(EMAIL_TIMEOUT, async || of_admins().iter().any(|text| text.contains(&user.email))).await;
        boss.send(call("DELETE", format!("/user/admin/{}", user.email))).await.is(200);
        says("You're no longer an admin").await;
        let token = reset_token(&user.email).await;
        reset(&token, NEW_PASSWORD).await.is(200);
        says("Your password was reset").await;
    });
}

#[test]
fn an_unconfirmed_address_gets_three_emails_an_hour_without_user_input() {
    run(async {
        let attacker = User::new().await;
        let product = crate::fixtures::product(50_000, 2.5).await;
        let typed = "Your account is locked, call +1-900";
        for _ in 0..12 {
            let mut body = crate::fixtures::purchase(&product, 50);
            body["name"] = json!(typed);
            body["address"] = json!(typed);
            attacker.send(post("/orders", &body)).await.is(201);
        }
        eventually(EMAIL_TIMEOUT, async || waiting_for(&attacker.email).await == 0).await;
        let emails = emails_to(&attacker.email);
        assert_eq!(emails.len(), 3, "{emails:?}");
        assert!(emails.iter().all(|text| !text.contains("locked")), "{emails:?}");
        assert!(emails.iter().any(|text| text.contains("Thanks for your order")), "{emails:?}");
    });
}

/// The files below a folder that contain these bytes, except for the e-mails in `mail`.
fn files_with(folder: &Path, wanted: &[u8], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "mail") {
            files_with(&path, wanted, found);
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(wanted.len()).any(|window| window == wanted)
        {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn invented_links_do_nothing_and_no_secret_is_stored_outside_its_email() {
    run(async {
        let log = std::env::temp_dir().join(format!("driveline-recovery-{}.log", std::process::id()));
        let log_to = log.display().to_string();
        let settings = [
            ("RUST_LOG", "trace"),
            ("LOG_TO", &*log_to),
            ("RATE_LIMIT_BURST", "5000"),
            ("RATE_LIMIT_PER_SECOND", "500"),
        ];
        let demo = Demo::open(&settings);
        let user = User::new_at(&demo).await;
        forgot(&user.email).at(&demo).await.is(202);
        let token = tokens(|| demo.emails_to(&user.email), "reset-password", 1).await.remove(0);
        let verify = tokens(|| demo.emails_to(&user.email), "verify-email", 1).await.remove(0);

        for hundred in 0..10 {
            let made_up = (0..100).map(|nth| {
                let n: u32 = hundred * 100 + nth;
                reset(&format!("{}{n:04}", &token[..39]), NEW_PASSWORD).at(&demo)
            });
            for answer in all(made_up).await {
                is_gone(answer);
            }
        }
        log_in(&user.email, PASSWORD).at(&demo).await.is(200);
        get(format!("/reset-password?token={token}")).header("accept", "text/html").at(&demo).await.is(200);
        confirm_with(&verify, PASSWORD).at(&demo).await.is(200);
        reset(&token, NEW_PASSWORD).at(&demo).await.is(200);
        log_in(&user.email, NEW_PASSWORD).at(&demo).await.is(200);

        demo.crash();
        let in_files = |wanted: &str| {
            let mut found = Vec::new();
            files_with(&demo.data_dir, wanted.as_bytes(), &mut found);
            found
        };
        assert!(!in_files(&user.email).is_empty(), "the search itself does not work");
        let output = std::fs::read_to_string(&log).unwrap();
        assert!(output.contains("/auth/password/reset"), "the log is empty: {} bytes", output.len());
        for secret in [&*token, &*verify, NEW_PASSWORD] {
            assert_eq!(in_files(secret), Vec::<String>::new());
            assert!(!output.contains(secret), "a secret is in the log");
        }
        std::fs::remove_file(&log).unwrap();
    });
}
