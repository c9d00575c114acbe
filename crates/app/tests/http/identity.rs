//! Signing up, in and out.

use std::time::Instant;

use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, but_for_the_trace, elsewhere, unique};
use crate::server::{call, get, patch, post, put, run};

fn signup(name: &str, email: &str, password: &str) -> Value {
    json!({"name": name, "email": email, "password": password})
}

fn login(email: &str, password: &str) -> Value {
    json!({"email": email, "password": password})
}

#[test]
fn a_new_user_is_signed_in_and_can_sign_in_again() {
    run(async {
        let email = User::fresh_email();
        let answer = post("/auth/signup", &signup("Some Body", &email, PASSWORD)).await.is(201);
        let expected = json!({"email": email, "displayName": "Some Body", "photoURL": null});
        assert_eq!(answer.json(), expected);
        let (session, _) = answer.cookie("session").unwrap();
        assert_eq!(get("/auth/me").session(&session).await.is(200).json(), expected);
        let gone = call("POST", "/auth/logout").session(&session).await.is(204);
        for name in ["session", "signed-in"] {
            let (value, attributes) = gone.cookie(name).unwrap();
            assert!(value.is_empty() && attributes.contains("Max-Age=0"), "{gone}");
        }
        get("/auth/me").session(&session).await.is(401);
        let back = post("/auth/login", &login(&email, PASSWORD)).await.is(200);
        assert_eq!(back.json(), expected);
        assert_ne!(back.cookie("session").unwrap().0, session);
        call("POST", "/auth/logout").await.is(204);
    });
}

#[test]
fn the_session_cookie_is_http_only_and_the_hint_cookie_is_readable() {
    run(async {
        let email = User::fresh_email();
        let signed_up = post("/auth/signup", &signup("Some Body", &email, PASSWORD)).await.is(201);
        let logged_in = post("/auth/login", &login(&email, PASSWORD)).await.is(200);
        for answer in [signed_up, logged_in] {
            let (secret, attributes) = answer.cookie("session").unwrap();
            assert!(secret.len() >= 32, "{secret}");
            assert!(attributes.contains("HttpOnly") && attributes.contains("SameSite=Lax"), "{attributes}");
            assert!(attributes.contains("Path=/"), "{attributes}");
            // Not on plain http, or the browser would not send it back.
            assert!(!attributes.contains("Secure"), "{attributes}");
            let (hint, attributes) = answer.cookie("signed-in").unwrap();
            assert_eq!(hint, "1");
            assert!(!attributes.contains("HttpOnly") && attributes.contains("Path=/"), "{attributes}");
            assert!(answer.header("cache-control").contains("no-store"), "{answer}");
            assert!(!answer.text().contains(&secret));
        }
        for made_up in ["", "x", "0".repeat(64).as_str(), "%00", "\"x\""] {
            get("/auth/me").session(made_up).await.is(401);
        }
    });
}

#[test]
fn an_email_address_is_case_insensitive() {
    run(async {
        let nth = unique();
        let answer =
            post("/auth/signup", &signup("Some Body", &format!("Mixed.Case{nth}@Example.COM"), PASSWORD)).await;
        let email = format!("mixed.case{nth}@example.com");
        assert_eq!(answer.is(201).json()["email"], email);
        let refused = post("/auth/signup", &signup("Some Body", &email.to_uppercase(), PASSWORD)).await.refused(409);
        assert_eq!(refused["type"], "/problems/email-taken");
        let user = User::log_in(&email.to_uppercase(), PASSWORD).await;
        assert_eq!(user.email, email);
        put(format!("/user/{}", email.to_uppercase()), &json!({})).session(&user.session).await.is(200);
        user.send(get(format!("/admin/{}", email.to_uppercase()))).await.is(200);
    });
}

#[test]
fn an_address_with_a_plus_works_in_paths_and_queries() {
    run(async {
        let nth = unique();
        let sent = signup("Some Body", &format!("first+last{nth}@example.com"), PASSWORD);
        let user = User::of(post("/auth/signup", &sent).await.is(201), None).await;
        let encoded = format!("first%2Blast{nth}%40example.com");
        put(format!("/user/{encoded}"), &json!({})).session(&user.session).await.is(200);
        user.send(get(format!("/admin/{encoded}"))).await.is(200);
        user.send(get(format!("/orders?email={encoded}"))).await.is(200);
        user.send(get(format!("/info?email={encoded}"))).await.is(200);
    });
}

