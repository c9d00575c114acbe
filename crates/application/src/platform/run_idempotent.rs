//! Running a request once, however often it is sent with the same `Idempotency-Key` header.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::AccountId;
use ports::{Claim, Claimed, IdempotencyKey, KeyDigest, SealedResponse, StoreError, StoredResponse};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use uuid::Uuid;

use crate::Shop;
use crate::platform::forget::{Forgotten, delete_in_batches};

/// How long a claim lasts without renewal: how long a retry waits after a crash.
const LEASE: Duration = Duration::from_secs(10);
/// How often a running request renews its claim.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// The first delay between two polls for another process's response. It doubles each time.
const FIRST_LOOK: Duration = Duration::from_millis(20);
/// The longest delay between two polls.
const LAST_LOOK: Duration = Duration::from_secs(1);
/// How long a duplicate request waits for the first one's response: longer than any request may take.
const LONGEST_WAIT: Duration = Duration::from_secs(70);
/// How long a response is held back until it is stored. After that it is sent, and stored afterwards.
const NOTE_WITHIN: Duration = Duration::from_secs(1);
/// How many times storing a response is tried.
const NOTE_TRIES: u32 = 3;
/// How long responses are stored.
const MEMORY: Duration = Duration::from_hours(24);
/// How long visitors' responses are stored. Shorter, because anyone can create any number of them.
const VISITORS_MEMORY: Duration = Duration::from_hours(1);

/// A request that carries an idempotency key.
#[derive(Clone, Copy)]
pub struct IdempotentRequest<'a> {
    /// The caller; `None` for a visitor.
    pub caller: Option<AccountId>,
    /// The key, as sent.
    pub sent: &'a str,
    /// The bytes that identify the request: two requests with equal bytes are the same.
    pub request: &'a [u8],
}

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub answer: Arc<StoredResponse>,
    /// Whether it is a repeat of the first request's response.
    pub replayed: bool,
}

/// Why a request got no response.
#[derive(Debug, Error)]
pub enum IdempotencyError {
    /// The key was used for another request.
    #[error("the key belongs to another request")]
    Mismatch,
    /// The first request is still running after a very long time.
    #[error("the first copy of this request is still running")]
    StillRunning,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Requests with an idempotency key that run in this process. Duplicates wait here, at no cost to the database.
#[derive(Debug, Default)]
pub struct Running(Mutex<HashMap<IdempotencyKey, watch::Receiver<Option<Outcome>>>>);

/// The outcome of the first request.
#[derive(Debug, Clone)]
enum Outcome {
    Answered(Arc<StoredResponse>),
    Mismatch,
    StillRunning,
    Failed,
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, HashMap<IdempotencyKey, watch::Receiver<Option<Outcome>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the requests with this key: as the first, or waiting for it.
    fn join(self: Arc<Self>, key: IdempotencyKey) -> Joined {
        let mut running = self.lock();
        if let Some(outcome) = running.get(&key) {
            return Joined::Behind(outcome.clone());
        }
        let (tell, outcome) = watch::channel(None);
        running.insert(key, outcome);
        drop(running);
        Joined::First(First { key, tell, running: self })
    }
}

enum Joined {
    First(First),
    Behind(watch::Receiver<Option<Outcome>>),
}

/// The request that runs, or polls for another process that runs it. If it is dropped, the next duplicate becomes the
/// first.
struct First {
    key: IdempotencyKey,
    tell: watch::Sender<Option<Outcome>>,
    running: Arc<Running>,
}

impl Drop for First {
    fn drop(&mut self) {
        self.running.lock().remove(&self.key);
    }
}

impl Shop {
    /// The idempotency key of a caller's request. Use cases store it with what they create. So a request takes effect
    /// only once even if the process crashes before its response is stored, and another request under the same key
    /// never gets the first one's response.
    #[must_use]
    pub fn idempotency_key(&self, caller: Option<AccountId>, sent: &str, request: &[u8]) -> IdempotencyKey {
        let fingerprint = self.response_seal.fingerprint(sent, request);
        IdempotencyKey { key: self.response_seal.key(caller, sent), fingerprint }
    }

