//! The list of sessions and ending them; password changes and profile pictures.

use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, admin, elsewhere, eventually};
use crate::pictures::{multipart, png};
use crate::server::{Call, call, delete, get, patch, post, run};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NEW_PASSWORD: &str = "a longer walk home";

fn log_in(email: &str, password: &str) -> Call {
    post("/auth/login", &json!({"email": email, "password": password}))
}

async fn listed(user: &User) -> Vec<Value> {
    let answer = get("/auth/sessions").session(&user.session).await.is(200);
    assert!(answer.header("cache-control").contains("no-store"), "{answer}");
    answer.json().as_array().unwrap().clone()
}

#[test]
fn no_call_of_a_session_is_answered_without_one_that_lives() {
    run(async {
        let (out, removed, other) = (User::new().await, User::new().await, User::new().await);
        post("/auth/logout", &json!({})).session(&out.session).await.is(204);
        admin().await.send(delete(format!("/user/{}", removed.email))).await.is(200);
        let described = get("/openapi.json").await.is(200).json();
        let mut asked = 0;
        for (path, methods) in described["paths"].as_object().unwrap() {
            for (method, _) in
                methods.as_object().unwrap().iter().filter(|(_, call)| call["security"] == json!([{"session": []}]))
            {
                let path =
                    path.replace("{id}", "0199f3a0-0000-7000-8000-000000000001").replace("{email}", &other.email);
                let sent = call(&method.to_uppercase(), path).json(&json!({}));
                sent.clone().await.is(401);
                for session in ["", "not-a-session", &out.session, &removed.session, &other.token] {
                    sent.clone().session(session).await.is(401);
                }
                sent.token(&other.token).await.is(401);
                asked += 1;
            }
        }
        assert!(asked > 20, "only {asked} calls ask for a session");
        assert_eq!(listed(&other).await.len(), 1);
    });
}

#[test]
fn a_user_sees_their_sessions_without_any_secret() {
    run(async {
        let user = User::new().await;
        log_in(&user.email, PASSWORD).header("user-agent", FIREFOX).await.is(200);
        let sessions = listed(&user).await;
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
            assert!(!session.to_string().contains(&user.session));
        }
        get("/auth/sessions").await.is(401);
        user.send(get("/auth/sessions")).await.is(401);
    });
}

#[test]
fn a_session_can_be_ended_from_another_one_of_its_owner_only() {
    run(async {
        let user = User::new().await;
        let second = User::log_in(&user.email, PASSWORD).await;
        let other_user = User::new().await;
        let sessions = listed(&user).await;
        let id = sessions.iter().find(|session| session["current"] == false).unwrap()["_id"].as_str().unwrap();
        let path = format!("/auth/sessions/{id}");
        delete(&*path).session(&other_user.session).await.is(404);
        delete(&*path).await.is(401);
        delete("/auth/sessions/nonsense").session(&user.session).await.is(404);
        second.send(get("/orders")).await.is(200);
        assert_eq!(delete(&*path).session(&user.session).await.is(200).json(), json!({"deletedCount": 1}));
        second.send(get("/orders")).await.is(401);
        get("/auth/me").session(&second.session).await.is(401);
        assert_eq!(delete(&*path).session(&user.session).await.is(200).json(), json!({"deletedCount": 0}));
        assert_eq!(listed(&user).await.len(), 1);
        // Ending the current session signs out.
        let own = listed(&user).await[0]["_id"].as_str().unwrap().to_owned();
        let gone = delete(format!("/auth/sessions/{own}")).session(&user.session).await.is(200);
        assert!(gone.cookie("session").unwrap().1.contains("Max-Age=0"), "{gone}");
        get("/auth/me").session(&user.session).await.is(401);
    });
}

#[test]
fn all_other_sessions_can_be_ended_together() {
    run(async {
        let user = User::new().await;
        let others = [User::log_in(&user.email, PASSWORD).await, User::log_in(&user.email, PASSWORD).await];
        let other_user = User::new().await;
        let ended = delete("/auth/sessions").session(&user.session).await.is(200).json();
        assert_eq!(ended, json!({"deletedCount": 2}));
        for other in &others {
            other.send(get("/orders")).await.is(401);
        }
        user.send(get("/orders")).await.is(200);
        other_user.send(get("/orders")).await.is(200);
        let ended = delete("/auth/sessions").session(&user.session).await.is(200).json();
        assert_eq!(ended, json!({"deletedCount": 0}));
    });
}

#[test]
fn signing_in_again_in_the_same_browser_leaves_one_session() {
    run(async {
        let user = User::new().await;
        let again = log_in(&user.email, PASSWORD).session(&user.session).await.is(200);
        get("/auth/me").session(&user.session).await.is(401);
        user.send(get("/orders")).await.is(401);
        get("/auth/me").session(&again.cookie("session").unwrap().0).await.is(200);
        // It does not end another user's session.
        let other = User::new().await;
        log_in(&other.email, PASSWORD).session(&again.cookie("session").unwrap().0).await.is(200);
        get("/auth/me").session(&again.cookie("session").unwrap().0).await.is(200);
    });
}

