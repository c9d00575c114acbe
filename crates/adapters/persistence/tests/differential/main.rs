//! Differential test: the simulation's in-memory repositories and the Postgres repositories return the same results.
//!
//! The simulation proves the application against in-memory repositories. Its proof is only as good as their likeness to
//! the real ones. So a seed generates a few hundred port calls, with orders, payments, refunds and disputes in
//! realistic states and with outdated snapshots. Both sides get each call at the same moment of one clock; every result
//! is compared, and every 50 calls the whole state.
//!
//! Not compared: the numbers of orders and checkouts, which Postgres counts with gaps, and the order of rows in unordered lists.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

// Included from the simulation, because a copy would drift away from it.
#[expect(dead_code, reason = "the simulation's invariants read more of them")]
#[path = "../../../../application/tests/simulation/books.rs"]
mod books;
#[expect(dead_code, reason = "some are planted in other ports")]
#[path = "../../../../application/tests/simulation/bug.rs"]
mod bug;
mod buying;
mod calls;
#[path = "../../../../application/tests/simulation/checkouts.rs"]
#[expect(dead_code, reason = "the simulation's invariants read more of them")]
mod checkouts;
mod clock;
mod generator;
#[path = "../../../../application/tests/simulation/prices.rs"]
mod prices;
#[path = "../../../../application/tests/simulation/stores.rs"]
mod stores;
#[expect(dead_code, reason = "the simulation's provider and clients use it too")]
#[path = "../../../../application/tests/simulation/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use testkit::fake_stripe::Rates;

use self::bug::Bug;
use self::calls::perform;
use self::clock::Clocked;
use self::generator::CallGenerator;
use self::stores::Stores;
use self::world::{Faults, World};

/// Number of seeds, and of calls per seed.
const SEEDS: u64 = 24;
const CALLS: usize = 250;

/// Makes the calls of a seed on both sides. Returns the kinds of results observed, or the first difference.
async fn compare(seed: u64, bug: Option<Bug>) -> Result<BTreeSet<String>, String> {
    let postgres = Clocked::fresh().await;
    let world = Arc::new(World::new(seed, Faults { stripe: Rates::default(), database: 0.0 }, bug, false));
    let memory = Stores(Arc::clone(&world));
    let mut generator = CallGenerator::new(seed, Arc::clone(&world), &postgres).await;
    let mut observed = BTreeSet::new();
    let mut last = Vec::new();
    for nth in 0..CALLS {
        postgres.set(generator.pass_time());
        let mut calls = vec![generator.next_call()];
        if nth % 50 == 49 {
            calls.extend(generator.all_reads());
        }
        for call in calls {
            let (here, there) = (perform(&memory, &call).await, perform(&postgres.database, &call).await);
            if here != there {
                return Err(format!(
                    "seed {seed}, call {nth}: {call:?}\n  in memory   {here}\n  in Postgres {there}\nafter\n{}",
                    last.join("\n")
                ));
            }
            observed.insert(format!("{} {}", call.name(), here.kind()));
            if call.changes() {
                last.push(format!("  {:.200} …: {here:.200}", format!("{call:?}")));
                last.drain(..last.len().saturating_sub(12));
            }
        }
    }
    let broken = postgres.broken();
    if broken.is_empty() { Ok(observed) } else { Err(format!("seed {seed}: {broken:?}")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_return_the_same_results() {
    let mut observed = BTreeSet::new();
    for seed in 0..SEEDS {
        observed.extend(compare(seed, None).await.unwrap_or_else(|difference| panic!("{difference}")));
    }
    // Calls that are never made, or that always return the same kind of result, would agree too.
    let missing: Vec<&str> = calls::EXPECTED.iter().copied().filter(|what| !observed.contains(*what)).collect();
    assert!(missing.is_empty(), "never observed: {missing:?}, of {observed:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planted_bug_is_detected_as_a_difference() {
    for bug in [
        Bug::AppliesBlindly,
        Bug::SellsWhatIsGone,
        Bug::ReturnsTwice,
        Bug::ForgetsKeys,
        Bug::RemembersTooSoon,
        Bug::LooksOnlyOnce,
        Bug::ForgetsDebts,
        Bug::SettlesOnlyTheFirst,
        Bug::CancelsOnlyTheFirst,
        Bug::ForgetsFreightInShares,
        Bug::OpensBesides,
        Bug::ReturnsForEachPayment,
        Bug::ForgetsKeysOfCheckouts,
        Bug::PaysBeforeFreight,
        Bug::PlacesWhatItCan,
    ] {
        let mut noticed = false;
        for seed in 0..SEEDS {
            noticed = compare(seed, Some(bug)).await.is_err();
            if noticed {
                break;
            }
        }
        assert!(noticed, "{SEEDS} seeds find no difference between {bug:?} and Postgres");
    }
}
