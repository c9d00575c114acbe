//! Where somebody is signed in, and ending it; another password, and one's own picture.

use serde_json::{Value, json};

use crate::pictures::{multipart, png};
use crate::shop::{Call, call, delete, get, patch, post, run};
use crate::things::{PASSWORD, Person, admin, elsewhere, eventually};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NEW_PASSWORD: &str = "a longer walk home";

fn log_in(email: &str, password: &str) -> Call {
    post("/auth/login", &json!({"email": email, "password": password}))
}

async fn listed(person: &Person) -> Vec<Value> {
    let answer = get("/auth/sessions").session(&person.session).await.is(200);
    assert!(answer.header("cache-control").contains("no-store"), "{answer}");
    answer.json().as_array().unwrap().clone()
}

#[test]
fn one_sees_where_one_is_signed_in_and_no_secret() {
    run(async {
        let person = Person::new().await;
        log_in(&person.email, PASSWORD).header("user-agent", FIREFOX).await.is(200);
        let sessions = listed(&person).await;
        assert_eq!(sessions.len(), 2);
        let current: Vec<&Value> = sessions.iter().filter(|session| session["current"] == true).collect();
        assert_eq!(current.len(), 1);
        let other = sessions.iter().find(|session| session["current"] == false).unwrap();
        assert_eq!(other["device"], "Firefox on Linux");
        for session in &sessions {
            for moment in ["openedAt", "lastSeenAt"] {
                assert!(session[moment].as_str().unwrap().ends_with('Z'), "{session}");
            }
            assert_eq!(session.as_object().unwrap().len(), 5, "{session}");
            assert!(!session.to_string().contains(&person.session));
        }
        get("/auth/sessions").await.is(401);
        person.send(get("/auth/sessions")).await.is(401);
    });
}

#[test]
fn a_session_can_be_ended_from_another_and_by_nobody_else() {
    run(async {
        let person = Person::new().await;
        let second = Person::log_in(&person.email, PASSWORD).await;
        let stranger = Person::new().await;
        let sessions = listed(&person).await;
        let id = sessions.iter().find(|session| session["current"] == false).unwrap()["_id"].as_str().unwrap();
        let path = format!("/auth/sessions/{id}");
        delete(&*path).session(&stranger.session).await.is(404);
        delete(&*path).await.is(401);
        delete("/auth/sessions/nonsense").session(&person.session).await.is(404);
        second.send(get("/orders")).await.is(200);
        assert_eq!(delete(&*path).session(&person.session).await.is(200).json(), json!({"deletedCount": 1}));
        second.send(get("/orders")).await.is(401);
        get("/auth/me").session(&second.session).await.is(401);
        assert_eq!(delete(&*path).session(&person.session).await.is(200).json(), json!({"deletedCount": 0}));
        assert_eq!(listed(&person).await.len(), 1);
        // One's own: as if signed out.
        let own = listed(&person).await[0]["_id"].as_str().unwrap().to_owned();
        let gone = delete(format!("/auth/sessions/{own}")).session(&person.session).await.is(200);
        assert!(gone.cookie("session").unwrap().1.contains("Max-Age=0"), "{gone}");
        get("/auth/me").session(&person.session).await.is(401);
    });
}

#[test]
fn all_others_can_be_ended_at_once() {
    run(async {
        let person = Person::new().await;
        let others = [Person::log_in(&person.email, PASSWORD).await, Person::log_in(&person.email, PASSWORD).await];
        let stranger = Person::new().await;
        let ended = delete("/auth/sessions").session(&person.session).await.is(200).json();
        assert_eq!(ended, json!({"deletedCount": 2}));
        for other in &others {
            other.send(get("/orders")).await.is(401);
        }
        person.send(get("/orders")).await.is(200);
        stranger.send(get("/orders")).await.is(200);
        let ended = delete("/auth/sessions").session(&person.session).await.is(200).json();
        assert_eq!(ended, json!({"deletedCount": 0}));
    });
}

#[test]
fn whoever_signs_in_again_in_the_same_browser_has_one_session_there() {
    run(async {
        let person = Person::new().await;
        let again = log_in(&person.email, PASSWORD).session(&person.session).await.is(200);
        get("/auth/me").session(&person.session).await.is(401);
        person.send(get("/orders")).await.is(401);
        get("/auth/me").session(&again.cookie("session").unwrap().0).await.is(200);
        // Somebody else's session is not ended by it.
        let other = Person::new().await;
        log_in(&other.email, PASSWORD).session(&again.cookie("session").unwrap().0).await.is(200);
        get("/auth/me").session(&again.cookie("session").unwrap().0).await.is(200);
    });
}

