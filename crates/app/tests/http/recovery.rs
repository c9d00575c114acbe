//! Forgotten passwords and confirmed addresses, by the letters that the demo puts into its folder.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::google::Browser;
use crate::shop::{Answer, Call, Demo, all, call, emails_to, get, post, run};
use crate::things::{PASSWORD, Person, admin, elsewhere, eventually};

const NEW_PASSWORD: &str = "a longer walk home";

/// How long a letter may take: the shop looks every few seconds at the most.
const PATIENCE: Duration = Duration::from_secs(20);

fn forgot(email: &str) -> Call {
    post("/auth/password/forgot", &json!({"email": email}))
}

fn reset(token: &str, password: &str) -> Call {
    post("/auth/password/reset", &json!({"token": token, "password": password}))
}

/// What a link's page sends for whoever is signed in to the account.
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

async fn is_verified(person: &Person) -> bool {
    let told = get("/auth/verification").session(&person.session).await.is(200).json();
    assert_eq!(told["email"], person.email);
    told["verified"].as_bool().unwrap()
}

/// The secrets in the letters that lead an address to a page of the shop, the oldest first, once there are so many.
async fn tokens(emails: impl Fn() -> Vec<String>, page: &str, many: usize) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let found: Vec<String> = emails()
            .iter()
            .filter_map(|text| {
                let link = text.lines().find(|line| line.contains(&format!("/{page}#token=")))?;
                Some(link.split_once("#token=")?.1.trim().to_owned())
            })
            .collect();
        if found.len() >= many {
            assert_eq!(found.len(), many, "more letters than were asked for");
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{} of {many} letters lead to {page}", found.len());
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
    assert_eq!(refused["message"], "This link has been used or is too old");
}

#[test]
fn an_emails_link_chooses_another_password_once_and_ends_what_the_old_one_opened() {
    run(async {
        let person = Person::new().await;
        let token = reset_token(&person.email).await;
        assert_eq!(token.len(), 43, "{token}");
        get("/auth/me").session(&person.session).await.is(200);

        // What is wrong with a password does not cost the link.
        assert_eq!(reset(&token, "12345").await.field("password"), "Must be at least 6 characters");
        assert_eq!(
            reset(&token, "password").await.field("password"),
            "This password is too common, please choose another"
        );
        let told = reset(&token, NEW_PASSWORD).await.is(200);
        assert_eq!(told.json(), json!({"email": person.email}));
        assert!(told.cookie("session").is_none(), "{told}");

        get("/auth/me").session(&person.session).await.is(401);
        call("PUT", format!("/user/{}", person.email)).session(&person.session).await.is(401);
        person.send(get("/orders")).await.is(401);
        log_in(&person.email, PASSWORD).from(elsewhere()).await.is(401);
        let back = Person::log_in(&person.email, NEW_PASSWORD).await;
        // Whoever read the letter has proved the address.
        assert!(is_verified(&back).await);
        is_gone(reset(&token, PASSWORD).await);
        Person::log_in(&person.email, NEW_PASSWORD).await;
    });
}

#[test]
fn another_password_lets_those_in_who_had_guessed_too_often() {
    run(async {
        let (person, here) = (Person::new().await, elsewhere());
        for _ in 0..10 {
            log_in(&person.email, "not the password").from(here).await.is(401);
        }
        log_in(&person.email, PASSWORD).from(here).await.is(429);
        let token = reset_token(&person.email).await;
        reset(&token, NEW_PASSWORD).await.is(200);
        log_in(&person.email, NEW_PASSWORD).from(here).await.is(200);
    });
}

#[test]
fn of_twenty_who_use_a_link_at_once_one_chooses_the_password() {
    run(async {
        let person = Person::new().await;
        let token = reset_token(&person.email).await;
        let password = |nth: usize| format!("a walk of {nth} miles");
        let answers = all((0..20).map(|nth| reset(&token, &password(nth)).while_away())).await;
        assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 410 | 503)));
        let chosen: Vec<usize> = (0..20).filter(|nth| answers[*nth].status == 200).collect();
        assert_eq!(chosen.len(), 1, "{chosen:?}");
        Person::log_in(&person.email, &password(chosen[0])).await;
    });
}

