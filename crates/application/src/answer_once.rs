//! Answering the same request once, however often it is sent (the `Idempotency-Key` header).

use std::pin::pin;
use std::time::Duration;

use domain::AccountId;
use ports::{Answer, Claim, Claimed, OnceKey, StoreError};
use thiserror::Error;
use uuid::Uuid;

use crate::Shop;
use crate::shop::earlier;

/// How long a claim is believed to be alive that nobody renews: what a retry waits for after a crash.
const LEASE: Duration = Duration::from_secs(10);
/// How often a running request renews its claim.
const RENEW_EVERY: Duration = Duration::from_secs(2);
/// How often a copy of a running request looks whether it has been answered.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a copy waits for the first one's answer: longer than any request may take.
const LONGEST_WAIT: Duration = Duration::from_secs(70);
/// How long answers are remembered.
const MEMORY: Duration = Duration::from_hours(24);

/// A request that carries an idempotency key.
#[derive(Clone, Copy)]
pub struct Once<'a> {
    /// Who sends it; `None` for a visitor.
    pub caller: Option<AccountId>,
    /// The key as sent.
    pub sent: &'a str,
    /// Everything that makes two requests the same.
    pub request: &'a [u8],
}

/// Why a request was not answered.
#[derive(Debug, Error)]
pub enum OnceError {
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

impl Shop {
    /// The database's name for a caller's idempotency key: deeds that create something write it beside what they
    /// create, so that not even a crash between the deed and its answer makes them happen twice.
    #[must_use]
    pub fn once_key(&self, caller: Option<AccountId>, sent: &str) -> OnceKey {
        self.answer_seal.key(caller, sent)
    }

    /// Runs a request, or answers what its first copy was answered. Copies that arrive together wait for the first.
    ///
    /// `run` answers `(answer, whether to remember it)`: an answer that only says "not now" is not worth remembering.
    ///
    /// # Errors
    /// [`OnceError`].
    pub async fn answer_once(
        &self,
        once: Once<'_>,
        run: impl Future<Output = (Answer, bool)>,
    ) -> Result<Answer, OnceError> {
        let key = self.answer_seal.key(once.caller, once.sent);
        let fingerprint = self.answer_seal.fingerprint(once.sent, once.request);
        let holder = self.ids.fresh();
        let waiting_since = self.clock.now();
        loop {
            let at = self.clock.now();
            let claim = Claim { key, fingerprint, holder, at, dead_before: earlier(at, LEASE) };
            match self.answers.claim(&claim).await? {
                Claimed::Ours => break,
                Claimed::Mismatch => return Err(OnceError::Mismatch),
                Claimed::Answered(sealed) => {
                    // What cannot be opened was sealed by another request; its fingerprint would have differed.
                    return self.answer_seal.open(once.sent, once.request, &sealed).ok_or(OnceError::Mismatch);
                }
                Claimed::Running if at > waiting_since + LONGEST_WAIT => return Err(OnceError::StillRunning),
                Claimed::Running => tokio::time::sleep(LOOK_EVERY).await,
            }
        }
        let (answer, remember) = self.while_renewing(key, holder, run).await;
        let sealed = if remember { self.answer_seal.seal(once.sent, once.request, &answer) } else { None };
        let noted = match sealed {
            Some(sealed) => self.answers.answered(key, holder, &sealed).await,
            None => self.answers.give_back(key, holder).await,
        };
        if let Err(error) = noted {
            // The deed is done and its answer is true; a copy will wait for the lease and find the deed's own key.
            tracing::warn!(%error, "an answer could not be remembered");
        }
        Ok(answer)
    }

    /// Runs a request, and says every now and then that it is still running.
    async fn while_renewing<T>(&self, key: OnceKey, holder: Uuid, run: impl Future<Output = T>) -> T {
        let mut run = pin!(run);
        loop {
            if let Ok(done) = tokio::time::timeout(RENEW_EVERY, run.as_mut()).await {
                return done;
            }
            if let Err(error) = self.answers.renew(key, holder, self.clock.now()).await {
                tracing::warn!(%error, "a claim could not be renewed");
            }
        }
    }

