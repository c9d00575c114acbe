//! Who may use a connection, and who waits for one: so that one flood never takes the rest of the shop with it.
//!
//! Every call takes a permit of its lane and then one of all, and there are as many of all as connections. No lane has all
//! of them: whatever fills one leaves some to the others. A queue is bounded, and whoever finds it full is told at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::errors::unavailable;

/// How long a request waits for its permits before it is told to come back.
pub(super) const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long one that wants a row that everybody wants waits for the others; it holds no connection meanwhile.
pub(super) const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// How many wait for each connection of a lane before the next is told at once.
const WAITING_PER_CONNECTION: usize = 32;
/// How many change one row at the same time: one does, the next have arrived. More only hold connections.
const ABREAST: usize = 3;
/// How many wait for one row.
const CROWD: usize = 512;

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// It changes something.
    Writes,
    /// It reads a few rows by their keys.
    Reads,
    /// It reads many rows.
    Lists,
    /// The shop asks for itself whether the database is well. One connection is nobody else's.
    Health,
}

/// The permits of one pool.
pub(super) struct Lanes {
    all: Queue,
    writes: Queue,
    reads: Queue,
    lists: Queue,
    health: Option<Queue>,
}

impl Lanes {
    /// For a pool of so many connections. One of fewer than four is too small to be divided.
    pub(super) fn of(connections: usize) -> Self {
        let all = if connections < 4 { connections } else { connections - 1 };
        let kept = if connections < 4 { 0 } else { (all / 4).max(1) };
        Self {
            all: Queue::of(all),
            writes: Queue::of(all - kept),
            reads: Queue::of(all - kept),
            lists: Queue::of((all / 2).max(1)),
            health: (connections >= 4).then(|| Queue::of(1)),
        }
    }

    /// Waits for a connection's turn until `deadline`.
    pub(super) async fn enter(&self, lane: Lane, deadline: Instant) -> Result<Permit, StoreError> {
        let own = match lane {
            Lane::Writes => &self.writes,
            Lane::Reads => &self.reads,
            Lane::Lists => &self.lists,
            Lane::Health => match &self.health {
                Some(health) => return Ok(Permit { _own: health.enter(deadline).await?, _all: None }),
                None => &self.reads,
            },
        };
        // In this order: whoever waits for one of all holds one of its lane, and nobody waits the other way round.
        let own = own.enter(deadline).await?;
        Ok(Permit { _own: own, _all: Some(self.all.enter(deadline).await?) })
    }
}

/// The right to use a connection, until it is dropped.
pub(super) struct Permit {
    _own: OwnedSemaphorePermit,
    _all: Option<OwnedSemaphorePermit>,
}

/// Permits, and a bounded number of those who wait for one, the first come first.
struct Queue {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    most: usize,
}

impl Queue {
    fn of(permits: usize) -> Self {
        Self::bounded(permits, permits * WAITING_PER_CONNECTION)
    }

    fn bounded(permits: usize, most: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), waiting: AtomicUsize::new(0), most }
    }

    async fn enter(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, StoreError> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::among(&self.waiting, self.most)?;
        timeout_at(deadline, Arc::clone(&self.permits).acquire_owned()).await.map_err(unavailable)?.map_err(unavailable)
    }
}

/// One who waits, counted until it does no longer, however that ends.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn among(waiting: &'a AtomicUsize, most: usize) -> Result<Self, StoreError> {
        if waiting.fetch_add(1, Ordering::Relaxed) >= most {
            waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(unavailable("too many wait already"));
        }
        Ok(Self(waiting))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The rows that are being changed, each with a queue of its own for those who want it. They wait for one another in the
/// database anyway; here they do it without a connection.
#[derive(Default)]
pub(super) struct RowQueues(Mutex<HashMap<Uuid, Arc<Queue>>>);

impl RowQueues {
    /// Waits until few enough change this row, until `deadline` at most.
    pub(super) async fn enter(self: &Arc<Self>, row: Uuid, deadline: Instant) -> Result<RowPermit, StoreError> {
        let queue = {
            let mut row_queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(row_queues.entry(row).or_insert_with(|| Arc::new(Queue::bounded(ABREAST, CROWD))))
        };
        // Before the wait, so that whoever gives up tidies as well.
        let mut place = RowPermit { row_queues: Arc::clone(self), row, queue: Some(queue), permit: None };
        if let Some(queue) = &place.queue {
            place.permit = Some(queue.enter(deadline).await?);
        }
        Ok(place)
    }
}

/// The right to change a row, until it is dropped.
pub(super) struct RowPermit {
    row_queues: Arc<RowQueues>,
    row: Uuid,
    queue: Option<Arc<Queue>>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for RowPermit {
    fn drop(&mut self) {
        self.permit = None;
        let mut row_queues = self.row_queues.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.queue = None;
        // Only the map knows it any more: clones are made under its lock alone.
        if row_queues.get(&self.row).is_some_and(|queue| Arc::strong_count(queue) == 1) {
            row_queues.remove(&self.row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(50)
    }

    #[tokio::test(start_paused = true)]
    async fn a_lane_that_is_full_leaves_connections_to_the_others() {
        let lanes = Lanes::of(16);
        for full in [Lane::Writes, Lane::Reads, Lane::Lists] {
            let mut held = Vec::new();
            while let Ok(permit) = lanes.enter(full, soon()).await {
                held.push(permit);
            }
            assert!(held.len() <= 12, "{full:?} takes {}", held.len());
            for other in [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Health].into_iter().filter(|lane| *lane != full)
            {
                assert!(lanes.enter(other, soon()).await.is_ok(), "{other:?} beside {full:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_never_more_turns_than_connections() {
        for connections in [1, 2, 3, 4, 5, 16] {
            let lanes = Lanes::of(connections);
            let mut held = Vec::new();
            for lane in [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Health] {
                while let Ok(permit) = lanes.enter(lane, soon()).await {
                    held.push(permit);
                }
            }
            assert_eq!(held.len(), connections);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_finds_the_queue_full_is_told_at_once_and_the_others_after_their_patience() {
        let queue = Arc::new(Queue::bounded(1, 2));
        let held = queue.enter(soon()).await.unwrap();
        let begun = Instant::now();
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                let queue = Arc::clone(&queue);
                tokio::spawn(async move { queue.enter(Instant::now() + CHECKOUT_TIMEOUT).await.map(drop) })
            })
            .collect();
        tokio::task::yield_now().await;
        assert!(queue.enter(Instant::now() + CHECKOUT_TIMEOUT).await.is_err());
        assert_eq!(begun.elapsed(), Duration::ZERO, "a full queue is told at once");
        for one in waiting {
            assert!(one.await.unwrap().is_err());
        }
        assert_eq!(begun.elapsed(), CHECKOUT_TIMEOUT);
        drop(held);
        assert!(queue.enter(soon()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_crowd_is_forgotten_when_the_last_has_left() {
        let row_queues = Arc::new(RowQueues::default());
        let row = Uuid::from_u128(1);
        let mut inside = Vec::new();
        for _ in 0..ABREAST {
            inside.push(row_queues.enter(row, soon()).await.unwrap());
        }
        assert!(row_queues.enter(row, soon()).await.is_err(), "no more than {ABREAST} abreast");
        assert!(row_queues.enter(Uuid::from_u128(2), soon()).await.is_ok(), "another row is nobody's crowd");
        drop(inside);
        assert!(row_queues.0.lock().unwrap().is_empty());
    }
}
