//! What can only be seen in a shop where nothing else happens: its last admin, and a visitor who asks for too much.

use serde_json::json;

use crate::google::Browser;
use crate::shop::{Demo, call, delete, get, post, run};
use crate::things::Person;

const BURST: usize = 60;

#[test]
fn a_shop_of_ones_own() {
    run(async {
        let demo = Demo::open(&[("RATE_LIMIT_PER_SECOND", "1"), ("RATE_LIMIT_BURST", "60")]);
        the_last_admin_stays_one(&demo).await;
        google_opens_an_account_for_whoever_has_none(&demo).await;
        whoever_asks_for_too_much_is_told_to_wait_and_may_still_look(&demo).await;
    });
}

async fn the_last_admin_stays_one(demo: &Demo) {
    let admin = Person::log_in_at(demo, "admin@example.com", "demo-password").await;
    let role = "/user/admin/admin@example.com";
    admin.send(delete(role)).at(demo).await.is(409);
    admin.send(delete("/user/admin@example.com")).at(demo).await.is(409);
    admin.send(get("/user")).at(demo).await.is(200);
    let second = Person::log_in_at(demo, "customer@example.com", "demo-password").await;
    admin.send(call("PUT", "/user/admin/customer@example.com")).at(demo).await.is(200);
    // Two who take the role from each other at the same moment leave one.
    let answers = crate::shop::all([
        admin.send(delete("/user/admin/customer@example.com")).at(demo),
        second.send(delete(role)).at(demo),
    ])
    .await;
    let done = answers.iter().filter(|answer| answer.status == 200 && answer.json()["modifiedCount"] == 1).count();
    assert_eq!(done, 1, "{} {}", answers[0], answers[1]);
}

async fn google_opens_an_account_for_whoever_has_none(demo: &Demo) {
    for (name, email) in [("Robin Vale", "robin.vale@example.com"), ("Sam Quill", "sam.quill@example.com")] {
        let mut browser = Browser::at(demo);
        let answer = browser.sign_in("/about", name).await.is(303);
        assert_eq!(answer.header("location"), "/about");
        assert_eq!(answer.json(), json!({"email": email, "displayName": name, "photoURL": null}));
        let me = get("/auth/me").session(browser.session().unwrap()).at(demo).await.is(200).json();
        assert_eq!(me["email"], email);
    }
}

async fn whoever_asks_for_too_much_is_told_to_wait_and_may_still_look(demo: &Demo) {
    let sent = json!({"email": "reader@example.com"});
    let mut refused = None;
    for _ in 0..=BURST + 30 {
        let answer = post("/newsletter", &sent).at(demo).await;
        if answer.status != 202 {
            refused = Some(answer.is(429));
            break;
        }
    }
    let refused = refused.expect("nobody was told to wait");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1, "{refused}");
    assert_eq!(refused.json()["type"], "/problems/rate-limited");
    get("/products").at(demo).await.is(200);
    // Another address has a measure of its own.
    post("/newsletter", &sent).from([127, 0, 0, 3]).at(demo).await.is(202);
}