#[test]
fn a_password_change_ends_all_other_sessions_and_notifies_the_owner() {
    run(async {
        let user = User::new().await;
        let other = User::log_in(&user.email, PASSWORD).await;
        let change = |current: &str, new: &str| {
            post("/auth/password/change", &json!({"currentPassword": current, "newPassword": new}))
        };
        change(PASSWORD, NEW_PASSWORD).await.is(401);
        user.send(change(PASSWORD, NEW_PASSWORD)).await.is(401);
        let here = elsewhere();
        let own = |call: Call| call.session(&user.session).from(here);
        assert!(own(change("not the password", NEW_PASSWORD)).await.field("currentPassword").contains("isn't your"));
        for weak in ["12345", "password", "driveline", &*user.email] {
            assert_ne!(own(change(PASSWORD, weak)).await.field("newPassword"), "", "{weak}");
        }
        assert_eq!(own(change("", NEW_PASSWORD)).await.field("currentPassword"), "Current password is required");
        log_in(&user.email, PASSWORD).await.is(200);

        own(change(PASSWORD, NEW_PASSWORD)).await.is(204);
        other.send(get("/orders")).await.is(401);
        get("/auth/me").session(&user.session).await.is(200);
        user.send(get("/orders")).await.is(200);
        log_in(&user.email, PASSWORD).from(elsewhere()).await.is(401);
        log_in(&user.email, NEW_PASSWORD).await.is(200);
        eventually(std::time::Duration::from_secs(30), async || {
            crate::server::emails_to(&user.email).iter().any(|text| text.to_lowercase().contains("password"))
        })
        .await;
    });
}

#[test]
fn wrong_current_passwords_count_as_failed_logins() {
    run(async {
        let (user, here) = (User::new().await, elsewhere());
        let change = |current: &str| {
            let sent = json!({"currentPassword": current, "newPassword": NEW_PASSWORD});
            post("/auth/password/change", &sent).session(&user.session).from(here)
        };
        for _ in 0..10 {
            change("not the password").await.is(422);
        }
        let refused = change(PASSWORD).await.is(429);
        assert!((1..=900).contains(&refused.header("retry-after").parse::<u64>().unwrap()), "{refused}");
        log_in(&user.email, PASSWORD).from(here).await.is(429);
        log_in(&user.email, PASSWORD).from(elsewhere()).await.is(200);
    });
}

#[test]
fn others_see_an_uploaded_picture_but_never_an_external_one() {
    run(async {
        let user = User::new().await;
        let seen_by_admins = async || {
            let listed = admin().await.send(get(format!("/user?q={}", user.email))).await.is(200).json();
            listed[0]["photoURL"].clone()
        };
        let foreign = json!({"photoURL": "http://tracker.evil.example/me.png"});
        let own = patch("/auth/me", &foreign).session(&user.session).await.is(200).json();
        assert_eq!(own["photoURL"], foreign["photoURL"]);
        assert_eq!(seen_by_admins().await, Value::Null);
        // A path of this shop is not a picture either.
        let action = json!({"photoURL": "/auth/google"});
        patch("/auth/me", &action).session(&user.session).await.is(200);
        assert_eq!(seen_by_admins().await, Value::Null);

        let (media_type, body) = multipart("image", "me.png", "image/png", &png(64, 64));
        let upload = || call("POST", "/auth/me/photo").body(&media_type, body.clone());
        upload().await.is(401);
        user.send(upload()).await.is(401);
        let uploaded = upload().session(&user.session).await.is(200).json();
        assert_eq!(uploaded["email"], user.email);
        assert_eq!(seen_by_admins().await, uploaded["photoURL"]);
        let path = uploaded["photoURL"].as_str().unwrap();
        let path = path.split_once("://").map_or(path, |(_, rest)| &rest[rest.find('/').unwrap()..]);
        assert_eq!(get(path).await.is(200).header("content-type"), "image/webp");
        let text = call("POST", "/auth/me/photo").body(&media_type, multipart("image", "x", "image/png", b"no").1);
        text.session(&user.session).await.is(415);

        patch("/auth/me", &foreign).session(&user.session).await.is(200);
        assert_eq!(seen_by_admins().await, Value::Null);
    });
}

#[test]
fn bidirectional_control_characters_are_removed_from_names() {
    run(async {
        let user = User::new().await;
        let sent = json!({"displayName": "Alex \u{202e}nimda\u{202c} \u{2066}(support)\u{2069}"});
        let named = patch("/auth/me", &sent).session(&user.session).await.is(200).json();
        assert_eq!(named["displayName"], "Alex nimda (support)");
        patch("/auth/me", &json!({"displayName": "\u{202e}"})).session(&user.session).await.field("displayName");
    });
}
