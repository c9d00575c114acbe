//! Limits on concurrency by key: a number of callers run, a further number waits, the rest is refused.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The lane is full: the maximum number of callers runs or waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

/// Lanes by key: in each, `at_once` callers run and `waiting` more wait, first come first served.
#[derive(Debug)]
pub(crate) struct Lanes<K> {
    by_key: Mutex<HashMap<K, Weak<Lane>>>,
    at_once: usize,
    waiting: usize,
}

#[derive(Debug)]
struct Lane {
    /// Permits for callers that run or wait.
    places: Arc<Semaphore>,
    /// Permits for callers that run.
    turns: Arc<Semaphore>,
}

/// A permit to run in a lane; dropping it lets the next caller run.
#[derive(Debug)]
pub(crate) struct Turn {
    _now: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
    _lane: Arc<Lane>,
}

impl<K: Eq + Hash> Lanes<K> {
    pub(crate) fn new(at_once: usize, waiting: usize) -> Self {
        Self { by_key: Mutex::default(), at_once, waiting }
    }

    /// Waits for a permit in a lane. A caller that stops waiting frees its place.
    pub(crate) async fn enter(&self, key: K) -> Result<Turn, Full> {
        let lane = self.lane(key);
        let place = Arc::clone(&lane.places).try_acquire_owned().map_err(|_| Full)?;
        let turn = Arc::clone(&lane.turns).acquire_owned().await.map_err(|_| Full)?;
        Ok(Turn { _now: turn, _place: place, _lane: lane })
    }

    fn lane(&self, key: K) -> Arc<Lane> {
        let mut lanes = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = lanes.get(&key).and_then(Weak::upgrade) {
            return lane;
        }
        // Only when the map would grow, so that many lanes do not make each call expensive.
        if lanes.len() == lanes.capacity() {
            lanes.retain(|_, lane| lane.strong_count() > 0);
        }
        let lane = Arc::new(Lane {
            places: Arc::new(Semaphore::new(self.at_once + self.waiting)),
            turns: Arc::new(Semaphore::new(self.at_once)),
        });
        lanes.insert(key, Arc::downgrade(&lane));
        lane
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn callers_beyond_those_that_run_and_wait_are_refused() {
        let lanes = Arc::new(Lanes::new(2, 3));
        let _working = [lanes.enter("a").await.unwrap(), lanes.enter("a").await.unwrap()];
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let lanes = Arc::clone(&lanes);
                tokio::spawn(async move { lanes.enter("a").await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        let beyond = timeout(Duration::from_secs(1), lanes.enter("a")).await.expect("nobody else waits");
        assert_eq!(beyond.err(), Some(Full));
        assert!(waiting.iter().all(|one| !one.is_finished()));
        assert!(lanes.enter("b").await.is_ok(), "another lane");
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_stops_waiting_frees_its_place() {
        let lanes = Lanes::new(1, 1);
        let working = lanes.enter("a").await.unwrap();
        for _ in 0..10 {
            assert!(timeout(Duration::from_secs(1), lanes.enter("a")).await.is_err());
        }
        drop(working);
        assert!(lanes.enter("a").await.is_ok());
    }

    #[tokio::test]
    async fn empty_lanes_are_removed() {
        let lanes = Lanes::new(1, 1);
        for key in 0..10_000 {
            drop(lanes.enter(key).await.unwrap());
        }
        assert!(lanes.by_key.lock().unwrap().len() < 100);
    }

    #[tokio::test]
    async fn a_lane_in_use_is_kept_while_empty_ones_are_removed() {
        let lanes = Lanes::new(1, 0);
        let _working = lanes.enter(0).await.unwrap();
        for key in 1..1_000 {
            drop(lanes.enter(key).await.unwrap());
        }
        assert_eq!(lanes.enter(0).await.err(), Some(Full));
    }

    #[tokio::test]
    async fn empty_lanes_are_looked_for_only_when_the_map_would_grow() {
        let lanes = Lanes::<u32>::new(1, 1);
        lanes.by_key.lock().unwrap().reserve(100);
        for key in 0..100 {
            drop(lanes.enter(key).await.unwrap());
        }
        assert_eq!(lanes.by_key.lock().unwrap().len(), 100);
    }
}
