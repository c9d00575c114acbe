//! Continue with Google, against the sandbox: every step as a browser makes it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use crate::recovery::token_to;
use crate::shop::{Answer, Call, Demo, call, delete, emails_to, get, post, run};
use crate::things::{PASSWORD, Person, admin, eventually, intent, some_order};

const VERIFIED: &str = "Robin Vale";
const UNVERIFIED: &str = "Sam Quill";

/// A browser: it keeps cookies and goes where it is sent.
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

    /// Up to the moment before it is sent back into the shop; answers the address of the way back.
    async fn up_to_the_way_back(&mut self, from: &str, who: &str) -> String {
        let sent_off = self.open(&format!("/auth/google?from={from}")).await;
        let page = self.open(&leads_to(&sent_off)).await.is(200);
        assert!(page.text().contains("Sandbox"), "{page}");
        let link = link_of(&page, who);
        leads_to(&self.open(&link).await)
    }

    pub(crate) async fn sign_in(&mut self, from: &str, who: &str) -> Answer {
        let back = self.up_to_the_way_back(from, who).await;
        self.open(&back).await
    }

    pub(crate) fn session(&self) -> Option<&String> {
        self.cookies.get("session")
    }
}

/// Where an answer sends the browser, if that is a place in this shop.
#[track_caller]
fn leads_to(answer: &Answer) -> String {
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
fn the_whole_of_google() {
    // One test after the other, because the sandbox knows only two people.
    run(async {
        an_address_that_google_does_not_speak_for_opens_nothing_until_its_reader_says_so().await;
        an_unproved_account_is_taken_over_by_whoever_google_speaks_for().await;
        a_proved_account_keeps_its_password_when_google_is_added().await;
        an_unconfirmed_account_links_no_google_account_of_somebody_elses().await;
        an_admins_account_is_not_linked_by_its_address().await;
        nobody_is_signed_in_by_what_was_made_for_another_browser_or_used_before().await;
        a_removed_person_stays_out().await;
    });
}

async fn an_address_that_google_does_not_speak_for_opens_nothing_until_its_reader_says_so() {
    let email = "sam.quill@example.com";
    // Of nobody's address it makes no account.
    let mut browser = Browser::default();
    assert_eq!(leads_to(&browser.sign_in("/shop", UNVERIFIED).await), "/login?error=google_unverified");
    assert_eq!(browser.session(), None);
    let sent = json!({"name": "The Owner", "email": email, "password": PASSWORD});
    let stranger = Person::of(post("/auth/signup", &sent).await.is(201), None).await;
    let mut program = Browser::default();
    let back = program.up_to_the_way_back("/shop", UNVERIFIED).await;
    let refused = program.ask(get(back)).header("accept", "application/json").await.refused(409);
    assert_eq!(refused["type"], "/problems/google-unverified");
    // The account that is there is as it was.
    get("/auth/me").session(&stranger.session).await.is(200);

    let link = google_link(email).await;
    let finish = |token: &str| post("/auth/google/finish", &json!({"token": token}));
    for (other, token) in [(Browser::default(), &*link), (browser.clone(), "made up")] {
        assert_eq!(other.ask(finish(token)).await.refused(410)["type"], "/problems/link-gone");
    }
    let finished = browser.ask(finish(&link)).await.is(200);
    assert_eq!(finished.json(), json!({"destination": "/shop", "passwordGone": true}));
    let (session, _) = finished.cookie("session").unwrap();
    assert_eq!(get("/auth/me").session(&session).await.is(200).json()["displayName"], UNVERIFIED);
    get("/auth/me").session(&stranger.session).await.is(401);
    post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(401);
    browser.ask(finish(&link)).await.is(410);
    // From now on it is known.
    let mut again = Browser::default();
    assert_eq!(leads_to(&again.sign_in("/shop", UNVERIFIED).await), "/shop");
    // Whoever resets the password by e-mail keeps it: it was linked by whoever reads that mail.
    assert_eq!(methods(&session).await, json!({"password": false, "google": true, "verified": true}));
    delete("/auth/google/link").session(&session).await.refused(409);
}

/// What the first e-mail to an address that asks about Google leads to.
async fn google_link(email: &str) -> String {
    let link = || {
        let emails = emails_to(email);
        let line = emails.iter().find_map(|text| text.lines().find(|line| line.contains("/verify-email#google=")))?;
        Some(line.split_once("#google=")?.1.trim().to_owned())
    };
    eventually(Duration::from_secs(20), async || link().is_some()).await;
    link().unwrap()
}

async fn methods(session: &str) -> serde_json::Value {
    get("/auth/sign-in-methods").session(session).await.is(200).json()
}

/// Rule L: whoever signed up with an address and never confirmed it need not be its owner.
async fn an_unproved_account_is_taken_over_by_whoever_google_speaks_for() {
    let email = "robin.vale@example.com";
    let stranger = Person::of(
        post("/auth/signup", &json!({"name": "A Stranger", "email": email, "password": PASSWORD})).await.is(201),
        None,
    )
    .await;
    let order = some_order(&stranger).await;
    intent(&stranger, &order).await;
    let shipped = some_order(&stranger).await;
    admin().await.send(call("PUT", format!("/orders/status/{shipped}"))).await.is(200);
    stranger.send(post("/info", &json!({"livesIn": "Elsewhere"}))).await.is(201);

    let mut browser = Browser::default();
    let answer = browser.sign_in("/dashboard/myOrders", VERIFIED).await;
    let landing = "/login?notice=google_password_gone&from=%2Fdashboard%2FmyOrders";
    assert_eq!(leads_to(&answer), landing);
    let (_, attributes) = answer.cookie("session").unwrap();
    assert!(attributes.contains("HttpOnly") && attributes.contains("SameSite=Lax"), "{attributes}");
    assert_eq!(answer.cookie("signed-in").unwrap().0, "1");
    assert_eq!(answer.json(), json!({"email": email, "displayName": VERIFIED, "photoURL": null}));

    get("/auth/me").session(&stranger.session).await.is(401);
    stranger.send(get(format!("/orders?email={email}"))).await.is(401);
    post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(401);
    let owner = Person::of(answer, None).await;
    let left: Vec<_> = owner.orders().await.iter().map(|one| one["_id"].clone()).collect();
    assert_eq!(left, [json!(shipped)], "what was unpaid and not shipped is cancelled");
    owner.send(get(format!("/orders/{order}"))).await.is(404);
    assert_eq!(owner.send(get(format!("/info?email={email}"))).await.is(200).json(), serde_json::Value::Null);
    assert_eq!(methods(&owner.session).await, json!({"password": false, "google": true, "verified": true}));
    let said = || emails_to(email).iter().any(|text| text.contains("The password that was set before is gone"));
    eventually(Duration::from_secs(20), async || said()).await;
    let mut again = Browser::default();
    assert_eq!(leads_to(&again.sign_in("", VERIFIED).await), "/");
}

/// Goes on where the account was just taken over: its owner chooses a password, takes Google away and adds it again.
async fn a_proved_account_keeps_its_password_when_google_is_added() {
    let email = "robin.vale@example.com";
    post("/auth/password/forgot", &json!({"email": email})).await.is(202);
    let token = token_to(email, "reset-password").await;
    post("/auth/password/reset", &json!({"token": token, "password": PASSWORD})).await.is(200);
    let owner = Person::log_in(email, PASSWORD).await;
    let elsewhere = Person::log_in(email, PASSWORD).await;
    assert_eq!(methods(&owner.session).await, json!({"password": true, "google": true, "verified": true}));
    let unlink = || delete("/auth/google/link").session(&owner.session);
    assert_eq!(unlink().await.is(200).json(), json!({"deletedCount": 1}));
    assert_eq!(unlink().await.is(200).json(), json!({"deletedCount": 0}));
    get("/auth/me").session(&elsewhere.session).await.is(401);

    // By its address, as the account is proved.
    let mut browser = Browser::default();
    assert_eq!(leads_to(&browser.sign_in("/shop", VERIFIED).await), "/shop");
    get("/auth/me").session(&owner.session).await.is(200);
    Person::log_in(email, PASSWORD).await;
    unlink().await.is(200);

    // From the profile.
    let begun = post("/auth/google/link", &json!({})).session(&owner.session).await.is(200);
    let (attempt, _) = begun.cookie("google-attempt").unwrap();
    let mut linking = Browser::default();
    linking.cookies.insert("session".to_owned(), owner.session.clone());
    linking.cookies.insert("google-attempt".to_owned(), attempt);
    let page = linking.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let back = leads_to(&linking.open(&link_of(&page, VERIFIED)).await);
    // In a browser that is signed in as somebody else, or not at all, nothing is linked.
    let mut other = linking.clone();
    other.cookies.remove("session");
    let mut thief = linking.clone();
    let begun = thief.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let second = leads_to(&thief.open(&link_of(&begun, VERIFIED)).await);
    assert_eq!(leads_to(&other.open(&second).await), "/dashboard/profile?google=failed");
    assert_eq!(leads_to(&linking.open(&back).await), "/dashboard/profile?google=linked");
    assert_eq!(methods(&owner.session).await, json!({"password": true, "google": true, "verified": true}));
    for what in ["Google was added to your account", "Google was removed from your account"] {
        let said = || emails_to(email).iter().filter(|text| text.starts_with(what)).count();
        eventually(Duration::from_secs(20), async || said() >= 2).await;
    }
}

async fn an_unconfirmed_account_links_no_google_account_of_somebody_elses() {
    let stranger = Person::new().await;
    let begun = post("/auth/google/link", &json!({})).session(&stranger.session).await.is(200);
    let mut linking = Browser::default();
    linking.cookies.insert("session".to_owned(), stranger.session.clone());
    linking.cookies.insert("google-attempt".to_owned(), begun.cookie("google-attempt").unwrap().0);
    let page = linking.open(begun.json()["address"].as_str().unwrap()).await.is(200);
    let back = leads_to(&linking.open(&link_of(&page, VERIFIED)).await);
    let place = leads_to(&linking.open(&back).await);
    assert!(place == "/dashboard/profile?google=unconfirmed" || place == "/dashboard/profile?google=taken", "{place}");
    assert_eq!(methods(&stranger.session).await, json!({"password": true, "google": false, "verified": false}));
}

async fn an_admins_account_is_not_linked_by_its_address() {
    let demo = Demo::open(&[]);
    let sent = json!({"name": "Boss", "email": "robin.vale@example.com", "password": PASSWORD});
    let boss = Person::of(post("/auth/signup", &sent).at(&demo).await.is(201), Some(&demo)).await;
    let office = Person::log_in_at(&demo, "admin@example.com", "demo-password").await;
    office.send(call("PUT", "/user/admin/robin.vale@example.com")).at(&demo).await.is(200);
    let mut browser = Browser::at(&demo);
    assert_eq!(leads_to(&browser.sign_in("/", VERIFIED).await), "/login?error=google_sign_in_first");
    assert_eq!(browser.session(), None);
    get("/auth/me").session(&boss.session).at(&demo).await.is(200);
}

async fn nobody_is_signed_in_by_what_was_made_for_another_browser_or_used_before() {
    let mut browser = Browser::default();
    let back = browser.up_to_the_way_back("/shop", VERIFIED).await;
    let failed = "/login?error=google_failed";
    // A way back that leads somebody else in would sign them in as whoever sent it to them.
    let mut other = Browser::default();
    assert_eq!(leads_to(&other.open(&back).await), failed);
    let mut busy = Browser::default();
    busy.open("/auth/google?from=/").await;
    assert_eq!(leads_to(&busy.open(&back).await), failed);
    assert!(other.session().is_none() && busy.session().is_none());
    let mut own = Browser::default();
    let back = own.up_to_the_way_back("/shop", VERIFIED).await;
    let kept = own.clone();
    let (path, query) = back.split_once("code=").unwrap();
    let wrong_code = format!("{path}code=x{query}");
    let wrong_state = back.replace("state=", "state=x");
    for wrong in
        [wrong_state, wrong_code, "/auth/google/callback".into(), "/auth/google/callback?code=%00&state=%FF".into()]
    {
        let mut browser = kept.clone();
        assert_eq!(leads_to(&browser.open(&wrong).await), failed, "{wrong}");
        assert_eq!(browser.session(), None);
        kept.ask(get(&*wrong)).header("accept", "application/json").await.is(400);
    }
    let mut used = kept.clone();
    assert_eq!(leads_to(&own.open(&back).await), "/shop");
    assert_eq!(leads_to(&used.open(&back).await), failed);
    assert_eq!(used.session(), None);
    let mut cancelled = Browser::default();
    let page = leads_to(&cancelled.open("/auth/google?from=/shop").await);
    let page = cancelled.open(&page).await.is(200);
    let cancel = link_of(&page, "Cancel");
    assert_eq!(leads_to(&cancelled.open(&cancel).await), "/login?error=google_cancelled");
    // What goes wrong at Google is not the person's doing.
    for error in ["server_error", "temporarily_unavailable", "unauthorized_client", ""] {
        let back = format!("/auth/google/callback?error={error}&state=x");
        assert_eq!(leads_to(&Browser::default().open(&back).await), failed, "{error}");
    }
    // Wherever one comes from, one does not end up elsewhere.
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
        let place = leads_to(&answer);
        assert!(!place.contains(['\\', '\t', '\n', '\r']), "{from}: {place}");
    }
}

async fn a_removed_person_stays_out() {
    admin().await.send(delete("/user/robin.vale@example.com")).await.is(200);
    let mut browser = Browser::default();
    assert_eq!(leads_to(&browser.sign_in("/", VERIFIED).await), "/login?error=removed");
    assert_eq!(browser.session(), None);
    let mut program = Browser::default();
    let back = program.up_to_the_way_back("/", VERIFIED).await;
    program.ask(get(back)).header("accept", "application/json").await.is(401);
}

#[test]
fn what_a_visitor_writes_into_the_sandboxs_address_is_not_run() {
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
