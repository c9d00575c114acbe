//! The admins' list of users, profiles, reviews and the newsletter.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, created_at};
use crate::server::{call, delete, get, post, put, run};

#[test]
fn admins_see_all_users_with_role_and_without_secrets() {
    run(async {
        let user = User::new().await;
        let listed = admin().await.send(get("/user")).await.is(200).json();
        let found = listed.as_array().unwrap().iter().find(|one| one["email"] == user.email).unwrap().clone();
        assert_eq!(found["role"], "customer");
        assert_eq!(found["displayName"], "Some Body");
        assert_eq!(found["photoURL"], Value::Null);
        assert!(found["_id"].is_string() && found["createdAt"].as_str().unwrap().ends_with('Z'));
        assert!(!listed.to_string().contains("argon2"));
        let boss = listed.as_array().unwrap().iter().find(|one| one["email"] == "admin@example.com").unwrap();
        assert_eq!(boss["role"], "admin");
    });
}

#[test]
fn unknown_users_are_not_found() {
    run(async {
        let boss = admin().await;
        for email in ["nobody@example.com", "not-an-address", "%00", "a%2Fb"] {
            boss.send(call("PUT", format!("/user/admin/{email}"))).await.is(404);
            boss.send(delete(format!("/user/admin/{email}"))).await.is(404);
            boss.send(delete(format!("/user/{email}"))).await.is(404);
        }
    });
}

#[test]
fn admins_cannot_remove_themselves() {
    run(async {
        let user = User::new_admin().await;
        let refused = user.send(delete(format!("/user/{}", user.email))).await.refused(409);
        assert!(refused["message"].as_str().unwrap().contains("your own account"), "{refused}");
        user.send(get("/user")).await.is(200);
    });
}

#[test]
fn a_profile_is_null_until_it_is_saved_and_belongs_to_the_caller() {
    run(async {
        let (user, other) = (User::new().await, User::new().await);
        let mine = format!("/info?email={}", user.email);
        assert_eq!(user.send(get(&*mine)).await.is(200).json(), Value::Null);
        let filled = json!({
            "email": other.email, "studyIn": "Springfield", "livesIn": "Shelbyville", "phone": "123",
            "facebook": "https://facebook.example.com/x", "linkedin": "https://linkedin.example.com/x",
            "github": "https://github.example.com/x",
        });
        assert!(user.send(post("/info", &filled)).await.is(201).json()["insertedId"].is_string());
        let mut expected = filled.clone();
        expected["email"] = json!(user.email);
        assert_eq!(user.send(get(&*mine)).await.is(200).json(), expected);
        assert_eq!(other.send(get(format!("/info?email={}", other.email))).await.is(200).json(), Value::Null);
    });
}

#[test]
fn updating_a_missing_profile_creates_it_and_both_spellings_of_linkedin_work() {
    run(async {
        let user = User::new().await;
        let mine = format!("/info?email={}", user.email);
        let sent = json!({"updatedLivesIn": "Here", "updatedLinkedIn": "https://one.example.com/"});
        assert_eq!(user.send(put(&*mine, &sent)).await.is(200).json(), json!({"modifiedCount": 1}));
        let stored = user.send(get(&*mine)).await.is(200).json();
        assert_eq!(stored["livesIn"], "Here");
        assert_eq!(stored["linkedin"], "https://one.example.com/");
        let sent =
            json!({"updatedLinkedin": "https://two.example.com/", "updatedStudyIn": "There", "updatedPhone": "5"});
        user.send(put(&*mine, &sent)).await.is(200);
        let stored = user.send(get(&*mine)).await.is(200).json();
        assert_eq!(stored["linkedin"], "https://two.example.com/");
        assert_eq!(
            (&stored["livesIn"], &stored["studyIn"], &stored["phone"]),
            (&json!("Here"), &json!("There"), &json!("5"))
        );
    });
}

