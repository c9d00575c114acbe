use serde_json::{Value, json};
use testkit::authenticator::SoftwarePasskey;
use uuid::Uuid;

use super::*;

const ORIGIN: &str = "https://shop.example";

fn shop() -> WebauthnPasskeys {
    WebauthnPasskeys::new(ORIGIN).unwrap()
}

fn account() -> AccountId {
    AccountId::new(Uuid::from_u128(1))
}

fn email() -> Email {
    "nia@example.com".parse().unwrap()
}

fn options(challenge: &PasskeyChallenge) -> Value {
    serde_json::from_str(&challenge.options).unwrap()
}

fn added(passkey: &SoftwarePasskey) -> MadePasskey {
    let asked = shop().begin_adding(account(), &email(), &[]).unwrap();
    shop().finish_adding(&asked.state, &passkey.create(&options(&asked)).to_string()).unwrap()
}

#[test]
fn a_passkey_is_added_and_proves_itself() {
    let (mut laptop, phone) = (SoftwarePasskey::at(ORIGIN), SoftwarePasskey::at(ORIGIN));
    let has = [added(&phone).credential, added(&laptop).credential];
    let asked = shop().begin_proving(&has).unwrap();
    let answer = laptop.sign(&options(&asked)).to_string();
    let (which, credential) = shop().finish_proving(&asked.state, &answer, &has).unwrap();
    assert_eq!(which, 1);
    assert_ne!(credential, has[1], "the counter is kept");
    // An authenticator whose counter goes back was copied.
    let asked = shop().begin_proving(&[has[0].clone(), credential.clone()]).unwrap();
    laptop.counter = 0;
    let copied = laptop.sign(&options(&asked)).to_string();
    assert_eq!(shop().finish_proving(&asked.state, &copied, &[has[0].clone(), credential]), Err(PasskeyRefused));
}

#[test]
fn the_question_names_the_shop_the_account_and_the_passkeys_that_it_has() {
    let laptop = SoftwarePasskey::at(ORIGIN);
    let made = added(&laptop);
    let asked = options(&shop().begin_adding(account(), &email(), std::slice::from_ref(&made.credential)).unwrap());
    let asked = &asked["publicKey"];
    assert_eq!(asked["rp"], json!({ "id": "shop.example", "name": "Driveline" }));
    assert_eq!(asked["user"]["name"], "nia@example.com");
    assert_eq!(asked["authenticatorSelection"]["userVerification"], "required");
    let excluded = asked["excludeCredentials"][0]["id"].as_str().unwrap();
    assert_eq!(laptop.create(&json!({ "publicKey": { "challenge": "AA" } }))["id"], excluded);
}

#[test]
fn another_page_another_question_and_an_unverified_user_are_refused() {
    let mut laptop = SoftwarePasskey::at(ORIGIN);
    let has = [added(&laptop).credential];
    let (asked, other) = (shop().begin_proving(&has).unwrap(), shop().begin_proving(&has).unwrap());
    let answer_to_other = laptop.sign(&options(&other)).to_string();
    assert_eq!(shop().finish_proving(&asked.state, &answer_to_other, &has), Err(PasskeyRefused));
    laptop.verifies = false;
    let unverified = laptop.sign(&options(&asked)).to_string();
    assert_eq!(shop().finish_proving(&asked.state, &unverified, &has), Err(PasskeyRefused));
    for origin in ["https://shop.example.evil", "http://shop.example", "https://evil.example"] {
        let elsewhere = SoftwarePasskey::at(origin);
        let asked = shop().begin_adding(account(), &email(), &[]).unwrap();
        let made = elsewhere.create(&options(&asked)).to_string();
        assert_eq!(shop().finish_adding(&asked.state, &made), Err(PasskeyRefused), "{origin}");
    }
    let mut stranger = SoftwarePasskey::at(ORIGIN);
    let theirs = stranger.sign(&options(&asked)).to_string();
    assert_eq!(shop().finish_proving(&asked.state, &theirs, &has), Err(PasskeyRefused));
}

#[test]
fn nothing_that_a_client_sends_is_more_than_refused() {
    let laptop = SoftwarePasskey::at(ORIGIN);
    let asked = shop().begin_adding(account(), &email(), &[]).unwrap();
    let right = laptop.create(&options(&asked)).to_string();
    for wrong in
        ["", "{}", "null", "[]", "\u{0}", &right[..right.len() / 2], &right.replace("clientDataJSON", "clientData")]
    {
        assert_eq!(shop().finish_adding(&asked.state, wrong), Err(PasskeyRefused), "{wrong}");
        assert_eq!(shop().finish_proving(&asked.state, wrong, &[]), Err(PasskeyRefused), "{wrong}");
    }
    assert_eq!(shop().finish_adding(b"no state", &right), Err(PasskeyRefused));
    assert_eq!(shop().begin_proving(&[PasskeyCredential("no key".into())]), Err(PasskeyRefused));
}

#[test]
fn passkeys_are_for_a_name_and_not_for_a_number() {
    for (address, host) in [("https://shop.example", "shop.example"), ("http://localhost:8080", "localhost")] {
        assert_eq!(WebauthnPasskeys::new(address).ok().map(|passkeys| passkeys.host()).as_deref(), Some(host));
    }
    for address in ["http://127.0.0.1:8080", "http://[::1]:8080", "https://192.0.2.7"] {
        assert!(matches!(WebauthnPasskeys::new(address), Err(NoPasskeys::NoName(_))), "{address}");
    }
    assert!(matches!(WebauthnPasskeys::new("shop"), Err(NoPasskeys::Refused { .. })));
}
