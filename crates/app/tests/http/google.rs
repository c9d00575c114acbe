//! Continue with Google, against the sandbox: every step as a browser makes it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::shop::{Answer, Call, Demo, delete, get, post, run};
use crate::things::{PASSWORD, Person, admin, some_order};

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
        an_unverified_address_does_not_open_somebodys_account().await;
        a_verified_address_is_linked_to_the_account_that_is_there().await;
        nobody_is_signed_in_by_what_was_made_for_another_browser_or_used_before().await;
        a_removed_person_stays_out().await;
    });
}

async fn an_unverified_address_does_not_open_somebodys_account() {
    let email = "sam.quill@example.com";
    post("/auth/signup", &json!({"name": "The Owner", "email": email, "password": PASSWORD})).await.is(201);
    let mut browser = Browser::default();
    let refused = browser.sign_in("/shop", UNVERIFIED).await;
    assert_eq!(leads_to(&refused), "/login?error=google_unverified");
    assert_eq!(browser.session(), None);
    let mut program = Browser::default();
    let back = program.up_to_the_way_back("/shop", UNVERIFIED).await;
    program.ask(get(back)).header("accept", "application/json").await.is(409);
    // The owner's account is as it was.
    assert_eq!(
        post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(200).json()["displayName"],
        "The Owner"
    );
}

async fn a_verified_address_is_linked_to_the_account_that_is_there() {
    let email = "robin.vale@example.com";
    let owner = Person::of(
        post("/auth/signup", &json!({"name": "The Owner", "email": email, "password": PASSWORD})).await.is(201),
        None,
    )
    .await;
    let order = some_order(&owner).await;
    let mut browser = Browser::default();
    let answer = browser.sign_in("/dashboard/myOrders", VERIFIED).await;
    assert_eq!(leads_to(&answer), "/dashboard/myOrders");
    let (_, attributes) = answer.cookie("session").unwrap();
    assert!(attributes.contains("HttpOnly") && attributes.contains("SameSite=Lax"), "{attributes}");
    assert_eq!(answer.cookie("signed-in").unwrap().0, "1");
    assert_eq!(answer.json()["email"], email);
    let session = browser.session().unwrap();
    let me = get("/auth/me").session(session).await.is(200).json();
    assert_eq!((&me["email"], &me["displayName"]), (&json!(email), &json!("The Owner")));
    let linked = Person::of(answer, None).await;
    assert_eq!(linked.orders().await[0]["_id"], order);
    // The password still opens it as well.
    post("/auth/login", &json!({"email": email, "password": PASSWORD})).await.is(200);
    let mut again = Browser::default();
    assert_eq!(leads_to(&again.sign_in("", VERIFIED).await), "/");
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