#[test]
fn the_same_reset_under_the_same_key_happens_once_and_is_answered_again() {
    run(async {
        let person = Person::new().await;
        let token = reset_token(&person.email).await;
        let key = crate::things::fresh_key();
        let first = reset(&token, NEW_PASSWORD).key(&key).await.is(200);
        let again = reset(&token, NEW_PASSWORD).key(&key).await.is(200);
        assert_eq!(first.json(), again.json());
    });
}

#[test]
fn whether_an_address_has_an_account_is_told_by_nothing() {
    run(async {
        let person = Person::new().await;
        let stranger = Person::fresh_email();
        let (known, unknown) = (forgot(&person.email).await.is(202), forgot(&stranger).await.is(202));
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
            (json!({"email": "nobody"}), "Please enter a valid email"),
            (json!({"email": " "}), "Email is required"),
            (json!({}), "Email is required"),
        ] {
            assert_eq!(post("/auth/password/forgot", &sent).await.field("email"), message);
        }
        tokens(|| emails_to(&person.email), "reset-password", 1).await;
        eventually(PATIENCE, async || waiting_for(&stranger).await == 0).await;
        assert_eq!(emails_to(&stranger), Vec::<String>::new());
    });
}

/// How many letters wait to be written to an address.
async fn waiting_for(email: &str) -> usize {
    let waiting = admin().await.send(get("/outbox?state=waiting&limit=1000")).await.is(200).json();
    waiting.as_array().unwrap().iter().filter(|one| one["to"] == email).count()
}

#[test]
fn an_address_gets_three_emails_however_often_they_are_asked_for() {
    run(async {
        let person = Person::new().await;
        // Those that are asked for together are one.
        all((0..20).map(|_| forgot(&person.email))).await;
        eventually(PATIENCE, async || waiting_for(&person.email).await == 0).await;
        tokens(|| emails_to(&person.email), "reset-password", 1).await;
        for _ in 0..5 {
            forgot(&person.email).await.is(202);
            eventually(PATIENCE, async || waiting_for(&person.email).await == 0).await;
        }
        let secrets = tokens(|| emails_to(&person.email), "reset-password", 3).await;
        // Any of them works, and then none does.
        reset(&secrets[1], NEW_PASSWORD).await.is(200);
        for secret in &secrets {
            is_gone(reset(secret, PASSWORD).await);
        }
        // Letters of the other kind have a measure of their own: one came when they signed up.
        tokens(|| emails_to(&person.email), "verify-email", 1).await;
    });
}

#[test]
fn a_link_that_was_altered_or_made_up_does_nothing() {
    run(async {
        let person = Person::new().await;
        let token = reset_token(&person.email).await;
        let verify = tokens(|| emails_to(&person.email), "verify-email", 1).await.remove(0);
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
        let own = "Must not be your name or your email address, please choose another";
        assert_eq!(reset(&token, &person.email.to_uppercase()).await.field("password"), own);
        confirm_with(&verify, PASSWORD).await.is(200);
        reset(&token, NEW_PASSWORD).await.is(200);
    });
}

#[test]
fn an_address_is_confirmed_by_the_link_that_was_sent_to_it() {
    run(async {
        let person = Person::new().await;
        assert!(!is_verified(&person).await);
        let first = tokens(|| emails_to(&person.email), "verify-email", 1).await.remove(0);
        let asked = post("/auth/verification", &json!({})).session(&person.session).await.is(202);
        assert_eq!(asked.json(), json!({}));
        let both = tokens(|| emails_to(&person.email), "verify-email", 2).await;
        assert_ne!(both[0], both[1]);

        let told = confirm(&first).session(&person.session).await.is(200);
        assert_eq!(told.json(), json!({"email": person.email, "verified": true}));
        assert!(is_verified(&person).await);
        is_gone(confirm(&first).session(&person.session).await);
        call("POST", "/auth/verification").session(&person.session).await.is(202);
        assert_eq!(waiting_for(&person.email).await, 0, "there is nothing left to confirm");
        // It opened nothing.
        assert!(told.cookie("session").is_none(), "{told}");
        Person::log_in(&person.email, PASSWORD).await;
    });
}