    /// Runs a request, or returns the response of an earlier run of it. Concurrent duplicates wait for the first and
    /// get its response.
    ///
    /// `run` returns the response, and whether to store it: a response that only means "not now" is not stored.
    ///
    /// # Errors
    /// [`IdempotencyError`].
    pub async fn run_idempotent(
        &self,
        request: IdempotentRequest<'_>,
        run: impl Future<Output = (StoredResponse, bool)>,
    ) -> Result<Answered, IdempotencyError> {
        let key = self.idempotency_key(request.caller, request.sent, request.request);
        let deadline = Instant::now() + LONGEST_WAIT;
        let first = loop {
            match Arc::clone(&self.running).join(key) {
                Joined::First(first) => break first,
                Joined::Behind(mut outcome) => {
                    let told = timeout_at(deadline, outcome.wait_for(Option::is_some)).await;
                    let told = told.map_err(|_| IdempotencyError::StillRunning)?.map(|told| told.clone());
                    // The sender was dropped without an outcome: the first request was aborted.
                    if let Ok(Some(outcome)) = told {
                        return outcome.told();
                    }
                }
            }
        };
        let answered = self.answer_first(request, key, deadline, run).await;
        first.tell.send_replace(Some(Outcome::of(&answered)));
        answered
    }

    /// For the first request in this process: runs it, unless another process is running it or has run it.
    async fn answer_first(
        &self,
        request: IdempotentRequest<'_>,
        IdempotencyKey { key, fingerprint }: IdempotencyKey,
        deadline: Instant,
        run: impl Future<Output = (StoredResponse, bool)>,
    ) -> Result<Answered, IdempotencyError> {
        let holder = self.ids.fresh();
        let claim = Claim { key, fingerprint, caller: request.caller, holder, lease: LEASE };
        let mut look = FIRST_LOOK;
        loop {
            match self.idempotency.claim(&claim).await? {
                Claimed::Ours => break,
                Claimed::Mismatch => return Err(IdempotencyError::Mismatch),
                Claimed::Answered(sealed) => {
                    // If it cannot be opened, another request sealed it; its fingerprint would have differed.
                    let answer = self
                        .response_seal
                        .open(request.sent, request.request, &sealed)
                        .ok_or(IdempotencyError::Mismatch)?;
                    return Ok(Answered { answer: Arc::new(answer), replayed: true });
                }
                Claimed::Running if Instant::now() > deadline => return Err(IdempotencyError::StillRunning),
                Claimed::Running => sleep(look).await,
            }
            look = (look * 2).min(LAST_LOOK);
        }
        let (answer, remember) = self.while_renewing(key, holder, run).await;
        let sealed = if remember { self.response_seal.seal(request.sent, request.request, &answer) } else { None };
        let shop = self.clone();
        let noting = tokio::spawn(async move { shop.note(key, holder, sealed).await });
        if timeout(NOTE_WITHIN, noting).await.is_err() {
            tracing::warn!("a response is sent before it could be stored");
        }
        Ok(Answered { answer: Arc::new(answer), replayed: false })
    }

    /// Stores a response, or releases the key if it is not to be stored. The request has already taken effect. If
    /// storing fails, a duplicate waits for the lease to expire and then finds the key stored with what the request
    /// created.
    async fn note(&self, key: KeyDigest, holder: Uuid, sealed: Option<SealedResponse>) {
        for attempt in 1..=NOTE_TRIES {
            let noted = match &sealed {
                Some(sealed) => self.idempotency.answered(key, holder, sealed).await,
                None => self.idempotency.give_back(key, holder).await,
            };
            match noted {
                Ok(()) => return,
                Err(error) if attempt == NOTE_TRIES => tracing::warn!(%error, "a response could not be stored"),
                Err(_) => sleep(LAST_LOOK).await,
            }
        }
    }

    /// Runs a request and renews its claim in the meantime.
    async fn while_renewing<T>(&self, key: KeyDigest, holder: Uuid, run: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            done = run => done,
            never = self.go_on_renewing(key, holder) => match never {},
        }
    }

