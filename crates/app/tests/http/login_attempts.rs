//! Failed logins: how many are checked, for whom they count, and who can still sign in.

use std::time::Duration;

use serde_json::json;

use crate::fixtures::{PASSWORD, User, elsewhere};
use crate::server::{Answer, Call, all, get, post, run, spawn};

/// How many networks try a password at the same time.
const WAVE: usize = 20;

fn log_in(email: &str, password: &str) -> Call {
    post("/auth/login", &json!({"email": email, "password": password}))
}

fn wrong(email: &str) -> Call {
    log_in(email, "not the password")
}

/// How many login attempts were checked.
fn checked(answers: &[Answer]) -> usize {
    assert!(answers.iter().all(|answer| matches!(answer.status, 401 | 429)));
    answers.iter().filter(|answer| answer.status == 401).count()
}

#[test]
fn a_sign_in_sets_a_cookie_that_identifies_the_device() {
    run(async {
        let email = User::fresh_email();
        let sent = json!({"name": "Some Body", "email": email, "password": PASSWORD});
        let signed_up = post("/auth/signup", &sent).await.is(201);
        let logged_in = log_in(&email, PASSWORD).await.is(200);
        for answer in [&signed_up, &logged_in] {
            let (_, attributes) = answer.cookie("device").unwrap();
            assert!(attributes.contains("HttpOnly") && attributes.contains("Path=/"), "{attributes}");
            assert!(attributes.contains("SameSite=Lax") && attributes.contains("Max-Age=31536000"), "{attributes}");
        }
        assert!(wrong(&email).from(elsewhere()).await.is(401).cookie("device").is_none());
    });
}

#[test]
fn the_owner_can_sign_in_from_a_known_device_despite_many_failed_logins() {
    run(async {
        let email = User::fresh_email();
        let sent = json!({"name": "Some Body", "email": email, "password": PASSWORD});
        let (device, _) = post("/auth/signup", &sent).await.is(201).cookie("device").unwrap();
        // From a thousand networks, and from the owner's own. In waves: of the logins to one account one runs and ten wait, and
        // the server is too busy for any more.
        let home = elsewhere();
        let mut answers = Vec::new();
        for _ in 0..1_000 / WAVE {
            answers.extend(all((0..WAVE).map(|_| wrong(&email).from(elsewhere()))).await);
        }
        answers.extend(all((0..50).map(|_| wrong(&email).from(home))).await);
        assert_eq!(answers.len(), 1_050);
        // Ten within a quarter of an hour, and one of each network up to a hundred a day.
        let checked = checked(&answers);
        assert!((10..=10 + 100).contains(&checked), "{checked} were checked");
        log_in(&email, PASSWORD).from(home).await.is(429);
        let known = |password: &str| log_in(&email, password).from(home).header("cookie", format!("device={device}"));
        let back = known(PASSWORD).await.is(200);
        assert!(back.cookie("device").is_some());
        // The device has ten attempts of its own, and counts for no other account.
        for _ in 0..10 {
            known("not the password").await.is(401);
        }
        let refused = known(PASSWORD).await.is(429);
        assert!((1..=900).contains(&refused.header("retry-after").parse::<u64>().unwrap()), "{refused}");
        let other = User::new().await;
        for _ in 0..10 {
            wrong(&other.email).from(home).header("cookie", format!("device={device}")).await.is(401);
        }
        wrong(&other.email).from(home).header("cookie", format!("device={device}")).await.is(429);
    });
}

#[test]
fn one_password_tried_at_many_accounts_is_stopped_after_thirty() {
    run(async {
        let (here, owner) = (elsewhere(), User::new().await);
        let mut answers = Vec::new();
        for _ in 0..20 {
            answers.push(wrong(&User::fresh_email()).from(here).await);
        }
        answers.extend(all((0..40).map(|_| wrong(&User::fresh_email()).from(here))).await);
        assert_eq!(checked(&answers), 30);
        let refused = log_in(&owner.email, PASSWORD).from(here).await.is(429);
        assert_eq!(refused.json()["type"], "/problems/too-many-attempts");
        log_in(&owner.email, PASSWORD).from(elsewhere()).await.is(200);
    });
}

#[test]
fn a_flood_of_logins_from_one_address_does_not_delay_others() {
    run(async {
        let owner = User::new().await;
        let here = elsewhere();
        let flood: Vec<_> = (0..200).map(|_| spawn(wrong(&User::fresh_email()).from(here).into_future())).collect();
        let elsewhere = elsewhere();
        for _ in 0..20 {
            let login = log_in(&owner.email, PASSWORD).from(elsewhere);
            tokio::time::timeout(Duration::from_secs(10), login.into_future()).await.unwrap().is(200);
        }
        let mut answers = Vec::new();
        for answer in flood {
            answers.push(answer.await.unwrap());
        }
        assert_eq!(checked(&answers), 30);
    });
}

#[test]
fn a_hundred_users_can_log_in_from_one_address_concurrently() {
    run(async {
        let here = elsewhere();
        let signed_up = all((0..100).map(|_| {
            let sent = json!({"name": "Some Body", "email": User::fresh_email(), "password": PASSWORD});
            post("/auth/signup", &sent)
        }))
        .await;
        let emails = signed_up.iter().map(|user| user.json()["email"].as_str().unwrap().to_owned());
        for answer in all(emails.map(|email| log_in(&email, PASSWORD).from(here))).await {
            answer.is(200);
        }
    });
}

#[test]
fn aborted_logins_with_a_key_delay_no_one_and_are_not_stored() {
    run(async {
        let owner = User::new().await;
        let aborted: Vec<_> = (0..60)
            .map(|nth| {
                let login_attempt =
                    wrong(&owner.email).from(elsewhere()).key(&format!("hung-up-{}-{nth}", owner.email));
                spawn(
                    async move { tokio::time::timeout(Duration::from_millis(300), login_attempt.into_future()).await },
                )
            })
            .collect();
        for one in aborted {
            let _ = one.await.unwrap();
        }
        // The next request waits for one login at most.
        let answer = wrong(&owner.email).from(elsewhere());
        let answer = tokio::time::timeout(Duration::from_secs(10), answer.into_future()).await.unwrap();
        assert!(matches!(answer.status, 401 | 429), "{answer}");

        let other = User::new().await;
        let keyed = || log_in(&other.email, PASSWORD).key(&format!("twice-{}", other.email));
        let sessions = [keyed().await.is(200), keyed().await.is(200)].map(|answer| answer.cookie("session").unwrap().0);
        assert_ne!(sessions[0], sessions[1]);
        for session in sessions {
            get("/auth/me").session(&session).await.is(200);
        }
    });
}
