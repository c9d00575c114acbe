//! Permits for the connections, divided into lanes, so that a flood of one kind of call does not block the rest of the
//! shop.
//!
//! Every call takes a permit of its lane and then one of the whole pool, which has as many as connections. No lane has
//! all of them: a flood in one lane leaves some to the others. Each queue is bounded, and a full queue refuses
//! immediately.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::errors::unavailable;

/// How long a request waits for its permits before it is refused.
pub(super) const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a call waits for its turn at a contended row; it holds no connection meanwhile.
pub(super) const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
/// Queue length per connection of a lane; further calls are refused immediately.
const WAITING_PER_CONNECTION: usize = 32;
/// Calls that got no permit, by lane.
pub(super) const REFUSED: &str = "database_refused_total";
/// How many calls may work on one row concurrently: one changes it, the next ones are ready. More would only hold
/// connections.
const MAX_CONCURRENT: usize = 3;
/// Queue length per row.
const ROW_QUEUE_MAX: usize = 512;

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Changes something.
    Writes,
    /// Reads a few rows by their keys.
    Reads,
    /// Reads many rows.
    Lists,
    /// Counts a request of a client before anything else is done for it. A flood of clients must not take what orders need.
    Counts,
    /// The shop's own health checks. One connection is reserved for them.
    Health,
}

impl Lane {
    /// As metrics and spans call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Reads => "reads",
            Self::Lists => "lists",
            Self::Counts => "counts",
            Self::Health => "health",
        }
    }
}

/// The permits of one pool.
pub(super) struct Lanes {
    all: Queue,
    writes: Queue,
    reads: Queue,
    lists: Queue,
    counts: Queue,
    health: Option<Queue>,
}

impl Lanes {
    /// For a pool of this size. One of fewer than four connections is too small to be divided.
    pub(super) fn of(connections: usize) -> Self {
        let all = if connections < 4 { connections } else { connections - 1 };
        let kept = if connections < 4 { 0 } else { (all / 4).max(1) };
        Self {
            all: Queue::of(all),
            writes: Queue::of(all - kept),
            reads: Queue::of(all - kept),
            lists: Queue::of((all / 2).max(1)),
            counts: Queue::of((all / 6).max(1)),
            health: (connections >= 4).then(|| Queue::of(1)),
        }
    }

    /// Waits for a permit until `deadline`.
    pub(super) async fn enter(&self, lane: Lane, deadline: Instant) -> Result<Permit, StoreError> {
        let entered = self.permit(lane, deadline).await;
        if entered.is_err() {
            metrics::counter!(REFUSED, "lane" => lane.name()).increment(1);
        }
        entered
    }

    async fn permit(&self, lane: Lane, deadline: Instant) -> Result<Permit, StoreError> {
        let own = match lane {
            Lane::Writes => &self.writes,
            Lane::Reads => &self.reads,
            Lane::Lists => &self.lists,
            Lane::Counts => &self.counts,
            Lane::Health => match &self.health {
                Some(health) => return Ok(Permit { _own: health.enter(deadline).await?, _all: None }),
                None => &self.reads,
            },
        };
        // Always in this order: a call that waits for a pool permit holds a lane permit, never the other way round,
        // which prevents deadlocks.
        let own = own.enter(deadline).await?;
        Ok(Permit { _own: own, _all: Some(self.all.enter(deadline).await?) })
    }
}

/// The right to use a connection, until it is dropped.
pub(super) struct Permit {
    _own: OwnedSemaphorePermit,
    _all: Option<OwnedSemaphorePermit>,
}

/// Permits with a bounded FIFO queue.
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

/// Counts a waiting call until it stops waiting, however that ends.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn among(waiting: &'a AtomicUsize, most: usize) -> Result<Self, StoreError> {
        if waiting.fetch_add(1, Ordering::Relaxed) >= most {
            waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(unavailable("the queue is full"));
        }
        Ok(Self(waiting))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The rows that are being changed, each with a queue of its own for the calls that want it. They would wait for one
/// another in the database anyway; here they do so without a connection.
#[derive(Default)]
pub(super) struct RowQueues(Mutex<HashMap<Uuid, Arc<Queue>>>);

impl RowQueues {
    /// Waits, until `deadline` at most, for a permit to change this row.
    pub(super) async fn enter(self: &Arc<Self>, row: Uuid, deadline: Instant) -> Result<RowPermit, StoreError> {
        let queue = {
            let mut row_queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(row_queues.entry(row).or_insert_with(|| Arc::new(Queue::bounded(MAX_CONCURRENT, ROW_QUEUE_MAX))))
        };
        // Created before the wait, so that a call that times out also cleans up.
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
        // Only the map holds it now: it is cloned under the map's lock only.
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
    async fn a_full_lane_leaves_connections_to_the_others() {
        let lanes = Lanes::of(16);
        let all = [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Counts, Lane::Health];
        for full in [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Counts] {
            let mut held = Vec::new();
            while let Ok(permit) = lanes.enter(full, soon()).await {
                held.push(permit);
            }
            assert!(held.len() <= 12, "{full:?} takes {}", held.len());
            for other in all.into_iter().filter(|lane| *lane != full) {
                assert!(lanes.enter(other, soon()).await.is_ok(), "{other:?} beside {full:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_never_more_permits_than_connections() {
        for connections in [1, 2, 3, 4, 5, 16] {
            let lanes = Lanes::of(connections);
            let mut held = Vec::new();
            for lane in [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Counts, Lane::Health] {
                while let Ok(permit) = lanes.enter(lane, soon()).await {
                    held.push(permit);
                }
            }
            assert_eq!(held.len(), connections);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_refuses_immediately_and_queued_calls_time_out() {
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
        assert_eq!(begun.elapsed(), Duration::ZERO, "a full queue refuses immediately");
        for one in waiting {
            assert!(one.await.unwrap().is_err());
        }
        assert_eq!(begun.elapsed(), CHECKOUT_TIMEOUT);
        drop(held);
        assert!(queue.enter(soon()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_row_queue_is_removed_when_the_last_call_leaves() {
        let row_queues = Arc::new(RowQueues::default());
        let row = Uuid::from_u128(1);
        let mut inside = Vec::new();
        for _ in 0..MAX_CONCURRENT {
            inside.push(row_queues.enter(row, soon()).await.unwrap());
        }
        assert!(row_queues.enter(row, soon()).await.is_err(), "no more than {MAX_CONCURRENT} permits");
        assert!(row_queues.enter(Uuid::from_u128(2), soon()).await.is_ok(), "another row has its own queue");
        drop(inside);
        assert!(row_queues.0.lock().unwrap().is_empty());
    }
}