#[test]
fn valid_addresses_are_accepted_and_invalid_ones_get_a_field_error() {
    run(async {
        let nth = unique();
        for email in [
            format!("abc{nth}@mail.com"),
            format!("{nth}@a.bc"),
            format!("john.doe{nth}@my-shop.co.uk"),
            format!("first+last{nth}@sub.example.museum"),
            format!("o_o-{nth}@x1.io"),
        ] {
            post("/auth/signup", &signup("Some Body", &email, PASSWORD)).await.is(201);
        }
        for wrong in [
            "nobody",
            "@example.com",
            "a@",
            "a@b",
            "a b@example.com",
            "a@exa mple.com",
            "a@@example.com",
            "a@.com",
            "a\u{0}@example.com",
            "a@example.com\n",
        ] {
            let returned = post("/auth/signup", &signup("Some Body", wrong, PASSWORD)).await;
            if wrong == "a@example.com\n" && returned.is_success() {
                // A trailing line break may be trimmed.
                continue;
            }
            assert_eq!(returned.field("email"), "Please enter a valid email", "{wrong:?}");
        }
        let email = User::fresh_email();
        for (sent, field, message) in [
            (signup("Some Body", "", PASSWORD), "email", "Email is required"),
            (json!({"name": "Some Body", "password": PASSWORD}), "email", "Email is required"),
            (signup("", &email, PASSWORD), "name", "Name is required"),
            (signup("  ", &email, PASSWORD), "name", "Name is required"),
            (signup("Some Body", &email, ""), "password", "Password is required"),
            (signup("Some Body", &email, "12345"), "password", "Must be at least 6 characters"),
            (signup("Some Body", &email, "äöüäö"), "password", "Must be at least 6 characters"),
        ] {
            assert_eq!(post("/auth/signup", &sent).await.field(field), message, "{sent}");
        }
        for (sent, field, message) in [
            (login("", PASSWORD), "email", "Email is required"),
            (login("nobody", PASSWORD), "email", "Please enter a valid email"),
            (login(&email, ""), "password", "Password is required"),
        ] {
            assert_eq!(post("/auth/login", &sent).await.field(field), message, "{sent}");
        }
    });
}

#[test]
fn a_password_has_6_to_128_characters_and_is_not_a_common_one() {
    run(async {
        for common in
            ["123456", "password", "qwerty", "Password", "hunter2", "1234qwer", "zaq12wsx", "654321", "abcabc"]
        {
            let returned =
                post("/auth/signup", &signup("Some Body", &User::fresh_email(), common)).await.field("password");
            assert!(returned.contains("too common"), "{common}: {returned}");
        }
        let returned = post("/auth/signup", &signup("Some Body", &User::fresh_email(), "Driveline1")).await;
        assert!(returned.field("password").contains("name of this shop"));
        let email = format!("jo.walker{}@example.com", unique());
        for own in ["josephinewalker", "Josephine-Walker!", &*email, email.split('@').next().unwrap()] {
            let returned = post("/auth/signup", &signup("Josephine Walker", &email, own)).await.field("password");
            assert!(returned.contains("your name or email"), "{own}: {returned}");
        }
        let too_long = "ä".repeat(129);
        post("/auth/signup", &signup("Some Body", &User::fresh_email(), &too_long)).await.field("password");
        for fine in ["zq8#xw".to_owned(), "ä1 b".repeat(32), "  six  spaces  ".to_owned(), "🚗🚙🛻🚚🚛🚜".to_owned()]
        {
            let email = User::fresh_email();
            post("/auth/signup", &signup("Some Body", &email, &fine)).await.is(201);
            post("/auth/login", &login(&email, &fine)).await.is(200);
            post("/auth/login", &login(&email, &format!("{fine} "))).from(elsewhere()).await.is(401);
        }
    });
}

#[test]
fn a_wrong_password_and_an_unknown_address_get_the_same_reply_in_the_same_time() {
    run(async {
        let (user, here) = (User::new().await, elsewhere());
        let mut wrong = Vec::new();
        let mut unknown = Vec::new();
        // Two fewer than the wrong passwords that are allowed.
        for _ in 0..8 {
            let begun = Instant::now();
            let first = post("/auth/login", &login(&user.email, "not the password")).from(here).await.is(401);
            wrong.push(begun.elapsed());
            let begun = Instant::now();
            let second = post("/auth/login", &login(&User::fresh_email(), "not the password")).from(here).await.is(401);
            unknown.push(begun.elapsed());
            assert_eq!(but_for_the_trace(&first), but_for_the_trace(&second));
            assert_eq!(first.json()["type"], "/problems/wrong-credentials");
            assert_eq!(first.cookie("session"), None);
        }
        // The shortest of each: other tests delay any number of them, and the difference that a skipped check of the
        // password makes is in all of them.
        let (wrong, unknown) = (wrong.into_iter().min().unwrap(), unknown.into_iter().min().unwrap());
        assert!(wrong < unknown * 3 && unknown < wrong * 3, "{wrong:?} and {unknown:?}");
    });
}

