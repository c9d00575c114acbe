//! Failed logins and their limits.

use std::time::Duration;

use domain::{AttemptSource, ClientNetwork, DeviceId, LoginAttempt};
use ports::{Counted, LoginAttempts};

use crate::world::{World, at, concurrently};

fn network(address: &str) -> ClientNetwork {
    ClientNetwork::of(address.parse().unwrap())
}

fn login_attempt(name: &str, from: &str, second: i64) -> LoginAttempt {
    let email = format!("{name}@example.com").parse().unwrap();
    LoginAttempt { email, by: AttemptSource::Stranger, from: network(from), at: at(second) }
}

fn known(name: &str, device: u8, second: i64) -> LoginAttempt {
    LoginAttempt { by: AttemptSource::Known(DeviceId([device; 16])), ..login_attempt(name, "192.0.2.1", second) }
}

/// Whether one more login attempt is checked. If so, it counts.
async fn is_checked(world: &World, login_attempt: &LoginAttempt) -> bool {
    let retry_after = world.login_attempts().retry_after(login_attempt).await.unwrap();
    match world.login_attempts().count(login_attempt).await.unwrap() {
        Counted::Check(_) => {
            assert_eq!(retry_after, None);
            true
        }
        Counted::Wait(wait) => {
            assert_eq!(retry_after, Some(wait));
            false
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_attempts_per_account_are_checked_then_one_per_network_without_a_failed_login() {
    let world = World::fresh().await;
    for second in 0..10 {
        assert!(is_checked(&world, &login_attempt("ada", "192.0.2.1", second)).await);
    }
    assert!(!is_checked(&world, &login_attempt("ada", "192.0.2.1", 20)).await);
    assert!(is_checked(&world, &login_attempt("ada", "192.0.2.2", 20)).await);
    assert!(!is_checked(&world, &login_attempt("ada", "192.0.2.2", 21)).await);
    assert!(is_checked(&world, &login_attempt("bob", "192.0.2.1", 21)).await, "another account");
    // The tenth last attempt, which is the second of all, must leave the window first.
    assert_eq!(
        world.login_attempts().retry_after(&login_attempt("ada", "192.0.2.2", 30)).await.unwrap(),
        Some(Duration::from_secs(1 + 900 - 30))
    );
    assert!(is_checked(&world, &login_attempt("ada", "192.0.2.1", 902)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_allows_ten_attempts_plus_one_for_each_of_a_hundred_networks_a_day() {
    let world = World::fresh().await;
    let mut checked = 0;
    for n in 0..200 {
        checked += u32::from(is_checked(&world, &login_attempt("ada", &format!("192.0.2.{n}"), 0)).await);
    }
    assert_eq!(checked, 110);
    assert!(!is_checked(&world, &login_attempt("ada", "198.51.100.1", 800)).await);
    // The next window has its own ten, and a day later another hundred networks are allowed.
    for second in 1_000..1_010 {
        assert!(is_checked(&world, &login_attempt("ada", "198.51.100.1", second)).await);
    }
    assert!(!is_checked(&world, &login_attempt("ada", "198.51.100.2", 1_020)).await);
    for second in 90_000..90_010 {
        assert!(is_checked(&world, &login_attempt("ada", "198.51.100.1", second)).await);
    }
    assert!(is_checked(&world, &login_attempt("ada", "198.51.100.2", 90_020)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_ipv6_addresses_of_a_64_prefix_are_one_network() {
    let world = World::fresh().await;
    for second in 0..10 {
        assert!(is_checked(&world, &login_attempt("ada", &format!("2001:db8::{second:x}"), second)).await);
    }
    assert!(!is_checked(&world, &login_attempt("ada", "2001:db8::ffff:0:0:1", 20)).await);
    assert!(is_checked(&world, &login_attempt("ada", "2001:db8:0:1::1", 20)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_has_thirty_attempts_over_all_accounts() {
    let world = World::fresh().await;
    for n in 0..30 {
        assert!(is_checked(&world, &login_attempt(&format!("customer{n}"), "192.0.2.1", 0)).await);
    }
    assert!(!is_checked(&world, &login_attempt("ada", "192.0.2.1", 10)).await);
    assert!(is_checked(&world, &login_attempt("ada", "192.0.2.2", 10)).await, "another network");
    assert!(is_checked(&world, &known("ada", 1, 10)).await, "a known device there");
    assert!(is_checked(&world, &login_attempt("ada", "192.0.2.1", 901)).await, "a quarter of an hour later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_device_has_ten_attempts_of_its_own_and_uses_up_none_of_the_others() {
    let world = World::fresh().await;
    for n in 0..120 {
        is_checked(&world, &login_attempt("ada", &format!("192.0.2.{n}"), 0)).await;
    }
    for second in 0..10 {
        assert!(is_checked(&world, &known("ada", 1, second)).await);
    }
    assert!(!is_checked(&world, &known("ada", 1, 20)).await);
    assert!(is_checked(&world, &known("ada", 2, 20)).await, "another device");
    for _ in 0..10 {
        assert!(
            is_checked(&world, &login_attempt("bob", "192.0.2.1", 20)).await,
            "unknown devices at the same address"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_successful_login_does_not_count() {
    let world = World::fresh().await;
    for _ in 0..40 {
        let Counted::Check(counted) =
            world.login_attempts().count(&login_attempt("ada", "192.0.2.1", 0)).await.unwrap()
        else {
            panic!("refused");
        };
        world.login_attempts().forgive(counted).await.unwrap();
        world.login_attempts().forgive(counted).await.unwrap();
    }
    assert_eq!(world.count("SELECT count(*) FROM login_guesses"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_attempts_are_counted_one_after_the_other() {
    let world = World::with_pool(8).await;
    // As from several instances: nothing serializes the attempts before the store.
    let counted = concurrently(40, |_| {
        let database = world.database.clone();
        async move { LoginAttempts::count(&database, &login_attempt("ada", "192.0.2.1", 0)).await.unwrap() }
    })
    .await;
    assert_eq!(counted.iter().filter(|one| matches!(one, Counted::Check(_))).count(), 10);
    let sprayed = concurrently(60, |n| {
        let database = world.database.clone();
        async move { LoginAttempts::count(&database, &login_attempt(&format!("p{n}"), "192.0.2.7", 0)).await.unwrap() }
    })
    .await;
    assert_eq!(sprayed.iter().filter(|one| matches!(one, Counted::Check(_))).count(), 30);
    let one_each = concurrently(130, |n| {
        let database = world.database.clone();
        let from = format!("198.51.100.{n}");
        async move { LoginAttempts::count(&database, &login_attempt("eve", &from, 0)).await.unwrap() }
    })
    .await;
    assert_eq!(one_each.iter().filter(|one| matches!(one, Counted::Check(_))).count(), 110);
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_logins_are_deleted_after_a_day() {
    let world = World::fresh().await;
    is_checked(&world, &login_attempt("ada", "192.0.2.1", 0)).await;
    is_checked(&world, &login_attempt("ada", "192.0.2.1", 86_300)).await;
    assert_eq!(world.count("SELECT count(*) FROM login_guesses"), 2);
    is_checked(&world, &login_attempt("bob", "192.0.2.1", 86_500)).await;
    assert_eq!(world.count("SELECT count(*) FROM login_guesses"), 2);
}