    async fn go_on_renewing(&self, key: KeyDigest, holder: Uuid) -> Infallible {
        loop {
            sleep(RENEW_EVERY).await;
            if let Err(error) = self.idempotency.renew(key, holder).await {
                tracing::warn!(%error, "a claim could not be renewed");
            }
        }
    }

    /// Deletes stored responses that are older than a day, or than an hour if they are a visitor's.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_idempotency_records(&self) -> Result<Forgotten, StoreError> {
        delete_in_batches(|bite| self.idempotency.forget(MEMORY, VISITORS_MEMORY, bite)).await
    }
}

impl Outcome {
    fn of(answered: &Result<Answered, IdempotencyError>) -> Self {
        match answered {
            Ok(answered) => Self::Answered(Arc::clone(&answered.answer)),
            Err(IdempotencyError::Mismatch) => Self::Mismatch,
            Err(IdempotencyError::StillRunning) => Self::StillRunning,
            Err(IdempotencyError::Store(_)) => Self::Failed,
        }
    }

    fn told(self) -> Result<Answered, IdempotencyError> {
        match self {
            Self::Answered(answer) => Ok(Answered { answer, replayed: true }),
            Self::Mismatch => Err(IdempotencyError::Mismatch),
            Self::StillRunning => Err(IdempotencyError::StillRunning),
            Self::Failed => Err(StoreError::Unavailable("the first copy of the request failed".into()).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use ports::{Fingerprint, MockIdempotencyStore, MockResponseSeal};

    use super::*;
    use crate::testing::shop;

    fn seal() -> Arc<MockResponseSeal> {
        let mut seal = MockResponseSeal::new();
        seal.expect_key().returning(|_, _| KeyDigest([1; 32]));
        seal.expect_fingerprint().returning(|_, request| Fingerprint([request[0]; 32]));
        seal.expect_seal().returning(|_, _, answer| Some(SealedResponse(answer.body.clone())));
        seal.expect_open().returning(|_, _, sealed| Some(answer(&sealed.0)));
        Arc::new(seal)
    }

    fn answer(body: &[u8]) -> StoredResponse {
        StoredResponse { status: 201, headers: Vec::new(), body: body.to_vec() }
    }

    fn first(body: &[u8]) -> Answered {
        Answered { answer: Arc::new(answer(body)), replayed: false }
    }

    fn copy(body: &[u8]) -> Answered {
        Answered { replayed: true, ..first(body) }
    }

    fn request() -> IdempotentRequest<'static> {
        IdempotentRequest { caller: None, sent: "key", request: b"POST /orders" }
    }

    fn shop_with(idempotency: MockIdempotencyStore) -> Shop {
        Shop { idempotency: Arc::new(idempotency), response_seal: seal(), ..shop() }
    }

    #[tokio::test]
    async fn the_first_request_runs_and_its_response_is_stored() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency
            .expect_claim()
            .withf(|claim| claim.lease == Duration::from_secs(10))
            .returning(|_| Ok(Claimed::Ours));
        idempotency.expect_answered().times(1).withf(|_, _, sealed| sealed.0 == b"done").returning(|_, _, _| Ok(()));
        let got = shop_with(idempotency).run_idempotent(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!(got, first(b"done"));
    }

    #[tokio::test(start_paused = true)]
    async fn polling_for_another_process_backs_off() {
        let looks = Arc::new(AtomicU32::new(0));
        let mut idempotency = MockIdempotencyStore::new();
        let counted = Arc::clone(&looks);
        let began = Instant::now();
        idempotency.expect_claim().returning(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            let answered = began.elapsed() > Duration::from_secs(30);
            Ok(if answered { Claimed::Answered(SealedResponse(b"first".to_vec())) } else { Claimed::Running })
        });
        let never = async { panic!("the duplicate must not run") };
        let got = shop_with(idempotency).run_idempotent(request(), never).await.unwrap();
        assert_eq!(got, copy(b"first"));
        let looks = looks.load(Ordering::SeqCst);
        assert!((30..=40).contains(&looks), "{looks} looks in 30 seconds");
        assert!(began.elapsed() < Duration::from_secs(32));
    }

    #[tokio::test(start_paused = true)]
    async fn of_many_concurrent_duplicates_one_asks_the_database_and_all_get_its_response() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().times(1).returning(|_| Ok(Claimed::Ours));
        idempotency.expect_renew().returning(|_, _| Ok(()));
        idempotency.expect_answered().times(1).returning(|_, _, _| Ok(()));
        let shop = shop_with(idempotency);
        let runs = Arc::new(AtomicU32::new(0));
        let copies: Vec<_> = (0..200)
            .map(|_| {
                let (shop, runs) = (shop.clone(), Arc::clone(&runs));
                tokio::spawn(async move {
                    let slow = async {
                        runs.fetch_add(1, Ordering::SeqCst);
                        sleep(Duration::from_secs(5)).await;
                        (answer(b"done"), true)
                    };
                    shop.run_idempotent(request(), slow).await.unwrap()
                })
            })
            .collect();
        let mut replayed = 0;
        for one in copies {
            let got = one.await.unwrap();
            assert_eq!(*got.answer, answer(b"done"));
            replayed += u32::from(got.replayed);
        }
        assert_eq!((runs.load(Ordering::SeqCst), replayed), (1, 199));
        assert!(shop.running.lock().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn if_the_first_request_panics_the_next_one_runs() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().times(2).returning(|_| Ok(Claimed::Ours));
        idempotency.expect_answered().times(1).returning(|_, _, _| Ok(()));
        let shop = shop_with(idempotency);
        let broken = shop.clone();
        let breaking = tokio::spawn(async move {
            let dies = async {
                sleep(Duration::from_millis(500)).await;
                panic!("the first request panics")
            };
            broken.run_idempotent(request(), dies).await
        });
        tokio::task::yield_now().await;
        let got = shop.run_idempotent(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!(got, first(b"done"));
        assert!(breaking.await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_request_renews_its_claim() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().returning(|_| Ok(Claimed::Ours));
        idempotency.expect_renew().times(4).returning(|_, _| Ok(()));
        idempotency.expect_answered().times(1).returning(|_, _, _| Ok(()));
        let slow = async {
            sleep(Duration::from_secs(9)).await;
            (answer(b"done"), true)
        };
        assert_eq!(shop_with(idempotency).run_idempotent(request(), slow).await.unwrap(), first(b"done"));
    }

    #[tokio::test]
    async fn a_response_not_to_be_stored_releases_the_key() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().returning(|_| Ok(Claimed::Ours));
        idempotency.expect_give_back().times(1).returning(|_, _| Ok(()));
        let got = shop_with(idempotency).run_idempotent(request(), async { (answer(b"later"), false) }).await;
        assert!(got.is_ok());
    }

    #[tokio::test]
    async fn a_key_of_another_request_is_refused() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().returning(|_| Ok(Claimed::Mismatch));
        let never = async { panic!("must not run") };
        let refused = shop_with(idempotency).run_idempotent(request(), never).await;
        assert!(matches!(refused, Err(IdempotencyError::Mismatch)));
    }

    /// A store in which storing a response hangs.
    struct Hanging;

    #[async_trait::async_trait]
    impl ports::IdempotencyStore for Hanging {
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
        let shop = Shop { idempotency: Arc::new(Hanging), response_seal: seal(), ..shop() };
        let began = Instant::now();
        let got = shop.run_idempotent(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!((got, began.elapsed()), (first(b"done"), Duration::from_secs(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_request_gets_its_response_even_if_renewing_its_claim_hangs() {
        let shop = Shop { idempotency: Arc::new(Hanging), response_seal: seal(), ..shop() };
        let slow = async {
            sleep(Duration::from_secs(5)).await;
            (answer(b"done"), true)
        };
        let began = Instant::now();
        assert_eq!(shop.run_idempotent(request(), slow).await.unwrap(), first(b"done"));
        assert!(began.elapsed() <= Duration::from_secs(7), "{:?}", began.elapsed());
    }
}
