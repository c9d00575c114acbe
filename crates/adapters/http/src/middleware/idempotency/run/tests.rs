//! Running a request once, against mocks of the store and the seal.

use std::sync::atomic::{AtomicU32, Ordering};

use ports::{Fingerprint, MockIdempotencyStore, MockIds, MockResponseSeal};

use super::*;
use crate::middleware::idempotency::stored_response::tests::created;

fn seal() -> Arc<MockResponseSeal> {
    let mut seal = MockResponseSeal::new();
    seal.expect_seal().returning(|_, _, answer| Some(SealedResponse(answer.to_vec())));
    seal.expect_open().returning(|_, _, sealed| Some(sealed.0.clone()));
    Arc::new(seal)
}

/// What the store holds of [`created`].
fn stored(body: &[u8]) -> SealedResponse {
    SealedResponse(created(body).to_bytes().unwrap())
}

fn first(body: &[u8]) -> Answered {
    Answered { response: Arc::new(created(body)), replayed: false }
}

fn copy(body: &[u8]) -> Answered {
    Answered { replayed: true, ..first(body) }
}

fn request() -> IdempotentRequest<'static> {
    let key = IdempotencyKey { key: KeyDigest([1; 32]), fingerprint: Fingerprint([b'P'; 32]) };
    IdempotentRequest { key, caller: None, sent: "key", request: b"POST /orders" }
}

fn with(store: impl IdempotencyStore + 'static) -> Idempotency {
    let mut ids = MockIds::new();
    let mut last = 10_000;
    ids.expect_fresh().returning(move || {
        last += 1;
        Uuid::from_u128(last)
    });
    Idempotency::new(Arc::new(store), seal(), Arc::new(ids))
}

#[tokio::test]
async fn the_first_request_runs_and_its_response_is_stored() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().withf(|claim| claim.lease == Duration::from_secs(10)).returning(|_| Ok(Claimed::Ours));
    store.expect_answered().times(1).withf(|_, _, sealed| *sealed == stored(b"done")).returning(|_, _, _| Ok(()));
    let got = with(store).run(request(), async { (created(b"done"), true) }).await.unwrap();
    assert_eq!(got, first(b"done"));
}

#[tokio::test(start_paused = true)]
async fn polling_for_another_process_backs_off() {
    let polls = Arc::new(AtomicU32::new(0));
    let mut store = MockIdempotencyStore::new();
    let counted = Arc::clone(&polls);
    let began = Instant::now();
    store.expect_claim().returning(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        let answered = began.elapsed() > Duration::from_secs(30);
        Ok(if answered { Claimed::Answered(stored(b"first")) } else { Claimed::Running })
    });
    let never = async { panic!("the duplicate must not run") };
    let got = with(store).run(request(), never).await.unwrap();
    assert_eq!(got, copy(b"first"));
    let polls = polls.load(Ordering::SeqCst);
    assert!((30..=40).contains(&polls), "{polls} polls in 30 seconds");
    assert!(began.elapsed() < Duration::from_secs(32));
}

#[tokio::test(start_paused = true)]
async fn of_many_concurrent_duplicates_one_asks_the_database_and_all_get_its_response() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().times(1).returning(|_| Ok(Claimed::Ours));
    store.expect_renew().returning(|_, _| Ok(()));
    store.expect_answered().times(1).returning(|_, _, _| Ok(()));
    let idempotency = with(store);
    let runs = Arc::new(AtomicU32::new(0));
    let copies: Vec<_> = (0..200)
        .map(|_| {
            let (idempotency, runs) = (idempotency.clone(), Arc::clone(&runs));
            tokio::spawn(async move {
                let slow = async {
                    runs.fetch_add(1, Ordering::SeqCst);
                    sleep(Duration::from_secs(5)).await;
                    (created(b"done"), true)
                };
                idempotency.run(request(), slow).await.unwrap()
            })
        })
        .collect();
    let mut replayed = 0;
    for one in copies {
        let got = one.await.unwrap();
        assert_eq!(*got.response, created(b"done"));
        replayed += u32::from(got.replayed);
    }
    assert_eq!((runs.load(Ordering::SeqCst), replayed), (1, 199));
    assert!(idempotency.running.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn if_the_first_request_panics_the_next_one_runs() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().times(2).returning(|_| Ok(Claimed::Ours));
    store.expect_answered().times(1).returning(|_, _, _| Ok(()));
    let idempotency = with(store);
    let broken = idempotency.clone();
    let breaking = tokio::spawn(async move {
        let dies = async {
            sleep(Duration::from_millis(500)).await;
            panic!("the first request panics")
        };
        broken.run(request(), dies).await
    });
    tokio::task::yield_now().await;
    let got = idempotency.run(request(), async { (created(b"done"), true) }).await.unwrap();
    assert_eq!(got, first(b"done"));
    assert!(breaking.await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_slow_request_renews_its_claim() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().returning(|_| Ok(Claimed::Ours));
    store.expect_renew().times(4).returning(|_, _| Ok(()));
    store.expect_answered().times(1).returning(|_, _, _| Ok(()));
    let slow = async {
        sleep(Duration::from_secs(9)).await;
        (created(b"done"), true)
    };
    assert_eq!(with(store).run(request(), slow).await.unwrap(), first(b"done"));
}

#[tokio::test]
async fn a_response_not_to_be_stored_releases_the_key() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().returning(|_| Ok(Claimed::Ours));
    store.expect_give_back().times(1).returning(|_, _| Ok(()));
    let got = with(store).run(request(), async { (created(b"later"), false) }).await;
    assert!(got.is_ok());
}

