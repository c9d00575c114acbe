//! Wrong passwords, and how many of them are looked at.

use std::time::Duration;

use domain::{AttemptSource, ClientNetwork, DeviceId, LoginAttempt};
use ports::{Counted, LoginAttempts};

use crate::world::{World, at, at_once};

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

/// Whether one more is looked at; then it counts.
async fn is_looked_at(world: &World, login_attempt: &LoginAttempt) -> bool {
    let retry_after = world.login_attempts().retry_after(login_attempt).await.unwrap();
    match world.login_attempts().count(login_attempt).await.unwrap() {
        Counted::LookAt(_) => {
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
async fn ten_of_an_account_are_looked_at_and_then_one_of_each_network_that_has_not_guessed() {
    let world = World::fresh().await;
    for second in 0..10 {
        assert!(is_looked_at(&world, &login_attempt("ada", "192.0.2.1", second)).await);
    }
    assert!(!is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 20)).await);
    assert!(is_looked_at(&world, &login_attempt("ada", "192.0.2.2", 20)).await);
    assert!(!is_looked_at(&world, &login_attempt("ada", "192.0.2.2", 21)).await);
    assert!(is_looked_at(&world, &login_attempt("bob", "192.0.2.1", 21)).await, "another account");
    // The tenth last, which is the second of all, has to be over.
    assert_eq!(
        world.login_attempts().retry_after(&login_attempt("ada", "192.0.2.2", 30)).await.unwrap(),
        Some(Duration::from_secs(1 + 900 - 30))
    );
    assert!(is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 902)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_hundred_networks_ten_and_a_hundred_get_a_look_in_a_day() {
    let world = World::fresh().await;
    let mut looked_at = 0;
    for n in 0..200 {
        looked_at += u32::from(is_looked_at(&world, &login_attempt("ada", &format!("192.0.2.{n}"), 0)).await);
    }
    assert_eq!(looked_at, 110);
    assert!(!is_looked_at(&world, &login_attempt("ada", "198.51.100.1", 800)).await);
    // The next window has its own ten; and a day later there are another hundred.
    for second in 1_000..1_010 {
        assert!(is_looked_at(&world, &login_attempt("ada", "198.51.100.1", second)).await);
    }
    assert!(!is_looked_at(&world, &login_attempt("ada", "198.51.100.2", 1_020)).await);
    for second in 90_000..90_010 {
        assert!(is_looked_at(&world, &login_attempt("ada", "198.51.100.1", second)).await);
    }
    assert!(is_looked_at(&world, &login_attempt("ada", "198.51.100.2", 90_020)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_ipv6_addresses_of_a_64_are_one_guesser() {
    let world = World::fresh().await;
    for second in 0..10 {
        assert!(is_looked_at(&world, &login_attempt("ada", &format!("2001:db8::{second:x}"), second)).await);
    }
    assert!(!is_looked_at(&world, &login_attempt("ada", "2001:db8::ffff:0:0:1", 20)).await);
    assert!(is_looked_at(&world, &login_attempt("ada", "2001:db8:0:1::1", 20)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_has_thirty_over_all_accounts() {
    let world = World::fresh().await;
    for n in 0..30 {
        assert!(is_looked_at(&world, &login_attempt(&format!("person{n}"), "192.0.2.1", 0)).await);
    }
    assert!(!is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 10)).await);
    assert!(is_looked_at(&world, &login_attempt("ada", "192.0.2.2", 10)).await, "another network");
    assert!(is_looked_at(&world, &known("ada", 1, 10)).await, "a known device there");
    assert!(is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 901)).await, "a quarter of an hour later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_device_has_ten_of_its_own_and_takes_none_from_strangers() {
    let world = World::fresh().await;
    for n in 0..120 {
        is_looked_at(&world, &login_attempt("ada", &format!("192.0.2.{n}"), 0)).await;
    }
    for second in 0..10 {
        assert!(is_looked_at(&world, &known("ada", 1, second)).await);
    }
    assert!(!is_looked_at(&world, &known("ada", 1, 20)).await);
    assert!(is_looked_at(&world, &known("ada", 2, 20)).await, "another device");
    for _ in 0..10 {
        assert!(is_looked_at(&world, &login_attempt("bob", "192.0.2.1", 20)).await, "strangers at the same address");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_right_does_not_count() {
    let world = World::fresh().await;
    for _ in 0..40 {
        let Counted::LookAt(counted) =
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
async fn guesses_that_arrive_together_are_counted_one_after_the_other() {
    let world = World::with_pool(8).await;
    // As from copies of the program that know nothing of each other: no turn is taken before the store.
    let counted = at_once(40, |_| {
        let database = world.database.clone();
        async move { LoginAttempts::count(&database, &login_attempt("ada", "192.0.2.1", 0)).await.unwrap() }
    })
    .await;
    assert_eq!(counted.iter().filter(|one| matches!(one, Counted::LookAt(_))).count(), 10);
    let sprayed = at_once(60, |n| {
        let database = world.database.clone();
        async move { LoginAttempts::count(&database, &login_attempt(&format!("p{n}"), "192.0.2.7", 0)).await.unwrap() }
    })
    .await;
    assert_eq!(sprayed.iter().filter(|one| matches!(one, Counted::LookAt(_))).count(), 30);
    let one_each = at_once(130, |n| {
        let database = world.database.clone();
        let from = format!("198.51.100.{n}");
        async move { LoginAttempts::count(&database, &login_attempt("eve", &from, 0)).await.unwrap() }
    })
    .await;
    assert_eq!(one_each.iter().filter(|one| matches!(one, Counted::LookAt(_))).count(), 110);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_forgotten_after_a_day() {
    let world = World::fresh().await;
    is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 0)).await;
    is_looked_at(&world, &login_attempt("ada", "192.0.2.1", 86_300)).await;
    assert_eq!(world.count("SELECT count(*) FROM login_guesses"), 2);
    is_looked_at(&world, &login_attempt("bob", "192.0.2.1", 86_500)).await;
    assert_eq!(world.count("SELECT count(*) FROM login_guesses"), 2);
}
