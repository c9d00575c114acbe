//! The stores that the simulation believes in, and the stores in Postgres: asked the same, they answer the same.
//!
//! The simulation proves the application against stores in memory. What it proves is worth as much as those are like the
//! real ones. So a seed makes a few hundred calls of the ports, with orders, payments, refunds and disputes as they may come
//! and with knowledge that is out of date; both sides are asked each of them, at the same moment of one clock, and every
//! answer is compared, and now and then everything that there is.
//!
//! Not compared: an order's number, which Postgres counts with gaps; and what two lists without an order put first.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

// They have one home, and it is the simulation's: a copy here would be like it for a day.
#[expect(dead_code, reason = "the simulation's invariants look at more of them")]
#[path = "../../../../application/tests/simulation/books.rs"]
mod books;
#[expect(dead_code, reason = "some are planted in other ports")]
#[path = "../../../../application/tests/simulation/bug.rs"]
mod bug;
mod calls;
mod clock;
mod people;
#[path = "../../../../application/tests/simulation/stores.rs"]
mod stores;
#[expect(dead_code, reason = "the simulation's provider and people live there too")]
#[path = "../../../../application/tests/simulation/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use testkit::fake_stripe::Rates;

use self::bug::Bug;
use self::calls::ask;
use self::clock::Clocked;
use self::people::People;
use self::stores::Stores;
use self::world::{Weather, World};

/// How many seeds there are, and how many calls each makes.
const SEEDS: u64 = 24;
const CALLS: usize = 250;

/// Asks both sides what a seed has them asked. Answers what was seen, or the first difference.
async fn compare(seed: u64, bug: Option<Bug>) -> Result<BTreeSet<String>, String> {
    let postgres = Clocked::fresh().await;
    let world = Arc::new(World::new(seed, Weather { stripe: Rates::default(), database: 0.0 }, bug, false));
    let memory = Stores(Arc::clone(&world));
    let mut people = People::new(seed, Arc::clone(&world), &postgres).await;
    let mut idempotency = BTreeSet::new();
    let mut last = Vec::new();
    for nth in 0..CALLS {
        postgres.set(people.pass_time());
        let mut calls = vec![people.next_call()];
        if nth % 50 == 49 {
            calls.extend(people.every_question());
        }
        for call in calls {
            let (here, there) = (ask(&memory, &call).await, ask(&postgres.database, &call).await);
            if here != there {
                return Err(format!(
                    "seed {seed}, call {nth}: {call:?}\n  in memory   {here}\n  in Postgres {there}\nafter\n{}",
                    last.join("\n")
                ));
            }
            idempotency.insert(format!("{} {}", call.name(), here.kind()));
            if call.changes() {
                last.push(format!("  {:.200} …: {here:.200}", format!("{call:?}")));
                last.drain(..last.len().saturating_sub(12));
            }
        }
    }
    let broken = postgres.broken();
    if broken.is_empty() { Ok(idempotency) } else { Err(format!("seed {seed}: {broken:?}")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_answer_the_same_whatever_they_are_asked() {
    let mut seen = BTreeSet::new();
    for seed in 0..SEEDS {
        seen.extend(compare(seed, None).await.unwrap_or_else(|difference| panic!("{difference}")));
    }
    // Calls that are never made, or never answered but one way, would agree too.
    let missing: Vec<&str> = calls::EXPECTED.iter().copied().filter(|what| !seen.contains(*what)).collect();
    assert!(missing.is_empty(), "never seen: {missing:?}, of {seen:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_breaks_its_promise_is_told_from_one_that_keeps_it() {
    for bug in [
        Bug::AppliesBlindly,
        Bug::SellsWhatIsGone,
        Bug::ReturnsTwice,
        Bug::ForgetsKeys,
        Bug::RemembersTooSoon,
        Bug::LooksOnlyOnce,
        Bug::ForgetsDebts,
    ] {
        let mut noticed = false;
        for seed in 0..SEEDS {
            noticed = compare(seed, Some(bug)).await.is_err();
            if noticed {
                break;
            }
        }
        assert!(noticed, "{SEEDS} seeds take {bug:?} for what Postgres does");
    }
}