    /// Forgets answers that are older than a day. Answers how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn forget_old_answers(&self) -> Result<u64, StoreError> {
        self.answers.forget(earlier(self.clock.now(), MEMORY)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use ports::{Fingerprint, MockAnswerSeal, MockAnswerStore, SealedAnswer};

    use super::*;
    use crate::testing::shop;

    fn seal() -> Arc<MockAnswerSeal> {
        let mut seal = MockAnswerSeal::new();
        seal.expect_key().returning(|_, _| OnceKey([1; 32]));
        seal.expect_fingerprint().returning(|_, request| Fingerprint([request[0]; 32]));
        seal.expect_seal().returning(|_, _, answer| Some(SealedAnswer(answer.body.clone())));
        seal.expect_open().returning(|_, _, sealed| Some(answer(&sealed.0)));
        Arc::new(seal)
    }

    fn answer(body: &[u8]) -> Answer {
        Answer { status: 201, headers: Vec::new(), body: body.to_vec() }
    }

    fn request() -> Once<'static> {
        Once { caller: None, sent: "key", request: b"POST /orders" }
    }

    fn shop_with(answers: MockAnswerStore) -> Shop {
        Shop { answers: Arc::new(answers), answer_seal: seal(), ..shop() }
    }

    #[tokio::test]
    async fn the_first_copy_runs_and_its_answer_is_remembered() {
        let mut answers = MockAnswerStore::new();
        answers.expect_claim().returning(|_| Ok(Claimed::Ours));
        answers.expect_answered().times(1).withf(|_, _, sealed| sealed.0 == b"done").returning(|_, _, _| Ok(()));
        let got = shop_with(answers).answer_once(request(), async { (answer(b"done"), true) }).await.unwrap();
        assert_eq!(got, answer(b"done"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_copy_waits_for_the_first_and_gets_its_answer_without_running() {
        let looks = Arc::new(AtomicU32::new(0));
        let mut answers = MockAnswerStore::new();
        let counted = Arc::clone(&looks);
        answers.expect_claim().returning(move |_| {
            let look = counted.fetch_add(1, Ordering::SeqCst);
            Ok(if look < 3 { Claimed::Running } else { Claimed::Answered(SealedAnswer(b"first".to_vec())) })
        });
        let never = async { panic!("the copy must not run") };
        let got = shop_with(answers).answer_once(request(), never).await.unwrap();
        assert_eq!(got, answer(b"first"));
        assert_eq!(looks.load(Ordering::SeqCst), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_takes_long_keeps_its_claim_alive() {
        let mut answers = MockAnswerStore::new();
        answers.expect_claim().returning(|_| Ok(Claimed::Ours));
        answers.expect_renew().times(4).returning(|_, _, _| Ok(()));
        answers.expect_answered().times(1).returning(|_, _, _| Ok(()));
        let slow = async {
            tokio::time::sleep(Duration::from_secs(9)).await;
            (answer(b"done"), true)
        };
        assert_eq!(shop_with(answers).answer_once(request(), slow).await.unwrap(), answer(b"done"));
    }

    #[tokio::test]
    async fn an_answer_not_worth_remembering_gives_the_key_back() {
        let mut answers = MockAnswerStore::new();
        answers.expect_claim().returning(|_| Ok(Claimed::Ours));
        answers.expect_give_back().times(1).returning(|_, _| Ok(()));
        let got = shop_with(answers).answer_once(request(), async { (answer(b"later"), false) }).await;
        assert!(got.is_ok());
    }

    #[tokio::test]
    async fn a_key_of_another_request_is_refused() {
        let mut answers = MockAnswerStore::new();
        answers.expect_claim().returning(|_| Ok(Claimed::Mismatch));
        let never = async { panic!("must not run") };
        let refused = shop_with(answers).answer_once(request(), never).await;
        assert!(matches!(refused, Err(OnceError::Mismatch)));
    }
}
