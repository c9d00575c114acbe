//! The idempotency store: a repeated request is performed once.

use std::time::Duration;

use domain::AccountId;
use ports::{Claim, Claimed, Fingerprint, IdempotencyStore, NewProduct, SealedResponse, StoreError};
use uuid::Uuid;

use crate::world::{World, concurrently, id, key, new_order, product};

const LEASE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);

fn claim(n: u8, body: u8) -> Claim {
    Claim {
        key: key(n).key,
        fingerprint: Fingerprint([body; 32]),
        caller: Some(AccountId::new(Uuid::from_u128(1))),
        holder: id(),
        lease: LEASE,
    }
}

fn sealed(text: &str) -> SealedResponse {
    SealedResponse(text.as_bytes().to_vec())
}

/// Moves every stored response into the past by this many seconds.
fn pass(world: &World, seconds: u32) {
    world.sql(&format!("UPDATE answers SET claimed_at = claimed_at - interval '{seconds} s'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_held_until_it_is_answered_and_then_the_response_is_replayed() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    assert_eq!(world.idempotency().claim(&first).await.unwrap(), Claimed::Ours);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running);
    assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    world.idempotency().answered(first.key, first.holder, &sealed("done")).await.unwrap();
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Answered(sealed("done")));
    assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.idempotency().claim(&claim(2, 2)).await.unwrap(), Claimed::Ours);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_claims_only_one_is_ours() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let outcomes = concurrently(12, |_| {
            let database = world.database.clone();
            async move { database.claim(&claim(round, 1)).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|one| **one == Claimed::Ours).count(), 1, "round {round}: {outcomes:?}");
        assert!(outcomes.iter().all(|one| matches!(one, Claimed::Ours | Claimed::Running)), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_claim_stays_held_and_only_its_holder_can_renew_it() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    assert_eq!(world.idempotency().claim(&first).await.unwrap(), Claimed::Ours);
    pass(&world, 50);
    world.idempotency().renew(first.key, first.holder).await.unwrap();
    pass(&world, 50);
    world.idempotency().renew(first.key, id()).await.unwrap();
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running, "renewed 50 seconds ago");
    pass(&world, 11);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Ours, "it was not renewed since");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_claim_is_taken_over_once_and_its_former_holder_changes_nothing() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let expired = claim(round, 1);
        assert_eq!(world.idempotency().claim(&expired).await.unwrap(), Claimed::Ours);
        pass(&world, 55);
        assert_eq!(world.idempotency().claim(&claim(round, 1)).await.unwrap(), Claimed::Running, "not expired yet");
        pass(&world, 6);
        // A different request does not get the key even if its holder's lease has expired.
        assert_eq!(world.idempotency().claim(&claim(round, 2)).await.unwrap(), Claimed::Mismatch);
        let holders: Vec<Uuid> = (0..12).map(|_| id()).collect();
        let outcomes = concurrently(12, |n| {
            let database = world.database.clone();
            let claim = Claim { holder: holders[usize::try_from(n).unwrap()], ..claim(round, 1) };
            async move { (claim.holder, database.claim(&claim).await.unwrap()) }
        })
        .await;
        let successors: Vec<_> = outcomes.iter().filter(|(_, one)| *one == Claimed::Ours).collect();
        assert_eq!(successors.len(), 1, "round {round}: {outcomes:?}");

        world.idempotency().answered(expired.key, expired.holder, &sealed("late")).await.unwrap();
        world.idempotency().give_back(expired.key, expired.holder).await.unwrap();
        assert_eq!(world.idempotency().claim(&claim(round, 1)).await.unwrap(), Claimed::Running);
        world.idempotency().answered(expired.key, successors[0].0, &sealed("successor's")).await.unwrap();
        assert_eq!(
            world.idempotency().claim(&claim(round, 1)).await.unwrap(),
            Claimed::Answered(sealed("successor's"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answered_claim_never_expires_and_a_response_is_never_replaced() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    world.idempotency().claim(&first).await.unwrap();
    world.idempotency().answered(first.key, first.holder, &sealed("first")).await.unwrap();
    world.idempotency().answered(first.key, first.holder, &sealed("second")).await.unwrap();
    world.idempotency().give_back(first.key, first.holder).await.unwrap();
    pass(&world, 9_999);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Answered(sealed("first")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_claim_is_free_for_the_same_request_only() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    world.idempotency().claim(&first).await.unwrap();
    world.idempotency().give_back(first.key, first.holder).await.unwrap();
    assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Ours);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_responses_are_deleted_and_those_of_visitors_sooner() {
    let world = World::fresh().await;
    let visitor = |n| Claim { caller: None, ..claim(n, 1) };
    world.idempotency().claim(&claim(1, 1)).await.unwrap();
    world.idempotency().claim(&visitor(2)).await.unwrap();
    pass(&world, 3_500);
    assert_eq!(world.idempotency().forget(DAY, HOUR, 10).await.unwrap(), 0);
    pass(&world, 200);
    assert_eq!(world.idempotency().forget(DAY, HOUR, 10).await.unwrap(), 1, "the visitor's");
    pass(&world, 86_400);
    assert_eq!(world.idempotency().forget(DAY, HOUR, 10).await.unwrap(), 1);
    assert_eq!(world.idempotency().claim(&claim(1, 3)).await.unwrap(), Claimed::Ours);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_responses_are_deleted_in_bounded_batches() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO answers (key, fingerprint, holder, claimed_at)
        SELECT sha256(n::text::bytea), sha256('x'), gen_random_uuid(), now() - interval '2 days'
        FROM generate_series(1, 50000) AS n; ANALYZE answers",
    );
    for left in (0..10).rev() {
        let began = std::time::Instant::now();
        assert_eq!(world.idempotency().forget(DAY, HOUR, 5_000).await.unwrap(), 5_000);
        assert!(began.elapsed() < Duration::from_secs(1), "a batch of 5,000 took {:?}", began.elapsed());
        assert_eq!(world.count("SELECT count(*) FROM answers"), left * 5_000);
    }
    assert_eq!(world.idempotency().forget(DAY, HOUR, 5_000).await.unwrap(), 0);
}

/// An instance that waits polls repeatedly: polling must not write.
#[tokio::test(flavor = "multi_thread")]
async fn polling_another_holders_claim_writes_nothing() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    world.idempotency().claim(&first).await.unwrap();
    // The id of this statement's own transaction. A read-only transaction gets no id.
    let xid = || world.count("SELECT pg_current_xact_id()::text::bigint");
    let before = xid();
    for _ in 0..100 {
        assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running);
        assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    }
    // Other tests use the same server; writing transactions are counted over all of it.
    let written = xid() - before;
    assert!(written < 100, "{written} transactions wrote data");
}

fn reused<T: std::fmt::Debug>(done: &Result<T, StoreError>) {
    assert!(matches!(done, Err(StoreError::KeyReused)), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_stays_bound_to_the_request_that_created_something() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let disc = world.product(500).await;
    let placed = world.orders().place(&new_order(&customer, &disc, 50, Some(key(1)))).await.unwrap();
    let added = NewProduct { product: product("Another", 500), by: domain::Actor::Shop, idempotency_key: Some(key(2)) };
    world.products().add(&added).await.unwrap();

    // No response is stored: only the created rows know the keys.
    let of = |n: u8, body: u8| Claim { caller: Some(customer.id), ..claim(n, body) };
    assert_eq!(world.idempotency().claim(&of(1, 9)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.idempotency().claim(&of(2, 9)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.count("SELECT count(*) FROM answers"), 0);
    // The use case itself does not return the first request's result to a different request either.
    let other = ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(1) };
    let refused = world.orders().place(&new_order(&customer, &disc, 60, Some(other))).await;
    assert!(matches!(refused, Err(ports::PlaceError::Store(StoreError::KeyReused))), "{refused:?}");
    reused(&world.orders().placed_under(customer.id, other).await);
    let other = ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(2) };
    let refused = world.products().add(&NewProduct { idempotency_key: Some(other), ..added }).await;
    assert!(matches!(refused, Err(ports::WriteError::Store(StoreError::KeyReused))), "{refused:?}");
    assert_eq!(world.idempotency().claim(&of(1, 1)).await.unwrap(), Claimed::Ours);

    // A row from before fingerprints were stored accepts every request with its key, as before.
    world.sql("UPDATE orders SET once_fingerprint = NULL");
    let again =
        new_order(&customer, &disc, 60, Some(ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(1) }));
    assert_eq!(world.orders().place(&again).await.unwrap(), placed);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_of_a_batch_are_each_answered_on_their_own() {
    let world = World::with_pool(4).await;
    for n in 0..10 {
        assert_eq!(world.idempotency().claim(&claim(n, 1)).await.unwrap(), Claimed::Ours);
    }
    let holder = id();
    world.sql(&format!("UPDATE answers SET holder = '{holder}'"));
    let answers = concurrently(3, |n| {
        let (database, n) = (world.database.clone(), u8::try_from(n).unwrap());
        async move { database.answered(key(n).key, holder, &sealed(&format!("done {n}"))).await }
    })
    .await;
    assert!(answers.iter().all(Result::is_ok));
    // Answered, running, of another request, and free; each twice, and again while the others run.
    for _ in 0..2 {
        let outcomes = concurrently(40, |n| {
            let (database, n) = (world.database.clone(), u8::try_from(n / 2).unwrap());
            async move { (n, database.claim(&claim(n, if (6..10).contains(&n) { 2 } else { 1 })).await.unwrap()) }
        })
        .await;
        for (n, outcome) in outcomes {
            let expected = match n {
                0..3 => Claimed::Answered(sealed(&format!("done {n}"))),
                3..6 => Claimed::Running,
                6..10 => Claimed::Mismatch,
                _ => continue,
            };
            assert_eq!(outcome, expected, "{n}");
        }
    }
    assert_eq!(world.count("SELECT count(*) FROM answers"), 20);
}

/// Whether transactions wait for the disk is a property of the session, which other calls use too.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_does_not_change_what_later_transactions_wait_for() {
    let world = World::with_pool(1).await;
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Ours);
    assert_eq!(world.database.examine().await.unwrap().synchronous_commit, "on");
}
