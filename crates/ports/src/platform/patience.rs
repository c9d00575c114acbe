//! How long one request waits for the database, however many calls it makes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

tokio::task_local! {
    static CURRENT: Patience;
}

/// What is left of the time that a request may wait for the database. Each call takes from it only while it waits, so that
/// neither a slow client nor a payment provider uses it up; calls at the same time take from it once. A clone is the same.
#[derive(Debug, Clone)]
pub struct Patience(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: Duration,
    works_long: AtomicBool,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    before: Duration,
    /// Since when at least one call waits, and how many do.
    since: Option<Instant>,
    waiting: usize,
}

impl Patience {
    /// So much in all.
    #[must_use]
    pub fn new(most: Duration) -> Self {
        Self(Arc::new(Inner { most, works_long: AtomicBool::new(false), spent: Mutex::default() }))
    }

    /// The patience of the task that runs; none of a job's, whose calls have their own deadlines.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Runs work whose calls of the database share this patience. What it leaves to other tasks does not, unless it takes
    /// [`Self::current`] along.
    pub async fn limits<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    /// From now on only the wait for a connection is limited: what has one may work for as long as the store lets it.
    pub fn allow_long_work(&self) {
        self.0.works_long.store(true, Ordering::Relaxed);
    }

    /// Whether [`Self::allow_long_work`] was called.
    #[must_use]
    pub fn allows_long_work(&self) -> bool {
        self.0.works_long.load(Ordering::Relaxed)
    }

    /// How much is left.
    #[must_use]
    pub fn left(&self) -> Duration {
        let spent = self.0.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let now = spent.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.0.most.saturating_sub(spent.before + now)
    }

    /// Takes from it until the returned value is dropped.
    #[must_use]
    pub fn begin(&self) -> Waiting {
        let mut spent = self.0.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.waiting += 1;
        spent.since.get_or_insert_with(Instant::now);
        Waiting(Self(Arc::clone(&self.0)))
    }
}

/// A call that waits.
#[derive(Debug)]
pub struct Waiting(Patience);

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut spent = self.0.0.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.waiting -= 1;
        if spent.waiting == 0
            && let Some(since) = spent.since.take()
        {
            spent.before += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    const TICK: Duration = Duration::from_millis(30);

    #[test]
    fn only_the_time_in_which_a_call_waits_counts_and_calls_at_the_same_time_count_once() {
        let patience = Patience::new(TICK * 10);
        sleep(TICK);
        assert_eq!(patience.left(), TICK * 10, "nobody has waited yet");
        let (first, second) = (patience.begin(), patience.clone().begin());
        sleep(TICK);
        drop(first);
        sleep(TICK);
        drop(second);
        let left = patience.left();
        assert!(left <= TICK * 8, "{left:?}: two of them passed");
        sleep(TICK);
        assert_eq!(patience.left(), left, "nobody waits any more");
    }

    #[test]
    fn it_is_used_up_and_no_less_than_that() {
        let patience = Patience::new(TICK);
        let _waits = patience.begin();
        sleep(TICK * 2);
        assert_eq!(patience.left(), Duration::ZERO);
    }

    #[tokio::test]
    async fn the_tasks_calls_share_it_and_no_other_tasks() {
        assert!(Patience::current().is_none());
        let patience = Patience::new(TICK);
        patience
            .clone()
            .limits(async {
                Patience::current().unwrap().allow_long_work();
                assert!(tokio::spawn(async { Patience::current().is_none() }).await.unwrap());
            })
            .await;
        assert!(patience.allows_long_work());
    }
}
