//! Limits on requests that all copies count together.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use domain::ClientNetwork;
use ports::{Limited, RateLimit, SharedRateLimits};

use crate::world::{World, concurrently};

const LIMIT: RateLimit = RateLimit { per_minute: 2, burst: 5 };

fn client(number: u32) -> ClientNetwork {
    ClientNetwork::of(IpAddr::V4(Ipv4Addr::from(number)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_has_its_burst_and_then_one_request_an_interval() {
    let world = World::fresh().await;
    let limits: &dyn SharedRateLimits = &world.database;
    for _ in 0..5 {
        assert_eq!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap(), None);
    }
    let wait = limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap().unwrap();
    assert!(wait > Duration::from_secs(20) && wait <= Duration::from_secs(30), "{wait:?}");
    assert_eq!(limits.count(Limited::Vins, LIMIT, client(1)).await.unwrap(), None, "another limit");
    assert_eq!(limits.count(Limited::Emails, LIMIT, client(2)).await.unwrap(), None, "another client");
    // Half a minute later there is one again, and no more: what was refused has cost nothing.
    world.sql("UPDATE rate_limits SET spent_until = spent_until - interval '30 s'");
    assert_eq!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap(), None);
    assert!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap().is_some());
    // Whoever was away for long has a whole burst, and not two.
    world.sql("UPDATE rate_limits SET spent_until = spent_until - interval '1 day'");
    for _ in 0..5 {
        assert_eq!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap(), None);
    }
    assert!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_what_was_counted_by_a_clock_that_was_wrong_or_for_a_larger_limit() {
    let world = World::fresh().await;
    let limits: &dyn SharedRateLimits = &world.database;
    for _ in 0..5 {
        assert_eq!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap(), None);
    }
    // The clock was an hour ahead until now.
    world.sql("UPDATE rate_limits SET spent_until = spent_until + interval '1 hour'");
    for _ in 0..5 {
        assert_eq!(limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap(), None);
    }
    let wait = limits.count(Limited::Emails, LIMIT, client(1)).await.unwrap().unwrap();
    assert!(wait <= Duration::from_secs(30), "{wait:?}");
    // The limit becomes one request a minute.
    let smaller = RateLimit { per_minute: 1, burst: 1 };
    assert_eq!(limits.count(Limited::Emails, smaller, client(1)).await.unwrap(), None);
    let wait = limits.count(Limited::Emails, smaller, client(1)).await.unwrap().unwrap();
    assert!(wait <= Duration::from_mins(1), "{wait:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_requests_at_once_no_more_than_a_burst_are_let_in() {
    let world = World::with_pool(16).await;
    let database = world.database.clone();
    let answers = concurrently(60, move |_| {
        let database = database.clone();
        async move { SharedRateLimits::count(&database, Limited::Rows, LIMIT, client(1)).await.unwrap() }
    })
    .await;
    assert_eq!(answers.iter().filter(|wait| wait.is_none()).count(), 5);
    assert!(answers.iter().flatten().all(|wait| *wait > Duration::ZERO && *wait <= Duration::from_secs(30)));
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_that_limit_nobody_are_forgotten_in_batches() {
    let world = World::fresh().await;
    let limits: &dyn SharedRateLimits = &world.database;
    for number in 0..7 {
        limits.count(Limited::Emails, LIMIT, client(number)).await.unwrap();
    }
    world.sql("UPDATE rate_limits SET spent_until = now() - interval '1 s' WHERE client <> '0.0.0.0'");
    assert_eq!(limits.forget(4).await.unwrap(), 4);
    assert_eq!(limits.forget(4).await.unwrap(), 2);
    assert_eq!(limits.forget(4).await.unwrap(), 0);
    assert_eq!(world.count("SELECT count(*) FROM rate_limits"), 1);
}