#[test]
fn whoever_asks_for_the_email_again_and_again_gets_three() {
    run(async {
        let person = Person::new().await;
        for _ in 0..6 {
            call("POST", "/auth/verification").session(&person.session).await.is(202);
            // One waits at a time.
            eventually(PATIENCE, async || waiting_for(&person.email).await == 0).await;
        }
        eventually(PATIENCE, async || waiting_for(&person.email).await == 0).await;
        tokens(|| emails_to(&person.email), "verify-email", 3).await;
    });
}

#[test]
fn a_removed_person_gets_no_email_and_their_link_opens_nothing() {
    run(async {
        let person = Person::new().await;
        let token = reset_token(&person.email).await;
        admin().await.send(call("DELETE", format!("/user/{}", person.email))).await.is(200);
        is_gone(reset(&token, NEW_PASSWORD).await);
        forgot(&person.email).await.is(202);
        eventually(PATIENCE, async || waiting_for(&person.email).await == 0).await;
        tokens(|| emails_to(&person.email), "reset-password", 1).await;
    });
}

#[test]
fn a_page_that_is_gone_to_with_a_secret_passes_it_on_to_nobody() {
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
fn an_address_that_google_speaks_for_is_confirmed_from_the_first() {
    run(async {
        let demo = Demo::open(&[]);
        let mut browser = Browser::at(&demo);
        browser.sign_in("/", "Robin Vale").await.is(303);
        let told = get("/auth/verification").session(browser.session().unwrap()).at(&demo).await.is(200).json();
        assert_eq!(told, json!({"email": "robin.vale@example.com", "verified": true}));
        assert_eq!(demo.emails_to("robin.vale@example.com"), Vec::<String>::new());
    });
}

#[test]
fn the_owners_click_does_not_confirm_a_stranger() {
    run(async {
        let stranger = Person::new().await;
        let link = token_to(&stranger.email, "verify-email").await;
        let elsewhere = Person::new().await;
        for click in [confirm(&link), confirm(&link).session(&elsewhere.session)] {
            assert_eq!(click.await.refused(409)["type"], "/problems/confirm-as-owner");
        }
        assert_eq!(confirm_with(&link, "a guess").await.field("password"), "This is not the password of the account");
        assert!(!is_verified(&stranger).await);
        // Whoever reads the mail takes the account over instead.
        let take_over =
            |password: &str| post("/auth/verification/take-over", &json!({"token": link, "password": password}));
        assert_eq!(take_over("12345").await.field("password"), "Must be at least 6 characters");
        assert_eq!(take_over(NEW_PASSWORD).await.is(200).json(), json!({"email": stranger.email}));
        get("/auth/me").session(&stranger.session).await.is(401);
        stranger.send(get("/orders")).await.is(401);
        log_in(&stranger.email, PASSWORD).await.is(401);
        let owner = Person::log_in(&stranger.email, NEW_PASSWORD).await;
        assert!(is_verified(&owner).await);
        is_gone(take_over(NEW_PASSWORD).await);
    });
}

#[test]
fn a_strangers_account_is_deleted_by_the_owner_who_can_sign_up_then() {
    run(async {
        let stranger = Person::new().await;
        let order = crate::things::some_order(&stranger).await;
        let link = token_to(&stranger.email, "verify-email").await;
        let delete = || post("/auth/verification/delete", &json!({"token": link}));
        assert_eq!(delete().await.is(200).json(), json!({"deletedCount": 1}));
        is_gone(delete().await);
        get("/auth/me").session(&stranger.session).await.is(401);
        log_in(&stranger.email, PASSWORD).await.is(401);
        admin().await.send(get(format!("/orders/{order}"))).await.is(404);
        post("/auth/signup", &json!({"name": "Owner", "email": stranger.email, "password": NEW_PASSWORD}))
            .await
            .is(201);
    });
}

#[test]
fn the_owner_is_emailed_when_a_password_is_set_and_when_a_role_is_given_or_taken() {
    run(async {
        let person = Person::new().await;
        let link = token_to(&person.email, "verify-email").await;
        confirm(&link).session(&person.session).await.is(200);
        let says = async |what: &str| {
            eventually(PATIENCE, async || emails_to(&person.email).iter().any(|text| text.starts_with(what))).await;
            let emails = emails_to(&person.email);
            let message = emails.iter().find(|text| text.starts_with(what)).unwrap().clone();
            assert!(message.contains("If it was not you") && message.contains("/forgot-password"), "{message}");
        };
        let boss = admin().await;
        boss.send(call("PUT", format!("/user/admin/{}", person.email))).await.is(200);
        says("You are an admin now").await;
        let of_admins = || emails_to("admin@example.com");
        eventually(PATIENCE, async || of_admins().iter().any(|text| text.contains(&person.email))).await;
        boss.send(call("DELETE", format!("/user/admin/{}", person.email))).await.is(200);
        says("You are no longer an admin").await;
        let token = reset_token(&person.email).await;
        reset(&token, NEW_PASSWORD).await.is(200);
        says("Your password was set").await;
    });
}

#[test]
fn an_address_that_nobody_confirmed_gets_three_emails_an_hour_and_nothing_that_was_typed() {
    run(async {
        let stranger = Person::new().await;
        let product = crate::things::product(50_000, 2.5).await;
        let typed = "Your account is locked, call +1-900";
        for _ in 0..12 {
            let mut body = crate::things::purchase(&product, 50);
            body["name"] = json!(typed);
            body["address"] = json!(typed);
            stranger.send(post("/orders", &body)).await.is(201);
        }
        eventually(PATIENCE, async || waiting_for(&stranger.email).await == 0).await;
        let emails = emails_to(&stranger.email);
        assert_eq!(emails.len(), 3, "{emails:?}");
        assert!(emails.iter().all(|text| !text.contains("locked")), "{emails:?}");
        assert!(emails.iter().any(|text| text.contains("Thank you for your order")), "{emails:?}");
    });
}

/// Every file below a folder but those of `mail`, which are letters, in which some bytes stand.
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
fn a_thousand_made_up_links_open_nothing_and_no_secret_is_anywhere_but_in_its_email() {
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
        let person = Person::new_at(&demo).await;
        forgot(&person.email).at(&demo).await.is(202);
        let token = tokens(|| demo.emails_to(&person.email), "reset-password", 1).await.remove(0);
        let verify = tokens(|| demo.emails_to(&person.email), "verify-email", 1).await.remove(0);

        for hundred in 0..10 {
            let made_up = (0..100).map(|nth| {
                let n: u32 = hundred * 100 + nth;
                reset(&format!("{}{n:04}", &token[..39]), NEW_PASSWORD).at(&demo)
            });
            for answer in all(made_up).await {
                is_gone(answer);
            }
        }
        log_in(&person.email, PASSWORD).at(&demo).await.is(200);
        get(format!("/reset-password?token={token}")).header("accept", "text/html").at(&demo).await.is(200);
        confirm_with(&verify, PASSWORD).at(&demo).await.is(200);
        reset(&token, NEW_PASSWORD).at(&demo).await.is(200);
        log_in(&person.email, NEW_PASSWORD).at(&demo).await.is(200);

        demo.crash();
        let in_files = |wanted: &str| {
            let mut found = Vec::new();
            files_with(&demo.data_dir, wanted.as_bytes(), &mut found);
            found
        };
        assert!(!in_files(&person.email).is_empty(), "this test does not know how to look");
        let told = std::fs::read_to_string(&log).unwrap();
        assert!(told.contains("/auth/password/reset"), "this log tells nothing: {} bytes", told.len());
        for secret in [&*token, &*verify, NEW_PASSWORD] {
            assert_eq!(in_files(secret), Vec::<String>::new());
            assert!(!told.contains(secret), "a secret is in the log");
        }
        std::fs::remove_file(&log).unwrap();
    });
}
