//! Work that many wait for: one round of it at a time serves all who came before it began.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ports::StoreError;
use tokio::sync::Mutex;
use tracing::Instrument as _;

/// Rounds of the same work, one at a time.
#[derive(Default)]
pub(super) struct Rounds {
    alone: Arc<Mutex<()>>,
    begun: AtomicU64,
    /// The last one that has succeeded.
    succeeded: AtomicU64,
}

impl Rounds {
    /// Waits until a round that begins after this call has succeeded, and returns whether one has: this caller's, or one of somebody
    /// who waited before it. A thousand who come while one is on its way need one more, not a thousand.
    ///
    /// A round goes on when its caller has left or waited for long enough: all others wait for it as well.
    ///
    /// # Errors
    /// That of this caller's own round.
    pub(super) async fn one_from_now_on(
        self: &Arc<Self>,
        round: impl Future<Output = Result<bool, StoreError>> + Send + 'static,
    ) -> Result<bool, StoreError> {
        let wanted = self.begun.load(Ordering::SeqCst) + 1;
        let alone = Arc::clone(&self.alone).lock_owned().await;
        if self.succeeded.load(Ordering::SeqCst) >= wanted {
            return Ok(true);
        }
        let this = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let rounds = Arc::clone(self);
        let all = async move {
            let _alone = alone;
            let has_succeeded = round.await?;
            if has_succeeded {
                rounds.succeeded.store(this, Ordering::SeqCst);
            }
            Ok(has_succeeded)
        };
        let ended = tokio::spawn(all.in_current_span()).await;
        ended.unwrap_or_else(|panicked| Err(StoreError::Internal(panicked.into())))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use tokio::time::{sleep, timeout};

    use super::*;

    const TAKES: Duration = Duration::from_millis(100);

    #[derive(Default)]
    struct Work {
        rounds: Arc<Rounds>,
        begun: Arc<AtomicU32>,
    }

    impl Work {
        fn ask(&self, result: bool) -> impl Future<Output = Result<bool, StoreError>> + use<> {
            let (rounds, begun) = (Arc::clone(&self.rounds), Arc::clone(&self.begun));
            async move {
                rounds
                    .one_from_now_on(async move {
                        begun.fetch_add(1, Ordering::SeqCst);
                        sleep(TAKES).await;
                        Ok(result)
                    })
                    .await
            }
        }

        fn begun(&self) -> u32 {
            self.begun.load(Ordering::SeqCst)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_thousand_who_come_during_a_round_need_one_more() {
        let work = Work::default();
        let first = tokio::spawn(work.ask(true));
        sleep(TAKES / 2).await;
        let others: Vec<_> = (0..1_000).map(|_| tokio::spawn(work.ask(true))).collect();
        assert!(first.await.unwrap().unwrap());
        for other in others {
            assert!(other.await.unwrap().unwrap());
        }
        assert_eq!(work.begun(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_round_that_began_before_is_not_enough() {
        let work = Work::default();
        let first = tokio::spawn(work.ask(true));
        sleep(TAKES / 2).await;
        assert!(work.ask(true).await.unwrap());
        assert!(first.is_finished());
        assert_eq!(work.begun(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_leaves_takes_nothing_from_the_others() {
        let work = Work::default();
        let left = timeout(TAKES / 2, work.ask(true)).await;
        assert!(left.is_err());
        sleep(TAKES).await;
        assert_eq!(work.rounds.succeeded.load(Ordering::SeqCst), 1);
        assert!(work.ask(true).await.unwrap());
        assert_eq!(work.begun(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_failed_serves_nobody() {
        let work = Work::default();
        let asked: Vec<_> = [false, false, true].into_iter().map(|result| tokio::spawn(work.ask(result))).collect();
        let mut answers = Vec::new();
        for one in asked {
            answers.push(one.await.unwrap().unwrap());
        }
        assert_eq!((answers, work.begun()), (vec![false, false, true], 3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_round_that_panics_is_an_error_and_the_next_begins() {
        let work = Work::default();
        let rounds = Arc::clone(&work.rounds);
        let broken = rounds.one_from_now_on(async { panic!("planted") }).await;
        assert!(matches!(broken, Err(StoreError::Internal(_))), "{broken:?}");
        assert!(work.ask(true).await.unwrap());
    }
}
