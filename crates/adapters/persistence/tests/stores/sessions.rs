//! Sessions: how long they last, who ends them, and when they are deleted.

use domain::{Account, Edit, Role, SessionId, Text};
use ports::{Browser, Ending, NewSession, PasswordChange, PasswordHash, SecretHash};

use crate::world::{World, at, id, new_account};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn hash(secret: u8) -> SecretHash {
    SecretHash([secret; 32])
}

async fn open(world: &World, account: &Account, secret: u8, second: i64) -> SessionId {
    let session = NewSession {
        id: SessionId::new(id()),
        account: account.id,
        secret: hash(secret),
        proved_by: None,
        opened_at: at(second),
        expires_at: at(second + 30 * DAY),
    };
    assert!(world.sessions().open(&session).await.unwrap());
    session.id
}

async fn is_live(world: &World, secret: u8, second: i64) -> bool {
    world.sessions().by_secret(&hash(secret), at(second)).await.unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_session_expires_sooner_for_an_admin_than_for_a_customer() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let boss = world.account_as("boss@example.com", Role::Admin).await;
    open(&world, &ada, 1, 0).await;
    let admins = open(&world, &boss, 2, 0).await;
    assert!(is_live(&world, 2, 8 * HOUR - 1).await, "used again in time");
    assert!(world.sessions().by_id(admins, at(15 * HOUR)).await.unwrap().is_some(), "by a token as well");
    assert!(!is_live(&world, 2, 24 * HOUR).await);
    assert_eq!(world.sessions().by_id(admins, at(24 * HOUR)).await.unwrap(), None);
    assert_eq!(world.sessions().list(boss.id, at(24 * HOUR)).await.unwrap(), []);
    assert!(is_live(&world, 1, 13 * DAY).await);
    assert!(is_live(&world, 1, 26 * DAY).await);
    assert!(!is_live(&world, 1, 30 * DAY).await, "thirty days are the absolute limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_use_of_a_session_is_recorded_once_a_minute() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    open(&world, &ada, 1, 0).await;
    let seen = async || world.sessions().list(ada.id, at(500)).await.unwrap()[0].last_seen_at;
    for second in [10, 60] {
        assert!(is_live(&world, 1, second).await);
        assert_eq!(seen().await, at(0));
    }
    assert!(is_live(&world, 1, 61).await);
    assert_eq!(seen().await, at(61));
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_again_in_a_browser_ends_the_session_that_it_had() {
    let world = World::fresh().await;
    let (ada, bob) = (world.customer("ada@example.com").await, world.customer("bob@example.com").await);
    open(&world, &ada, 1, 0).await;
    open(&world, &bob, 2, 0).await;
    open(&world, &ada, 3, 10).await;
    let browser = |held| Browser { device: Some(Text::new("Firefox on Linux").unwrap()), held: Some(hash(held)) };
    world.sessions().note_browser(&hash(3), &browser(2), at(10)).await.unwrap();
    assert!(is_live(&world, 2, 10).await, "another account's stays");
    world.sessions().note_browser(&hash(3), &browser(3), at(10)).await.unwrap();
    assert!(is_live(&world, 3, 10).await);
    world.sessions().note_browser(&hash(3), &browser(1), at(10)).await.unwrap();
    assert!(!is_live(&world, 1, 10).await);
    let listed = world.sessions().list(ada.id, at(10)).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].device.as_ref().map(Text::as_str), Some("Firefox on Linux"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_ends_one_or_all_other_sessions_but_no_one_elses() {
    let world = World::fresh().await;
    let (ada, bob) = (world.customer("ada@example.com").await, world.customer("bob@example.com").await);
    let one = open(&world, &ada, 1, 0).await;
    let kept = open(&world, &ada, 2, 1).await;
    open(&world, &ada, 3, 2).await;
    open(&world, &bob, 4, 0).await;
    let sessions = world.sessions();
    assert_eq!(sessions.close_of(bob.id, one, at(5)).await.unwrap(), Ending::Unknown);
    assert_eq!(sessions.close_of(ada.id, one, at(5)).await.unwrap(), Ending::Ended);
    assert_eq!(sessions.close_of(ada.id, one, at(6)).await.unwrap(), Ending::EndedBefore);
    assert_eq!(sessions.close_others(ada.id, kept, at(6)).await.unwrap(), 1);
    assert!(is_live(&world, 2, 7).await && is_live(&world, 4, 7).await);
    assert!(!is_live(&world, 1, 7).await && !is_live(&world, 3, 7).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_sessions_are_deleted_in_batches() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    for secret in 0..6 {
        let session = open(&world, &ada, secret, 0).await;
        if secret < 3 {
            world.sessions().close(session, at(100)).await.unwrap();
        }
    }
    let forget = async |before: i64, limit| world.sessions().forget(at(before), limit).await.unwrap();
    assert_eq!(forget(100, 10).await, 0);
    assert_eq!(forget(101, 2).await, 2);
    assert_eq!(forget(101, 2).await, 1);
    assert_eq!(forget(30 * DAY, 10).await, 0);
    assert_eq!(forget(30 * DAY + 1, 10).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_change_ends_all_other_sessions_and_sends_an_email() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let kept = open(&world, &ada, 1, 0).await;
    open(&world, &ada, 2, 0).await;
    let from = new_account(&ada).password.unwrap();
    let change =
        PasswordChange { account: ada.id, from, to: PasswordHash::new("$argon2id$to".into()), kept, at: at(5) };
    assert!(world.accounts().change_password(&change).await.unwrap());
    assert!(is_live(&world, 1, 6).await && !is_live(&world, 2, 6).await);
    let sent = "SELECT count(*) FROM outbox WHERE topic = 'account.password_changed' AND email = 'ada@example.com'";
    assert_eq!(world.count(sent), 1);
    // The password has changed since.
    assert!(!world.accounts().change_password(&change).await.unwrap());
    assert_eq!(world.count(sent), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_uploaded_profile_pictures_are_shown_to_others() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    let seen = async || {
        world.accounts().list(&ports::AccountQuery::default()).await.unwrap().items[0].account.photo_url.clone()
    };
    let own = "/images/a.webp".parse().unwrap();
    let uploaded = world.accounts().set_uploaded_photo(ada.id, &own).await.unwrap().unwrap();
    assert_eq!((uploaded.photo_url, seen().await), (Some(own.clone()), Some(own.clone())));
    world.accounts().update(ada.id, Some(Text::new("Ada L.").unwrap()), Edit::Keep).await.unwrap();
    assert_eq!(seen().await, Some(own));
    let foreign = "http://tracker.evil.example/x.png".parse().unwrap();
    let named = world.accounts().update(ada.id, None, Edit::Set(Some(foreign))).await.unwrap().unwrap();
    assert!(named.photo_url.is_some());
    assert_eq!(seen().await, None);
}
