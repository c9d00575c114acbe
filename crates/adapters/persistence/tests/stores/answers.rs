//! Remembered answers: the same request twice happens once.

use ports::{AnswerStore, Claim, Claimed, Fingerprint, SealedAnswer};
use uuid::Uuid;

use crate::world::{World, at, at_once, id, key};

fn claim(n: u8, body: u8, second: i64) -> Claim {
    Claim {
        key: key(n),
        fingerprint: Fingerprint([body; 32]),
        holder: id(),
        at: at(second),
        dead_before: at(second - 60),
    }
}

fn sealed(text: &str) -> SealedAnswer {
    SealedAnswer(text.as_bytes().to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_held_until_it_is_answered_and_the_answer_is_told_from_then_on() {
    let world = World::fresh().await;
    let first = claim(1, 1, 100);
    assert_eq!(world.answers().claim(&first).await.unwrap(), Claimed::Ours);
    assert_eq!(world.answers().claim(&claim(1, 1, 101)).await.unwrap(), Claimed::Running);
    assert_eq!(world.answers().claim(&claim(1, 2, 101)).await.unwrap(), Claimed::Mismatch);
    world.answers().answered(first.key, first.holder, &sealed("done")).await.unwrap();
    assert_eq!(world.answers().claim(&claim(1, 1, 102)).await.unwrap(), Claimed::Answered(sealed("done")));
    assert_eq!(world.answers().claim(&claim(1, 2, 102)).await.unwrap(), Claimed::Mismatch);
    assert_eq!(world.answers().claim(&claim(2, 2, 102)).await.unwrap(), Claimed::Ours);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_claims_at_the_same_moment_one_is_ours() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let outcomes = at_once(12, |_| {
            let database = world.database.clone();
            async move { database.claim(&claim(round, 1, 100)).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|one| **one == Claimed::Ours).count(), 1, "round {round}: {outcomes:?}");
        assert!(outcomes.iter().all(|one| matches!(one, Claimed::Ours | Claimed::Running)), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_claim_lives_on_and_only_its_holder_renews_it() {
    let world = World::fresh().await;
    let first = claim(1, 1, 0);
    assert_eq!(world.answers().claim(&first).await.unwrap(), Claimed::Ours);
    world.answers().renew(first.key, first.holder, at(50)).await.unwrap();
    world.answers().renew(first.key, id(), at(1_000)).await.unwrap();
    assert_eq!(world.answers().claim(&claim(1, 1, 110)).await.unwrap(), Claimed::Running, "renewed at 50");
    assert_eq!(world.answers().claim(&claim(1, 1, 111)).await.unwrap(), Claimed::Ours, "nobody renewed it since");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_claim_is_taken_over_by_one_and_its_late_holder_changes_nothing() {
    let world = World::with_pool(12).await;
    for round in 0..20 {
        let dead = claim(round, 1, 0);
        assert_eq!(world.answers().claim(&dead).await.unwrap(), Claimed::Ours);
        assert_eq!(world.answers().claim(&claim(round, 1, 60)).await.unwrap(), Claimed::Running, "not dead yet");
        // Another request does not get the key, however dead its holder is.
        assert_eq!(world.answers().claim(&claim(round, 2, 61)).await.unwrap(), Claimed::Mismatch);
        let holders: Vec<Uuid> = (0..12).map(|_| id()).collect();
        let outcomes = at_once(12, |n| {
            let database = world.database.clone();
            let claim = Claim { holder: holders[usize::try_from(n).unwrap()], ..claim(round, 1, 61) };
            async move { (claim.holder, database.claim(&claim).await.unwrap()) }
        })
        .await;
        let heirs: Vec<_> = outcomes.iter().filter(|(_, one)| *one == Claimed::Ours).collect();
        assert_eq!(heirs.len(), 1, "round {round}: {outcomes:?}");

        world.answers().answered(dead.key, dead.holder, &sealed("late")).await.unwrap();
        world.answers().give_back(dead.key, dead.holder).await.unwrap();
        assert_eq!(world.answers().claim(&claim(round, 1, 62)).await.unwrap(), Claimed::Running);
        world.answers().answered(dead.key, heirs[0].0, &sealed("heir's")).await.unwrap();
        assert_eq!(world.answers().claim(&claim(round, 1, 63)).await.unwrap(), Claimed::Answered(sealed("heir's")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answered_claim_is_never_dead_and_an_answer_is_never_replaced() {
    let world = World::fresh().await;
    let first = claim(1, 1, 0);
    world.answers().claim(&first).await.unwrap();
    world.answers().answered(first.key, first.holder, &sealed("first")).await.unwrap();
    world.answers().answered(first.key, first.holder, &sealed("second")).await.unwrap();
    world.answers().give_back(first.key, first.holder).await.unwrap();
    assert_eq!(world.answers().claim(&claim(1, 1, 9_999)).await.unwrap(), Claimed::Answered(sealed("first")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_is_given_back_or_forgotten_is_free() {
    let world = World::fresh().await;
    let first = claim(1, 1, 100);
    world.answers().claim(&first).await.unwrap();
    world.answers().give_back(first.key, first.holder).await.unwrap();
    assert_eq!(world.answers().claim(&claim(1, 2, 101)).await.unwrap(), Claimed::Ours);
    world.answers().claim(&claim(2, 2, 200)).await.unwrap();

    assert_eq!(world.answers().forget(at(101)).await.unwrap(), 0);
    assert_eq!(world.answers().forget(at(102)).await.unwrap(), 1);
    assert_eq!(world.answers().claim(&claim(1, 3, 201)).await.unwrap(), Claimed::Ours);
    assert_eq!(world.answers().claim(&claim(2, 2, 201)).await.unwrap(), Claimed::Running);
}
