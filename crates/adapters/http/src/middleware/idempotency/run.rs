//! Running a request once, however often it is sent with the same `Idempotency-Key` header.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use application::delete_in_batches;
use domain::AccountId;
use ports::{
    Claim, Claimed, IdempotencyKey, IdempotencyStore, Ids, KeyDigest, Patience, ResponseSeal, SealedResponse,
    StoreError,
};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use uuid::Uuid;

use crate::middleware::idempotency::stored_response::StoredResponse;

/// How long a claim lasts without renewal: how long a retry waits after a crash.
const LEASE: Duration = Duration::from_secs(10);
/// How often a running request renews its claim.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// The first delay between two polls for another process's response. It doubles each time.
const FIRST_POLL: Duration = Duration::from_millis(20);
/// The longest delay between two polls.
const LAST_POLL: Duration = Duration::from_secs(1);
/// How long a duplicate request waits for the first one's response: longer than any request may take.
const LONGEST_WAIT: Duration = Duration::from_secs(70);
/// How long a response is held back until it is stored. After that it is sent, and stored afterwards.
const STORE_WITHIN: Duration = Duration::from_secs(1);
/// How many times storing a response is tried.
const STORE_TRIES: u32 = 3;
/// How long responses are stored.
const MEMORY: Duration = Duration::from_hours(24);
/// How long visitors' responses are stored. Shorter, because anyone can create any number of them.
const VISITORS_MEMORY: Duration = Duration::from_hours(1);

/// A request that carries an idempotency key.
#[derive(Clone, Copy)]
pub(crate) struct IdempotentRequest<'a> {
    /// [`Idempotency::key`] of the request, which hashes all of it.
    pub(crate) key: IdempotencyKey,
    /// The caller; `None` for a visitor.
    pub(crate) caller: Option<AccountId>,
    /// The key, as sent.
    pub(crate) sent: &'a str,
    /// The bytes that identify the request: two requests with equal bytes are the same.
    pub(crate) request: &'a [u8],
}

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) response: Arc<StoredResponse>,
    /// Whether it is a repeat of the first request's response.
    pub(crate) replayed: bool,
}

/// Why a request got no response.
#[derive(Debug)]
pub(crate) enum IdempotencyError {
    /// The key was used for another request.
    Mismatch,
    /// The first request is still running after a very long time.
    StillRunning,
    Store(StoreError),
}

impl From<StoreError> for IdempotencyError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Runs requests once per idempotency key, in any number of processes that share a store.
#[derive(Clone)]
pub struct Idempotency {
    store: Arc<dyn IdempotencyStore>,
    /// Encrypts stored responses.
    seal: Arc<dyn ResponseSeal>,
    ids: Arc<dyn Ids>,
    running: Arc<Running>,
}

/// Requests with an idempotency key that run in this process. Duplicates wait here, at no cost to the database.
#[derive(Debug, Default)]
struct Running(Mutex<HashMap<IdempotencyKey, watch::Receiver<Option<Outcome>>>>);

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
        let (sender, outcome) = watch::channel(None);
        running.insert(key, outcome);
        drop(running);
        Joined::First(First { key, sender, running: self })
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
    sender: watch::Sender<Option<Outcome>>,
    running: Arc<Running>,
}

impl First {
    /// Gives the outcome to those that wait.
    fn end(self, answered: Result<Answered, IdempotencyError>) -> Result<Answered, IdempotencyError> {
        self.sender.send_replace(Some(Outcome::of(&answered)));
        answered
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.running.lock().remove(&self.key);
    }
}

impl Idempotency {
    /// Stores responses in `store`, encrypted by `seal`. `ids` makes the id of each run.
    #[must_use]
    pub fn new(store: Arc<dyn IdempotencyStore>, seal: Arc<dyn ResponseSeal>, ids: Arc<dyn Ids>) -> Self {
        Self { store, seal, ids, running: Arc::default() }
    }

    /// The idempotency key of a caller's request. Use cases store it with what they create. So a request takes effect
    /// only once even if the process crashes before its response is stored, and another request under the same key
    /// never gets the first one's response.
    pub(crate) fn key(&self, caller: Option<AccountId>, sent: &str, request: &[u8]) -> IdempotencyKey {
        let fingerprint = self.seal.fingerprint(sent, request);
        IdempotencyKey { key: self.seal.key(caller, sent), fingerprint }
    }

    /// Runs a request, or returns the response of an earlier run of it. Concurrent duplicates wait for the first and
    /// get its response.
    ///
    /// `run` returns the response, and whether to store it: a response that only means "not now" is not stored.
    ///
    /// # Errors
    /// [`IdempotencyError`].
    pub(crate) async fn run(
        &self,
        request: IdempotentRequest<'_>,
        run: impl Future<Output = (StoredResponse, bool)>,
    ) -> Result<Answered, IdempotencyError> {
        let deadline = Instant::now() + LONGEST_WAIT;
        match self.join(request.key, deadline).await {
            ControlFlow::Break(answered) => answered,
            ControlFlow::Continue(first) => first.end(self.answer_first(request, deadline, run).await),
        }
    }