#[test]
fn another_password_ends_all_other_sessions_and_its_owner_is_told() {
    run(async {
        let person = Person::new().await;
        let other = Person::log_in(&person.email, PASSWORD).await;
        let change = |current: &str, new: &str| {
            post("/auth/password/change", &json!({"currentPassword": current, "newPassword": new}))
        };
        change(PASSWORD, NEW_PASSWORD).await.is(401);
        person.send(change(PASSWORD, NEW_PASSWORD)).await.is(401);
        let here = elsewhere();
        let own = |call: Call| call.session(&person.session).from(here);
        assert!(own(change("not the password", NEW_PASSWORD)).await.field("currentPassword").contains("not your"));
        for weak in ["12345", "password", "driveline", &*person.email] {
            assert_ne!(own(change(PASSWORD, weak)).await.field("newPassword"), "", "{weak}");
        }
        assert_eq!(own(change("", NEW_PASSWORD)).await.field("currentPassword"), "Current password is required");
        log_in(&person.email, PASSWORD).await.is(200);

        own(change(PASSWORD, NEW_PASSWORD)).await.is(204);
        other.send(get("/orders")).await.is(401);
        get("/auth/me").session(&person.session).await.is(200);
        person.send(get("/orders")).await.is(200);
        log_in(&person.email, PASSWORD).from(elsewhere()).await.is(401);
        log_in(&person.email, NEW_PASSWORD).await.is(200);
        eventually(std::time::Duration::from_secs(30), async || {
            crate::shop::emails_to(&person.email).iter().any(|text| text.to_lowercase().contains("password"))
        })
        .await;
    });
}

#[test]
fn wrong_current_passwords_are_counted_as_guesses() {
    run(async {
        let (person, here) = (Person::new().await, elsewhere());
        let change = |current: &str| {
            let sent = json!({"currentPassword": current, "newPassword": NEW_PASSWORD});
            post("/auth/password/change", &sent).session(&person.session).from(here)
        };
        for _ in 0..10 {
            change("not the password").await.is(422);
        }
        let refused = change(PASSWORD).await.is(429);
        assert!((1..=900).contains(&refused.header("retry-after").parse::<u64>().unwrap()), "{refused}");
        log_in(&person.email, PASSWORD).from(here).await.is(429);
        log_in(&person.email, PASSWORD).from(elsewhere()).await.is(200);
    });
}

#[test]
fn others_see_an_uploaded_picture_and_never_one_at_a_foreign_address() {
    run(async {
        let person = Person::new().await;
        let seen_by_admins = async || {
            let everybody = admin().await.send(get(format!("/user?q={}", person.email))).await.is(200).json();
            everybody[0]["photoURL"].clone()
        };
        let foreign = json!({"photoURL": "http://tracker.evil.example/me.png"});
        let own = patch("/auth/me", &foreign).session(&person.session).await.is(200).json();
        assert_eq!(own["photoURL"], foreign["photoURL"]);
        assert_eq!(seen_by_admins().await, Value::Null);
        // A path of this shop is no picture either.
        let action = json!({"photoURL": "/auth/google"});
        patch("/auth/me", &action).session(&person.session).await.is(200);
        assert_eq!(seen_by_admins().await, Value::Null);

        let (media_type, body) = multipart("image", "me.png", "image/png", &png(64, 64));
        let upload = || call("POST", "/auth/me/photo").body(&media_type, body.clone());
        upload().await.is(401);
        person.send(upload()).await.is(401);
        let uploaded = upload().session(&person.session).await.is(200).json();
        assert_eq!(uploaded["email"], person.email);
        assert_eq!(seen_by_admins().await, uploaded["photoURL"]);
        let path = uploaded["photoURL"].as_str().unwrap();
        let path = path.split_once("://").map_or(path, |(_, rest)| &rest[rest.find('/').unwrap()..]);
        assert_eq!(get(path).await.is(200).header("content-type"), "image/webp");
        let text = call("POST", "/auth/me/photo").body(&media_type, multipart("image", "x", "image/png", b"no").1);
        text.session(&person.session).await.is(415);

        patch("/auth/me", &foreign).session(&person.session).await.is(200);
        assert_eq!(seen_by_admins().await, Value::Null);
    });
}

#[test]
fn a_name_cannot_turn_its_emails_round() {
    run(async {
        let person = Person::new().await;
        let sent = json!({"displayName": "Alex \u{202e}nimda\u{202c} \u{2066}(support)\u{2069}"});
        let named = patch("/auth/me", &sent).session(&person.session).await.is(200).json();
        assert_eq!(named["displayName"], "Alex nimda (support)");
        patch("/auth/me", &json!({"displayName": "\u{202e}"})).session(&person.session).await.field("displayName");
    });
}