#[test]
fn after_ten_wrong_passwords_the_network_has_to_wait_but_the_owner_elsewhere_does_not() {
    run(async {
        let (user, here) = (User::new().await, elsewhere());
        for _ in 0..10 {
            post("/auth/login", &login(&user.email, "not the password")).from(here).await.is(401);
        }
        for password in ["not the password", PASSWORD] {
            let refused = post("/auth/login", &login(&user.email, password)).from(here).await.is(429);
            let wait: u64 = refused.header("retry-after").parse().unwrap();
            assert!((1..=15 * 60).contains(&wait), "{refused}");
            assert_eq!(refused.json()["type"], "/problems/too-many-attempts");
        }
        // An invented X-Forwarded-For header changes nothing.
        let spoofed = post("/auth/login", &login(&user.email, PASSWORD)).header("x-forwarded-for", "192.0.2.7");
        spoofed.from(here).await.is(429);
        post("/auth/login", &login(&user.email.to_uppercase(), PASSWORD)).from(here).await.is(429);
        post("/auth/login", &login(&user.email, PASSWORD)).from(elsewhere()).await.is(200);
        // Other accounts are not affected.
        let other = User::new().await;
        post("/auth/login", &login(&other.email, PASSWORD)).from(here).await.is(200);
    });
}

#[test]
fn of_ten_concurrent_sign_ups_for_an_address_one_succeeds() {
    run(async {
        let email = User::fresh_email();
        let answers =
            crate::server::all((0..10).map(|_| post("/auth/signup", &signup("Some Body", &email, PASSWORD)))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
        assert!(answers.iter().all(|answer| matches!(answer.status, 201 | 409)));
    });
}

#[test]
fn concurrent_wrong_passwords_are_all_counted() {
    run(async {
        let (user, here) = (User::new().await, elsewhere());
        let login_attempt = || post("/auth/login", &login(&user.email, "not the password")).from(here);
        let answers = crate::server::all((0..30).map(|_| login_attempt())).await;
        let checked = answers.iter().filter(|answer| answer.status == 401).count();
        assert_eq!(checked, 10);
        assert!(answers.iter().all(|answer| matches!(answer.status, 401 | 429)));
    });
}

#[test]
fn users_can_change_their_name_and_picture_and_nothing_else() {
    run(async {
        let user = User::new().await;
        let change = |sent: Value| patch("/auth/me", &sent).session(&user.session);
        let returned =
            change(json!({"displayName": "Another Name", "email": "x@example.com", "role": "admin"})).await.is(200);
        assert_eq!(returned.json(), json!({"email": user.email, "displayName": "Another Name", "photoURL": null}));
        let returned = change(json!({"photoURL": "https://pictures.example.com/me.png"})).await.is(200).json();
        assert_eq!(returned["displayName"], "Another Name");
        assert_eq!(returned["photoURL"], "https://pictures.example.com/me.png");
        change(json!({})).await.is(200);
        for photo in ["javascript:alert(1)", "//evil.example.com/x", "data:image/png;base64,AA"] {
            change(json!({"photoURL": photo})).await.field("photoURL");
        }
        change(json!({"displayName": "  "})).await.field("displayName");
        let now = get("/auth/me").session(&user.session).await.is(200).json();
        assert_eq!(now, returned);
        let bare = change(json!({"photoURL": null})).await.is(200).json();
        assert_eq!(bare, json!({"email": user.email, "displayName": "Another Name", "photoURL": null}));
        change(json!({"photoURL": 3})).await.is(422);
        user.send(get("/user")).await.is(403);
        patch("/auth/me", &json!({"displayName": "X"})).await.is(401);
    });
}

#[test]
fn the_demo_has_its_two_accounts() {
    run(async {
        User::log_in("admin@example.com", "demo-password").await.send(get("/user")).await.is(200);
        User::log_in("customer@example.com", "demo-password").await.send(get("/user")).await.is(403);
    });
}