    /// The same for a request whose key is remembered by what it creates: `attempt` runs it without a claim. Its response
    /// is the request's, and is not stored, unless it returns none and something else: that is passed to `run`, which
    /// runs the request under the claim.
    ///
    /// # Errors
    /// [`IdempotencyError`].
    pub(crate) async fn attempt<T>(
        &self,
        request: IdempotentRequest<'_>,
        attempt: impl Future<Output = ControlFlow<StoredResponse, T>>,
        run: impl AsyncFnOnce(T) -> (StoredResponse, bool),
    ) -> Result<Answered, IdempotencyError> {
        let deadline = Instant::now() + LONGEST_WAIT;
        match self.join(request.key, deadline).await {
            ControlFlow::Break(answered) => answered,
            ControlFlow::Continue(first) => first.end(match attempt.await {
                ControlFlow::Break(response) => Ok(Answered { response: Arc::new(response), replayed: false }),
                ControlFlow::Continue(rest) => self.answer_first(request, deadline, run(rest)).await,
            }),
        }
    }

    /// Becomes the first request with this key in this process, or gets the first one's response.
    async fn join(
        &self,
        key: IdempotencyKey,
        deadline: Instant,
    ) -> ControlFlow<Result<Answered, IdempotencyError>, First> {
        loop {
            let mut outcome = match Arc::clone(&self.running).join(key) {
                Joined::First(first) => return ControlFlow::Continue(first),
                Joined::Behind(outcome) => outcome,
            };
            match timeout_at(deadline, outcome.wait_for(Option::is_some)).await {
                Err(_) => return ControlFlow::Break(Err(IdempotencyError::StillRunning)),
                Ok(Ok(ended)) => {
                    if let Some(ended) = ended.clone() {
                        return ControlFlow::Break(ended.into_answered());
                    }
                }
                // The sender was dropped without an outcome: the first request was aborted.
                Ok(Err(_)) => {}
            }
        }
    }

    /// For the first request in this process: runs it, unless another process is running it or has run it.
    async fn answer_first(
        &self,
        request: IdempotentRequest<'_>,
        deadline: Instant,
        run: impl Future<Output = (StoredResponse, bool)>,
    ) -> Result<Answered, IdempotencyError> {
        let IdempotencyKey { key, fingerprint } = request.key;
        let holder = self.ids.fresh();
        let claim = Claim { key, fingerprint, caller: request.caller, holder, lease: LEASE };
        let mut pause = FIRST_POLL;
        loop {
            match self.store.claim(&claim).await? {
                Claimed::Ours => break,
                Claimed::Mismatch => return Err(IdempotencyError::Mismatch),
                Claimed::Answered(sealed) => {
                    // If it cannot be opened, another request sealed it; its fingerprint would have differed.
                    let opened = self.seal.open(request.sent, request.request, &sealed);
                    let response = opened.and_then(|bytes| StoredResponse::from_bytes(&bytes));
                    let response = response.ok_or(IdempotencyError::Mismatch)?;
                    return Ok(Answered { response: Arc::new(response), replayed: true });
                }
                Claimed::Running if Instant::now() > deadline => return Err(IdempotencyError::StillRunning),
                Claimed::Running => sleep(pause).await,
            }
            pause = (pause * 2).min(LAST_POLL);
        }
        let (response, store_it) = self.while_renewing(key, holder, run).await;
        let bytes = if store_it { response.to_bytes() } else { None };
        let sealed = bytes.and_then(|bytes| self.seal.seal(request.sent, request.request, &bytes));
        let this = self.clone();
        let storing = tokio::spawn(async move { this.store_response(key, holder, sealed).await });
        let within = Patience::current().map_or(STORE_WITHIN, |patience| patience.left().min(STORE_WITHIN));
        if timeout(within, storing).await.is_err() {
            tracing::warn!("a response is sent before it could be stored");
        }
        Ok(Answered { response: Arc::new(response), replayed: false })
    }

    /// Stores a response, or releases the key if it is not to be stored. The request has already taken effect. If
    /// storing fails, a duplicate waits for the lease to expire and then finds the key stored with what the request
    /// created.
    async fn store_response(&self, key: KeyDigest, holder: Uuid, sealed: Option<SealedResponse>) {
        for attempt in 1..=STORE_TRIES {
            let stored = match &sealed {
                Some(sealed) => self.store.answered(key, holder, sealed).await,
                None => self.store.give_back(key, holder).await,
            };
            match stored {
                Ok(()) => return,
                Err(error) if attempt == STORE_TRIES => tracing::warn!(%error, "a response could not be stored"),
                Err(_) => sleep(LAST_POLL).await,
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
            if let Err(error) = self.store.renew(key, holder).await {
                tracing::warn!(%error, "a claim could not be renewed");
            }
        }
    }

    /// Deletes stored responses that are older than a day, or than an hour if they are a visitor's.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old(&self) -> Result<u64, StoreError> {
        delete_in_batches(|limit| self.store.forget(MEMORY, VISITORS_MEMORY, limit)).await
    }
}

impl Outcome {
    fn of(answered: &Result<Answered, IdempotencyError>) -> Self {
        match answered {
            Ok(answered) => Self::Answered(Arc::clone(&answered.response)),
            Err(IdempotencyError::Mismatch) => Self::Mismatch,
            Err(IdempotencyError::StillRunning) => Self::StillRunning,
            Err(IdempotencyError::Store(_)) => Self::Failed,
        }
    }

    fn into_answered(self) -> Result<Answered, IdempotencyError> {
        match self {
            Self::Answered(response) => Ok(Answered { response, replayed: true }),
            Self::Mismatch => Err(IdempotencyError::Mismatch),
            Self::StillRunning => Err(IdempotencyError::StillRunning),
            Self::Failed => Err(StoreError::Unavailable("the first copy of the request failed".into()).into()),
        }
    }
}

#[cfg(test)]
mod tests;
