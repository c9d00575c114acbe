//! Remembered answers: the same request twice happens once.

use std::time::Duration;

use domain::AccountId;
use ports::{Claim, Claimed, Fingerprint, IdempotencyStore, NewProduct, SealedResponse, StoreError};
use uuid::Uuid;

use crate::world::{World, at_once, id, key, new_order, product};

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

/// Lets time go by for every answer.
fn pass(world: &World, seconds: u32) {
    world.sql(&format!("UPDATE answers SET claimed_at = claimed_at - interval '{seconds} s'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_held_until_it_is_answered_and_the_answer_is_told_from_then_on() {
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
async fn of_many_claims_at_the_same_moment_one_is_ours() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let outcomes = at_once(12, |_| {
            let database = world.database.clone();
            async move { database.claim(&claim(round, 1)).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|one| **one == Claimed::Ours).count(), 1, "round {round}: {outcomes:?}");
        assert!(outcomes.iter().all(|one| matches!(one, Claimed::Ours | Claimed::Running)), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_claim_lives_on_and_only_its_holder_renews_it() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    assert_eq!(world.idempotency().claim(&first).await.unwrap(), Claimed::Ours);
    pass(&world, 50);
    world.idempotency().renew(first.key, first.holder).await.unwrap();
    pass(&world, 50);
    world.idempotency().renew(first.key, id()).await.unwrap();
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running, "renewed 50 seconds ago");
    pass(&world, 11);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Ours, "nobody renewed it since");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_claim_is_taken_over_by_one_and_its_late_holder_changes_nothing() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let dead = claim(round, 1);
        assert_eq!(world.idempotency().claim(&dead).await.unwrap(), Claimed::Ours);
        pass(&world, 55);
        assert_eq!(world.idempotency().claim(&claim(round, 1)).await.unwrap(), Claimed::Running, "not dead yet");
        pass(&world, 6);
        // Another request does not get the key, however dead its holder is.
        assert_eq!(world.idempotency().claim(&claim(round, 2)).await.unwrap(), Claimed::Mismatch);
        let holders: Vec<Uuid> = (0..12).map(|_| id()).collect();
        let outcomes = at_once(12, |n| {
            let database = world.database.clone();
            let claim = Claim { holder: holders[usize::try_from(n).unwrap()], ..claim(round, 1) };
            async move { (claim.holder, database.claim(&claim).await.unwrap()) }
        })
        .await;
        let heirs: Vec<_> = outcomes.iter().filter(|(_, one)| *one == Claimed::Ours).collect();
        assert_eq!(heirs.len(), 1, "round {round}: {outcomes:?}");

        world.idempotency().answered(dead.key, dead.holder, &sealed("late")).await.unwrap();
        world.idempotency().give_back(dead.key, dead.holder).await.unwrap();
        assert_eq!(world.idempotency().claim(&claim(round, 1)).await.unwrap(), Claimed::Running);
        world.idempotency().answered(dead.key, heirs[0].0, &sealed("heir's")).await.unwrap();
        assert_eq!(world.idempotency().claim(&claim(round, 1)).await.unwrap(), Claimed::Answered(sealed("heir's")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answered_claim_is_never_dead_and_an_answer_is_never_replaced() {
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
async fn a_claim_that_is_given_back_is_free_for_the_same_request_and_for_no_other() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    world.idempotency().claim(&first).await.unwrap();
    world.idempotency().give_back(first.key, first.holder).await.unwrap();
    assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Ours);
    assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_old_is_forgotten_and_a_visitors_sooner() {
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
async fn forgetting_goes_in_small_bites_however_much_is_old() {
    let world = World::fresh().await;
    world.sql(
        "INSERT INTO answers (key, fingerprint, holder, claimed_at)
        SELECT sha256(n::text::bytea), sha256('x'), gen_random_uuid(), now() - interval '2 days'
        FROM generate_series(1, 50000) AS n; ANALYZE answers",
    );
    for left in (0..10).rev() {
        let began = std::time::Instant::now();
        assert_eq!(world.idempotency().forget(DAY, HOUR, 5_000).await.unwrap(), 5_000);
        assert!(began.elapsed() < Duration::from_secs(1), "a bite of 5,000 took {:?}", began.elapsed());
        assert_eq!(world.count("SELECT count(*) FROM answers"), left * 5_000);
    }
    assert_eq!(world.idempotency().forget(DAY, HOUR, 5_000).await.unwrap(), 0);
}

/// A copy that waits asks again and again: that must not cost a write.
#[tokio::test(flavor = "multi_thread")]
async fn looking_at_a_claim_of_somebody_elses_writes_nothing() {
    let world = World::fresh().await;
    let first = claim(1, 1);
    world.idempotency().claim(&first).await.unwrap();
    // Of this statement's own transaction; asking does not give it one.
    let xid = || world.count("SELECT pg_current_xact_id()::text::bigint");
    let before = xid();
    for _ in 0..100 {
        assert_eq!(world.idempotency().claim(&claim(1, 1)).await.unwrap(), Claimed::Running);
        assert_eq!(world.idempotency().claim(&claim(1, 2)).await.unwrap(), Claimed::Mismatch);
    }
    // Other tests use the same server; transactions that write are counted over all of it.
    let written = xid() - before;
    assert!(written < 100, "{written} transactions wrote something");
}

fn reused<T: std::fmt::Debug>(done: &Result<T, StoreError>) {
    assert!(matches!(done, Err(StoreError::KeyReused)), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_goes_on_belonging_to_the_request_that_made_something() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let disc = world.product(500).await;
    let placed = world.orders().place(&new_order(&customer, &disc, 50, Some(key(1)))).await.unwrap();
    let added = NewProduct { product: product("Another", 500), by: domain::Actor::Shop, idempotency_key: Some(key(2)) };
    world.products().add(&added).await.unwrap();

    // No answer is remembered: nobody but what was made knows the keys.
    let of = |n: u8, body: u8| Claim { caller: Some(customer.id), ..claim(n, body) };
    assert_eq!(world.idempotency().claim(&of(1, 9)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.idempotency().claim(&of(2, 9)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.count("SELECT count(*) FROM answers"), 0);
    // Nor does the use case itself answer another request with the first one's work.
    let other = ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(1) };
    let refused = world.orders().place(&new_order(&customer, &disc, 60, Some(other))).await;
    assert!(matches!(refused, Err(ports::PlaceError::Store(StoreError::KeyReused))), "{refused:?}");
    reused(&world.orders().placed_under(customer.id, other).await);
    let other = ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(2) };
    reused(&world.products().add(&NewProduct { idempotency_key: Some(other), ..added }).await);
    assert_eq!(world.idempotency().claim(&of(1, 1)).await.unwrap(), Claimed::Ours);

    // A row from before fingerprints were kept answers whoever has its key, as it always did.
    world.sql("UPDATE orders SET once_fingerprint = NULL");
    let again =
        new_order(&customer, &disc, 60, Some(ports::IdempotencyKey { fingerprint: Fingerprint([9; 32]), ..key(1) }));
    assert_eq!(world.orders().place(&again).await.unwrap(), placed);
    world.assert_sound();
}
