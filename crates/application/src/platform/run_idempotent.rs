//! Answering the same request once, however often it is sent (the `Idempotency-Key` header).

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
use crate::platform::forget::{Forgotten, forget_in_bites};

/// How long a claim is believed to be alive that nobody renews: what a retry waits for after a crash.
const LEASE: Duration = Duration::from_secs(10);
/// How often a running request renews its claim.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How soon it is looked, for the first time, whether another process has answered. Each next look waits twice as long.
const FIRST_LOOK: Duration = Duration::from_millis(20);
/// How long a look waits at most.
const LAST_LOOK: Duration = Duration::from_secs(1);
/// How long a copy waits for the first one's answer: longer than any request may take.
const LONGEST_WAIT: Duration = Duration::from_secs(70);
/// How long an answer is held back until it is noted. After that it goes out, and is noted afterwards.
const NOTE_WITHIN: Duration = Duration::from_secs(1);
/// How often noting an answer is tried.
const NOTE_TRIES: u32 = 3;
/// How long answers are remembered.
const MEMORY: Duration = Duration::from_hours(24);
/// How long visitors' are. Anybody can make any number of those.
const VISITORS_MEMORY: Duration = Duration::from_hours(1);

/// A request that carries an idempotency key.
#[derive(Clone, Copy)]
pub struct IdempotentRequest<'a> {
    /// Who sends it; `None` for a visitor.
    pub caller: Option<AccountId>,
    /// The key as sent.
    pub sent: &'a str,
    /// Everything that makes two requests the same.
    pub request: &'a [u8],
}

/// What a request is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The answer.
    pub answer: Arc<StoredResponse>,
    /// Whether it was given before, to the first copy of the request.
    pub replayed: bool,
}

/// Why a request was not answered.
#[derive(Debug, Error)]
pub enum IdempotencyError {
    /// The key was used for another request.
    #[error("the key belongs to another request")]
    Mismatch,
    /// The first copy is still running after a very long time.
    #[error("the first copy of this request is still running")]
    StillRunning,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Requests with an idempotency key that run in this process. Their copies wait here, and cost the database nothing.
#[derive(Debug, Default)]
pub struct Running(Mutex<HashMap<IdempotencyKey, watch::Receiver<Option<Outcome>>>>);

/// What the first copy came to.
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

    /// Joins those who send this request: as the first, or behind them.
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

/// The copy that runs, or waits for another process that does. If it breaks off, the next one is the first.
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
    /// A caller's idempotency key for a request. Use cases that create something write it beside what they create, so that not
    /// even a crash between that and the answer makes it happen twice, and another request never gets the first one's answer.
    #[must_use]
    pub fn idempotency_key(&self, caller: Option<AccountId>, sent: &str, request: &[u8]) -> IdempotencyKey {
        let fingerprint = self.response_seal.fingerprint(sent, request);
        IdempotencyKey { key: self.response_seal.key(caller, sent), fingerprint }
    }

    /// Runs a request, or answers what its first copy was answered. Copies that arrive together wait for the first, and are
    /// answered as it is.
    ///
    /// `run` answers `(answer, whether to remember it)`: an answer that only says "not now" is not worth remembering.
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
                    // If there is nothing to hear, the first broke off.
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

    /// Of the copies in this process the one that asks the database: it runs if no other process does or has.
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
                    // What cannot be opened was sealed by another request; its fingerprint would have differed.
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
            tracing::warn!("an answer goes out before it could be remembered");
        }
        Ok(Answered { answer: Arc::new(answer), replayed: false })
    }

    /// Notes an answer, or that there is none to remember. What it answers is true already: should noting fail, a copy waits
    /// for the lease and meets the key beside what was made.
    async fn note(&self, key: KeyDigest, holder: Uuid, sealed: Option<SealedResponse>) {
        for attempt in 1..=NOTE_TRIES {
            let noted = match &sealed {
                Some(sealed) => self.idempotency.answered(key, holder, sealed).await,
                None => self.idempotency.give_back(key, holder).await,
            };
            match noted {
                Ok(()) => return,
                Err(error) if attempt == NOTE_TRIES => tracing::warn!(%error, "an answer could not be remembered"),
                Err(_) => sleep(LAST_LOOK).await,
            }
        }
    }

    /// Runs a request, and says every now and then that it is still running.
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

    /// Forgets answers that are older than a day, or than an hour if they were a visitor's.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_idempotency_records(&self) -> Result<Forgotten, StoreError> {
        forget_in_bites(|bite| self.idempotency.forget(MEMORY, VISITORS_MEMORY, bite)).await
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
    async fn the_first_copy_runs_and_its_answer_is_remembered() {
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
    async fn while_another_process_runs_it_the_database_is_asked_less_and_less_often() {
        let looks = Arc::new(AtomicU32::new(0));
        let mut idempotency = MockIdempotencyStore::new();
        let counted = Arc::clone(&looks);
        let began = Instant::now();
        idempotency.expect_claim().returning(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            let answered = began.elapsed() > Duration::from_secs(30);
            Ok(if answered { Claimed::Answered(SealedResponse(b"first".to_vec())) } else { Claimed::Running })
        });
        let never = async { panic!("the copy must not run") };
        let got = shop_with(idempotency).run_idempotent(request(), never).await.unwrap();
        assert_eq!(got, copy(b"first"));
        let looks = looks.load(Ordering::SeqCst);
        assert!((30..=40).contains(&looks), "{looks} looks in 30 seconds");
        assert!(began.elapsed() < Duration::from_secs(32));
    }

    #[tokio::test(start_paused = true)]
    async fn however_many_copies_arrive_together_one_asks_the_database_and_all_are_answered() {
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
    async fn if_the_first_copy_breaks_off_the_next_one_runs() {
        let mut idempotency = MockIdempotencyStore::new();
        idempotency.expect_claim().times(2).returning(|_| Ok(Claimed::Ours));
        idempotency.expect_answered().times(1).returning(|_, _, _| Ok(()));
        let shop = shop_with(idempotency);
        let broken = shop.clone();
        let breaking = tokio::spawn(async move {
            let dies = async {
                sleep(Duration::from_millis(500)).await;
                panic!("the first copy breaks off")
            };
            broken.run_idempotent(request(), dies).await
        });
        tokio::task::yield_now().await;
        let got = shop.run_idempotent(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!(got, first(b"done"));
        assert!(breaking.await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_takes_long_keeps_its_claim_alive() {
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
    async fn an_answer_not_worth_remembering_gives_the_key_back() {
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

    /// A store in which noting an answer hangs.
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
    async fn an_answer_goes_out_in_a_second_even_if_noting_it_hangs() {
        let shop = Shop { idempotency: Arc::new(Hanging), response_seal: seal(), ..shop() };
        let began = Instant::now();
        let got = shop.run_idempotent(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!((got, began.elapsed()), (first(b"done"), Duration::from_secs(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_takes_long_is_answered_even_if_renewing_its_claim_hangs() {
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