#[tokio::test]
async fn a_key_of_another_request_is_refused() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().returning(|_| Ok(Claimed::Mismatch));
    let never = async { panic!("must not run") };
    let refused = with(store).run(request(), never).await;
    assert!(matches!(refused, Err(IdempotencyError::Mismatch)));
}

/// A store in which storing a response hangs.
struct Hanging;

#[async_trait::async_trait]
impl IdempotencyStore for Hanging {
    async fn claim(&self, _: &Claim) -> Result<Claimed, StoreError> {
        Ok(Claimed::Ours)
    }

    async fn renew(&self, _: KeyDigest, _: Uuid) -> Result<(), StoreError> {
        std::future::pending().await
    }

    async fn answered(&self, _: KeyDigest, _: Uuid, _: &SealedResponse) -> Result<(), StoreError> {
        std::future::pending().await
    }

    async fn give_back(&self, _: KeyDigest, _: Uuid) -> Result<(), StoreError> {
        std::future::pending().await
    }

    async fn forget(&self, _: Duration, _: Duration, _: u32) -> Result<u32, StoreError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_is_sent_within_a_second_even_if_storing_it_hangs() {
    let idempotency = with(Hanging);
    let began = Instant::now();
    let got = idempotency.run(request(), async { (created(b"done"), true) }).await.unwrap();
    assert_eq!((got, began.elapsed()), (first(b"done"), Duration::from_secs(1)));
}

#[tokio::test(start_paused = true)]
async fn a_slow_request_gets_its_response_even_if_renewing_its_claim_hangs() {
    let idempotency = with(Hanging);
    let slow = async {
        sleep(Duration::from_secs(5)).await;
        (created(b"done"), true)
    };
    let began = Instant::now();
    assert_eq!(idempotency.run(request(), slow).await.unwrap(), first(b"done"));
    assert!(began.elapsed() <= Duration::from_secs(7), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_request_whose_key_is_remembered_by_what_it_creates_claims_nothing() {
    let got = with(MockIdempotencyStore::new())
        .attempt(request(), async { ControlFlow::<_, ()>::Break(created(b"placed")) }, async |()| panic!("not again"))
        .await
        .unwrap();
    assert_eq!(got, first(b"placed"));
}

#[tokio::test]
async fn what_the_attempt_leaves_runs_under_a_claim() {
    let mut store = MockIdempotencyStore::new();
    store.expect_claim().times(1).returning(|_| Ok(Claimed::Ours));
    store.expect_answered().times(1).withf(|_, _, sealed| *sealed == stored(b"left")).returning(|_, _, _| Ok(()));
    let attempt = async { ControlFlow::Continue(b"left") };
    let got = with(store).attempt(request(), attempt, async |left: &[u8; 4]| (created(left), true)).await.unwrap();
    assert_eq!(got, first(b"left"));
}

#[tokio::test(start_paused = true)]
async fn duplicates_of_an_attempt_wait_for_it() {
    let idempotency = with(MockIdempotencyStore::new());
    let slow = idempotency.clone();
    let placing = tokio::spawn(async move {
        let attempt = async {
            sleep(Duration::from_secs(1)).await;
            ControlFlow::<_, ()>::Break(created(b"placed"))
        };
        slow.attempt(request(), attempt, async |()| panic!("not again")).await.unwrap()
    });
    tokio::task::yield_now().await;
    let never = async { panic!("the duplicate must not run") };
    let duplicate = idempotency.attempt::<()>(request(), never, async |()| panic!("nor this")).await.unwrap();
    assert_eq!((placing.await.unwrap(), duplicate), (first(b"placed"), copy(b"placed")));
}