#[test]
fn profile_links_must_be_web_addresses() {
    run(async {
        let user = User::new().await;
        for link in [
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://example.com",
            "//example.com",
            "example",
            " javascript:x",
        ] {
            for (sent_as, updated_as) in
                [("facebook", "updatedFacebook"), ("linkedin", "updatedLinkedIn"), ("github", "updatedGithub")]
            {
                user.send(post("/info", &json!({sent_as: link}))).await.is(422);
                user.send(put("/info", &json!({updated_as: link}))).await.is(422);
            }
        }
        assert_eq!(user.send(get("/info")).await.is(200).json(), Value::Null);
    });
}

#[test]
fn reviews_are_listed_oldest_first_and_are_validated() {
    run(async {
        let user = User::new().await;
        let mut ids = Vec::new();
        for rating in [0, 5] {
            let sent = json!({"name": "Some Body", "rating": rating, "details": "Sturdy."});
            let answer = user.send(post("/reviews", &sent)).await.is(201).json();
            ids.push(answer["insertedId"].as_str().unwrap().to_owned());
        }
        let listed = get("/reviews").await.is(200).json();
        let listed = listed.as_array().unwrap();
        let place = |id: &String| listed.iter().position(|review| review["_id"] == **id).unwrap();
        assert!(place(&ids[0]) < place(&ids[1]));
        let times: Vec<jiff::Timestamp> = listed.iter().map(created_at).collect();
        assert!(times.is_sorted(), "{times:?}");
        // Other tests write reviews meanwhile: the latest two are these or later ones, oldest first.
        let latest = get("/reviews?limit=2").await.is(200).json();
        let latest: Vec<jiff::Timestamp> = latest.as_array().unwrap().iter().map(created_at).collect();
        assert!(latest.len() == 2 && latest.is_sorted() && latest[0] >= times[place(&ids[0])], "{latest:?}");
        for limit in ["0", "1001", "-1", "1.5", "many", ""] {
            assert_ne!(get(format!("/reviews?limit={limit}")).await.field("limit"), "", "{limit}");
        }
        let fine = json!({"name": "Some Body", "rating": 3, "details": "Sturdy."});
        for (field, wrong) in [
            ("name", json!("")),
            ("name", json!("  ")),
            ("name", json!("n".repeat(81))),
            ("details", json!("")),
            ("details", json!("d".repeat(2_001))),
            ("rating", json!(-1)),
            ("rating", json!(6)),
            ("rating", json!(4.5)),
            ("rating", json!("5")),
            ("rating", Value::Null),
        ] {
            let mut sent = fine.clone();
            sent[field] = wrong;
            assert_ne!(user.send(post("/reviews", &sent)).await.field(field), "", "{sent}");
        }
        let longest = json!({"name": "n".repeat(80), "rating": 3, "details": "d".repeat(2_000)});
        user.send(post("/reviews", &longest)).await.is(201);
    });
}

#[test]
fn the_newsletter_always_accepts_an_address_and_does_not_reveal_known_ones() {
    run(async {
        let sent = json!({"email": User::fresh_email()});
        let first = post("/newsletter", &sent).await.is(202);
        let second = post("/newsletter", &sent).await.is(202);
        assert_eq!(first.body, second.body);
        assert_eq!(post("/newsletter", &json!({"email": "nobody"})).await.field("email"), "Please enter a valid email");
    });
}

#[test]
fn whoever_leaves_the_newsletter_does_not_learn_who_was_on_it() {
    run(async {
        let sent = json!({"email": User::fresh_email()});
        let stranger = call("DELETE", "/newsletter").json(&sent).await.is(202);
        post("/newsletter", &sent).await.is(202);
        let reader = call("DELETE", "/newsletter").json(&sent).await.is(202);
        let again = call("DELETE", "/newsletter").json(&sent).await.is(202);
        assert!(stranger.body == reader.body && reader.body == again.body, "{reader}");
        let nobody = call("DELETE", "/newsletter").json(&json!({"email": "nobody"})).await;
        assert_eq!(nobody.field("email"), "Please enter a valid email");
        assert_eq!(call("DELETE", "/newsletter").json(&json!({})).await.field("email"), "Email is required");
    });
}
