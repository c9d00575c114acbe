//! Continue with Google, against the sandbox: every step as a browser performs it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use crate::fixtures::{PASSWORD, User, admin, eventually, intent, some_order};
use crate::recovery::token_to;
use crate::server::{Answer, Call, Demo, call, delete, emails_to, get, post, run};

const VERIFIED: &str = "Robin Vale";
const UNVERIFIED: &str = "Sam Quill";

/// A browser: it stores cookies and follows redirects.
#[derive(Clone, Default)]
pub(crate) struct Browser<'a> {
    demo: Option<&'a Demo>,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    pub(crate) fn at(demo: &'a Demo) -> Self {
        Self { demo: Some(demo), cookies: BTreeMap::new() }
    }

    fn ask(&self, call: Call) -> Call {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let call = if cookies.is_empty() { call } else { call.header("cookie", cookies.join("; ")) };
        match self.demo {
            Some(demo) => call.at(demo),
            None => call,
        }
    }

    pub(crate) async fn open(&mut self, path: &str) -> Answer {
        let answer = self.ask(get(path).header("accept", "text/html,*/*")).await;
        for line in answer.headers.get_all("set-cookie") {
            let (name, value) = line.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// Goes up to the redirect back to the shop, and returns its address.
    async fn up_to_callback(&mut self, from: &str, who: &str) -> String {
        let sent_off = self.open(&format!("/auth/google?from={from}")).await;
        let page = self.open(&redirect_of(&sent_off)).await.is(200);
        assert!(page.text().contains("Sandbox"), "{page}");
        let link = link_of(&page, who);
        redirect_of(&self.open(&link).await)
    }

    pub(crate) async fn sign_in(&mut self, from: &str, who: &str) -> Answer {
        let back = self.up_to_callback(from, who).await;
        self.open(&back).await
    }

    pub(crate) fn session(&self) -> Option<&String> {
        self.cookies.get("session")
    }
}

/// The target of a redirect, which must be a path of this shop.
#[track_caller]
fn redirect_of(answer: &Answer) -> String {
    assert!(matches!(answer.status, 302 | 303), "{answer}");
    let place = answer.header("location");
    assert!(place.starts_with('/') && !place.starts_with("//") && !place.starts_with("/\\"), "{answer}");
    place.to_owned()
}

fn link_of(page: &Answer, who: &str) -> String {
    let text = page.text();
    let before = &text[..text.find(who).unwrap_or_else(|| panic!("no {who} in {page}"))];
    let link = &before[before.rfind("href=\"").unwrap() + 6..];
    link[..link.find('"').unwrap()].replace("&amp;", "&")
}

#[test]
fn continue_with_google_end_to_end() {
    // One test after the other, because the sandbox has only two people.
    run(async {
        an_unverified_google_address_signs_in_only_after_confirmation_by_email().await;
        an_unproved_account_is_taken_over_by_the_verified_google_user().await;
        a_proved_account_keeps_its_password_when_google_is_added().await;
        an_unconfirmed_account_cannot_link_another_persons_google_account().await;
        an_admins_account_is_not_linked_by_its_address().await;
        a_callback_of_another_browser_or_a_used_one_signs_no_one_in().await;
        a_removed_user_stays_out().await;
    });
}

async fn an_unverified_google_address_signs_in_only_after_confirmation_by_email() {
    let email = "sam.quill@example.com";
    // An unverified address gets no account.
    let mut browser = Browser::default();
    assert_eq!(redirect_of(&browser.sign_in("/shop", UNVERIFIED).await), "/login?error=google_unverified");
    assert_eq!(browser.session(), None);
    let sent = json!({"name": "The Owner", "email": email, "password": PASSWORD});
    let attacker = User::of(post("/auth/signup", &sent).await.is(201), None).await;
    let mut program = Browser::default();
    let back = program.up_to_callback("/shop", UNVERIFIED).await;
    let refused = program.ask(get(back)).header("accept", "application/json").await.refused(409);
    assert_eq!(refused["type"], "/problems/google-unverified");
    // The existing account is unchanged.
    get("/auth/me").session(&attacker.session).await.is(200);

    let link = first_google_link(email, 2).await;
    let finish = |token: &str| post("/auth/google/finish", &json!({"token": token}));
    for (other, token) in [(Browser::default(), &*link), (browser.clone(), "made up")] {
        assert_eq!(other.ask(finish(token)).await.refused(410)["type"], "/problems/link-gone");
    }
    let finished = browser.ask(finish(&link)).await.is(200);
    assert_eq!(finished.json(), json!({"destination": "/shop", "passwordGone": true}));
    let (session, _) = finished.cookie("session").unwrap();
    assert_eq!(get("/auth/me").session(&session).await.is(200).json()["displayName"], UNVERIFIED);
    get("/auth/me").session(&attacker.session).await.is(401);
    post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(401);
    browser.ask(finish(&link)).await.is(410);
    // From now on the Google account is known.
    let mut again = Browser::default();
    assert_eq!(redirect_of(&again.sign_in("/shop", UNVERIFIED).await), "/shop");
    // A password reset by e-mail keeps the link to Google: the owner of the same address made it.
    assert_eq!(methods(&session).await, json!({"password": false, "google": true, "verified": true}));
    delete("/auth/google/link").session(&session).await.refused(409);
}

/// The token in the first of this many e-mails to an address about Google. They are sent at the same time, so the one
/// that was asked for first may arrive last.
async fn first_google_link(email: &str, many: usize) -> String {
    let links = || -> Vec<String> {
        let link = |text: String| {
            Some(text.lines().find_map(|line| line.split_once("/verify-email#google="))?.1.trim().to_owned())
        };
        emails_to(email).into_iter().filter_map(link).collect()
    };
    eventually(Duration::from_secs(20), async || links().len() >= many).await;
    links().remove(0)
}

async fn methods(session: &str) -> serde_json::Value {
    get("/auth/sign-in-methods").session(session).await.is(200).json()
}

/// Someone who signed up with an address and never confirmed it need not be its owner.
async fn an_unproved_account_is_taken_over_by_the_verified_google_user() {
    let email = "robin.vale@example.com";
    let attacker = User::of(
        post("/auth/signup", &json!({"name": "A Stranger", "email": email, "password": PASSWORD})).await.is(201),
        None,
    )
    .await;
    let order = some_order(&attacker).await;
    intent(&attacker, &order).await;
    let shipped = some_order(&attacker).await;
    admin().await.send(call("PUT", format!("/orders/status/{shipped}"))).await.is(200);
    attacker.send(post("/info", &json!({"livesIn": "Elsewhere"}))).await.is(201);

    let mut browser = Browser::default();
    let answer = browser.sign_in("/dashboard/myOrders", VERIFIED).await;
    let landing = "/login?notice=google_password_gone&from=%2Fdashboard%2FmyOrders";
    assert_eq!(redirect_of(&answer), landing);
    let (_, attributes) = answer.cookie("session").unwrap();
    assert!(attributes.contains("HttpOnly") && attributes.contains("SameSite=Lax"), "{attributes}");
    assert_eq!(answer.cookie("signed-in").unwrap().0, "1");
    assert_eq!(answer.json(), json!({"email": email, "displayName": VERIFIED, "photoURL": null}));

    get("/auth/me").session(&attacker.session).await.is(401);
    attacker.send(get(format!("/orders?email={email}"))).await.is(401);
    post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(401);
    let owner = User::of(answer, None).await;
    // The sign-in waits three seconds for the cancellations, and a background job does the rest.
    eventually(Duration::from_secs(20), async || owner.orders().await.len() == 1).await;
    let left: Vec<_> = owner.orders().await.iter().map(|one| one["_id"].clone()).collect();
    assert_eq!(left, [json!(shipped)], "unpaid and unshipped orders are cancelled");
    owner.send(get(format!("/orders/{order}"))).await.is(404);
    assert_eq!(owner.send(get(format!("/info?email={email}"))).await.is(200).json(), serde_json::Value::Null);
    assert_eq!(methods(&owner.session).await, json!({"password": false, "google": true, "verified": true}));
    let received = || emails_to(email).iter().any(|text| text.contains("The old password no longer works"));
    eventually(Duration::from_secs(20), async || received()).await;
    let mut again = Browser::default();
    assert_eq!(redirect_of(&again.sign_in("", VERIFIED).await), "/");
}

/// Continues with the account that was just taken over: its owner sets a password, unlinks Google and links it again.
async fn a_proved_account_keeps_its_password_when_google_is_added() {
    let email = "robin.vale@example.com";
    post("/auth/password/forgot", &json!({"email": email})).await.is(202);
    let token = token_to(email, "reset-password").await;
    post("/auth/password/reset", &json!({"token": token, "password": PASSWORD})).await.is(200);
    let owner = User::log_in(email, PASSWORD).await;
    let elsewhere = User::log_in(email, PASSWORD).await;
    assert_eq!(methods(&owner.session).await, json!({"password": true, "google": true, "verified": true}));
    let unlink = || delete("/auth/google/link").session(&owner.session);
    assert_eq!(unlink().await.is(200).json(), json!({"deletedCount": 1}));
    assert_eq!(unlink().await.is(200).json(), json!({"deletedCount": 0}));
    get("/auth/me").session(&elsewhere.session).await.is(401);

    // By its address, because the account is proved.
    let mut browser = Browser::default();
    assert_eq!(redirect_of(&browser.sign_in("/shop", VERIFIED).await), "/shop");
    get("/auth/me").session(&owner.session).await.is(200);
    User::log_in(email, PASSWORD).await;
    unlink().await.is(200);

    // From the profile.
    let begun = post("/auth/google/link", &json!({})).session(&owner.session).await.is(200);
    let (attempt, _) = begun.cookie("google-attempt").unwrap();
    let mut linking = Browser::default();
    linking.cookies.insert("session".to_owned(), owner.session.clone());
    linking.cookies.insert("google-attempt".to_owned(), attempt);
    let page = linking.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let back = redirect_of(&linking.open(&link_of(&page, VERIFIED)).await);
    // Nothing is linked in a browser that is signed in as another user, or not at all.
    let mut other = linking.clone();
    other.cookies.remove("session");
    let mut retry = linking.clone();
    let begun = retry.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let second = redirect_of(&retry.open(&link_of(&begun, VERIFIED)).await);
    assert_eq!(redirect_of(&other.open(&second).await), "/dashboard/profile?google=failed");
    assert_eq!(redirect_of(&linking.open(&back).await), "/dashboard/profile?google=linked");
    assert_eq!(methods(&owner.session).await, json!({"password": true, "google": true, "verified": true}));
    for what in ["Google sign-in added", "Google sign-in removed"] {
        let received = || emails_to(email).iter().filter(|text| text.starts_with(what)).count();
        eventually(Duration::from_secs(20), async || received() >= 2).await;
    }
}

async fn an_unconfirmed_account_cannot_link_another_persons_google_account() {
    let attacker = User::new().await;
    let begun = post("/auth/google/link", &json!({})).session(&attacker.session).await.is(200);
    let mut linking = Browser::default();
    linking.cookies.insert("session".to_owned(), attacker.session.clone());
    linking.cookies.insert("google-attempt".to_owned(), begun.cookie("google-attempt").unwrap().0);
    let page = linking.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let back = redirect_of(&linking.open(&link_of(&page, VERIFIED)).await);
    let place = redirect_of(&linking.open(&back).await);
    assert!(place == "/dashboard/profile?google=unconfirmed" || place == "/dashboard/profile?google=taken", "{place}");
    assert_eq!(methods(&attacker.session).await, json!({"password": true, "google": false, "verified": false}));
}

async fn an_admins_account_is_not_linked_by_its_address() {
    let demo = Demo::open(&[]);
    let sent = json!({"name": "Boss", "email": "robin.vale@example.com", "password": PASSWORD});
    let boss = User::of(post("/auth/signup", &sent).at(&demo).await.is(201), Some(&demo)).await;
    let demo_admin = User::log_in_at(&demo, "admin@example.com", "demo-password").await;
    demo_admin.send(call("PUT", "/user/admin/robin.vale@example.com")).at(&demo).await.is(200);
    let mut browser = Browser::at(&demo);
    assert_eq!(redirect_of(&browser.sign_in("/", VERIFIED).await), "/login?error=google_sign_in_first");
    assert_eq!(browser.session(), None);
    get("/auth/me").session(&boss.session).at(&demo).await.is(200);
}

async fn a_callback_of_another_browser_or_a_used_one_signs_no_one_in() {
    let mut browser = Browser::default();
    let back = browser.up_to_callback("/shop", VERIFIED).await;
    let failed = "/login?error=google_failed";
    // Otherwise an attacker could send a callback link that signs the victim in to the attacker's account.
    let mut other = Browser::default();
    assert_eq!(redirect_of(&other.open(&back).await), failed);
    let mut busy = Browser::default();
    busy.open("/auth/google?from=/").await;
    assert_eq!(redirect_of(&busy.open(&back).await), failed);
    assert!(other.session().is_none() && busy.session().is_none());
    let mut own = Browser::default();
    let back = own.up_to_callback("/shop", VERIFIED).await;
    let kept = own.clone();
    let (path, query) = back.split_once("code=").unwrap();
    let wrong_code = format!("{path}code=x{query}");
    let wrong_state = back.replace("state=", "state=x");
    for wrong in
        [wrong_state, wrong_code, "/auth/google/callback".into(), "/auth/google/callback?code=%00&state=%FF".into()]
    {
        let mut browser = kept.clone();
        assert_eq!(redirect_of(&browser.open(&wrong).await), failed, "{wrong}");
        assert_eq!(browser.session(), None);
        kept.ask(get(&*wrong)).header("accept", "application/json").await.is(400);
    }
    let mut used = kept.clone();
    assert_eq!(redirect_of(&own.open(&back).await), "/shop");
    assert_eq!(redirect_of(&used.open(&back).await), failed);
    assert_eq!(used.session(), None);
    let mut cancelled = Browser::default();
    let page = redirect_of(&cancelled.open("/auth/google?from=/shop").await);
    let page = cancelled.open(&page).await.is(200);
    let cancel = link_of(&page, "Cancel");
    assert_eq!(redirect_of(&cancelled.open(&cancel).await), "/login?error=google_cancelled");
    // An error at Google is not reported as a cancellation by the user.
    for error in ["server_error", "temporarily_unavailable", "unauthorized_client", ""] {
        let back = format!("/auth/google/callback?error={error}&state=x");
        assert_eq!(redirect_of(&Browser::default().open(&back).await), failed, "{error}");
    }
    // No `from` parameter leads to another site.
    for from in [
        "https://evil.example.com",
        "//evil.example.com",
        "/%5Cevil.example.com",
        "%5C%5Cevil.example.com",
        "/%09/evil.example.com",
        "%09//evil.example.com",
        "/%0A/evil.example.com",
        "javascript:alert(1)",
        "/%2F/evil.example.com",
        "evil",
        "%00",
        "/shop%0D%0ASet-Cookie:%20session=x",
    ] {
        let answer = Browser::default().sign_in(from, VERIFIED).await;
        let place = redirect_of(&answer);
        assert!(!place.contains(['\\', '\t', '\n', '\r']), "{from}: {place}");
    }
}

async fn a_removed_user_stays_out() {
    admin().await.send(delete("/user/robin.vale@example.com")).await.is(200);
    let mut browser = Browser::default();
    assert_eq!(redirect_of(&browser.sign_in("/", VERIFIED).await), "/login?error=removed");
    assert_eq!(browser.session(), None);
    let mut program = Browser::default();
    let back = program.up_to_callback("/", VERIFIED).await;
    program.ask(get(back)).header("accept", "application/json").await.is(401);
}

#[test]
fn input_in_the_sandboxs_address_is_not_executed() {
    run(async {
        let script = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
        let page = get(format!("/sandbox/google?state={script}&nonce={script}&challenge={script}")).await.is(200);
        assert!(!page.text().contains("<script>"), "{page}");
        for path in [
            "/sandbox/google",
            "/sandbox/google/continue",
            "/sandbox/google/continue?subject=nobody&state=a&nonce=b&challenge=c",
        ] {
            let answer = get(path).await;
            assert!(matches!(answer.status, 400 | 404), "{answer}");
        }
    });
}
