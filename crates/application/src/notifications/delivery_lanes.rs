//! Delivery lanes: deliveries run side by side, so that none waits for a slow one in another lane.
//!
//! A lane leases a batch, processes it with a few concurrent deliveries, and leases the next one until nothing is due.
//! It runs in the background of the run that started it; a run starts only those lanes that are not running.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::WebhookSubscriptionId;
use domain::notifications::delivery::{Channel, EmailLane};
use ports::{Delivery, LeaseRequest, Leased, StoreError};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Notifications;
use crate::notifications::outcome::{Delivered, Outcome};

/// How long a batch may be processed before the rest of it is released. Deliveries that have started by then end well
/// before the batch's lease expires.
const BATCH_TIME: Duration = Duration::from_secs(20);

/// The key of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    Mail(EmailLane),
    Webhook(WebhookSubscriptionId),
}

impl Lane {
    const fn channel(self) -> Channel {
        match self {
            Self::Mail(_) => Channel::Mail,
            Self::Webhook(_) => Channel::Webhook,
        }
    }
}

/// The lanes that run in this process, and their results.
#[derive(Debug, Default)]
pub(crate) struct DeliveryLanes {
    state: Mutex<State>,
    closing: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    busy: HashSet<Lane>,
    tasks: JoinSet<()>,
    done: HashMap<Channel, Delivered>,
}

/// Frees a lane when dropped, however its task ends.
struct Busy {
    lanes: Arc<DeliveryLanes>,
    lane: Lane,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.lanes.lock().busy.remove(&self.lane);
    }
}

impl DeliveryLanes {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a lane, unless it is running.
    pub(crate) fn start(self: Arc<Self>, lane: Lane, work: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.lock();
        while let Some(ended) = state.tasks.try_join_next() {
            if let Err(error) = ended {
                tracing::error!(%error, "a delivery lane panicked");
            }
        }
        if self.is_closing() || !state.busy.insert(lane) {
            return;
        }
        let busy = Busy { lanes: Arc::clone(&self), lane };
        state.tasks.spawn(async move {
            let _busy = busy;
            work.await;
        });
    }

    /// Counts so many deliveries of a channel with the same outcome.
    pub(crate) fn note_many(&self, channel: Channel, outcome: Outcome, many: u32) {
        let mut state = self.lock();
        let done = state.done.entry(channel).or_default();
        match outcome {
            Outcome::Sent => done.sent += many,
            Outcome::Rescheduled => done.rescheduled += many,
            Outcome::DeadLettered => done.dead += many,
            // Whoever reads these counts must not learn which addresses have accounts.
            Outcome::Discarded => {}
        }
    }

    /// The results of a channel's deliveries since the last call.
    pub(crate) fn counted(&self, channel: Channel) -> Delivered {
        self.lock().done.remove(&channel).unwrap_or_default()
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Waits until no lane is running.
    pub(crate) async fn idle(&self) {
        loop {
            let mut tasks = std::mem::take(&mut self.lock().tasks);
            if tasks.is_empty() {
                return;
            }
            while tasks.join_next().await.is_some() {}
        }
    }
}

/// How a lane leases and processes.
#[derive(Clone, Copy)]
pub(crate) struct LanePolicy {
    /// The maximum number of concurrent deliveries.
    pub(crate) at_once: usize,
    /// Whether a failure ends the lane and releases the rest of the batch.
    pub(crate) ends_at_failure: bool,
    /// Whether the lane ends after its first batch.
    pub(crate) one_batch: bool,
}

impl Notifications {
    /// Starts no further deliveries, and waits for those in progress. Called before the process ends.
    pub async fn finish_deliveries(&self) {
        self.lanes.closing.store(true, Ordering::Relaxed);
        self.lanes.idle().await;
    }

    /// Runs a lane until nothing is due. A store error ends it; leased deliveries are due again when their lease
    /// expires.
    pub(crate) async fn run_lane<Fut>(
        self,
        lane: Lane,
        request: LeaseRequest,
        policy: LanePolicy,
        deliver: impl Fn(Self, Delivery) -> Fut + Send,
    ) where
        Fut: Future<Output = Result<Outcome, StoreError>> + Send + 'static,
    {
        while !self.lanes.is_closing() {
            let leased = match self.outbox.lease(&request).await {
                Ok(leased) => leased,
                Err(error) => {
                    tracing::debug!(%error, "no deliveries could be leased");
                    return;
                }
            };
            let Leased { deliveries, unreadable } = leased;
            self.lanes.note_many(lane.channel(), Outcome::DeadLettered, unreadable);
            let nothing_is_due = deliveries.is_empty() && unreadable == 0;
            if nothing_is_due || !self.work_batch(lane, deliveries, policy, &deliver).await || policy.one_batch {
                return;
            }
        }
    }

    /// Processes a batch; returns whether to lease another.
    async fn work_batch<Fut>(
        &self,
        lane: Lane,
        batch: Vec<Delivery>,
        policy: LanePolicy,
        deliver: &(impl Fn(Self, Delivery) -> Fut + Send),
    ) -> bool
    where
        Fut: Future<Output = Result<Outcome, StoreError>> + Send + 'static,
    {
        let end = Instant::now() + BATCH_TIME;
        let mut waiting = VecDeque::from(batch);
        let mut under_way = JoinSet::new();
        let mut go_on = true;
        loop {
            while go_on && !self.lanes.is_closing() && Instant::now() < end && under_way.len() < policy.at_once {
                let Some(next) = waiting.pop_front() else { break };
                under_way.spawn(deliver(self.clone(), next));
            }
            match under_way.join_next().await {
                None => break,
                Some(Ok(Ok(outcome))) => {
                    let failed = matches!(outcome, Outcome::Rescheduled | Outcome::DeadLettered);
                    go_on &= !(failed && policy.ends_at_failure);
                    self.lanes.note_many(lane.channel(), outcome, 1);
                }
                Some(Ok(Err(error))) => {
                    tracing::warn!(%error, "a delivery's result could not be recorded; it is tried again");
                    go_on = false;
                }
                Some(Err(error)) => tracing::error!(%error, "a delivery panicked"),
            }
        }
        if waiting.is_empty() {
            return go_on;
        }
        let left: Vec<_> = waiting.iter().map(|delivery| delivery.id).collect();
        if let Err(error) = self.outbox.release(&left).await {
            tracing::debug!(%error, "deliveries could not be released; they are due again after their lease");
        }
        go_on
    }
}

#[cfg(test)]
mod tests {
    use domain::notifications::delivery::Topic;
    use ports::{MockOutbox, Outbox, Queue};
    use tokio::time::sleep;

    use super::*;
    use crate::notifications::fake_outbox::{FakeOutbox, waiting};
    use crate::testing::notifications;

    const LANE: Lane = Lane::Mail(EmailLane::Rest);
    const POLICY: LanePolicy = LanePolicy { at_once: 1, ends_at_failure: false, one_batch: false };

    fn email(id: i64) -> Delivery {
        waiting(id, Topic::OrderOrdered, None)
    }

    /// A batch of two.
    fn request() -> LeaseRequest {
        LeaseRequest { queue: Queue::Mail, topics: vec![Topic::OrderOrdered], lease: Duration::from_mins(1), limit: 2 }
    }

    /// Runs a lane on three deliveries that are due, in batches of two. Each takes so long and ends so. Returns how
    /// often each was attempted.
    async fn attempts(policy: LanePolicy, takes: Duration, outcome: Outcome) -> Vec<u32> {
        let outbox = Arc::new(FakeOutbox::of((1..=3).map(email)));
        let notifications = Notifications { outbox: Arc::clone(&outbox) as Arc<dyn Outbox>, ..notifications() };
        let deliver = move |_: Notifications, _: Delivery| async move {
            sleep(takes).await;
            Ok(outcome)
        };
        notifications.run_lane(LANE, request(), policy, deliver).await;
        outbox.all().iter().map(|one| one.attempts).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_ends_a_lane_that_ends_at_failures_and_no_other() {
        for (outcome, ends_at_failure, attempted) in [
            (Outcome::Rescheduled, true, [1, 0, 0]),
            (Outcome::DeadLettered, true, [1, 0, 0]),
            (Outcome::Discarded, true, [1, 1, 1]),
            (Outcome::Rescheduled, false, [1, 1, 1]),
        ] {
            let policy = LanePolicy { ends_at_failure, ..POLICY };
            assert_eq!(attempts(policy, Duration::ZERO, outcome).await, attempted, "{outcome:?} {ends_at_failure}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lane_of_one_batch_leaves_what_is_beyond_it_in_the_outbox() {
        let policy = LanePolicy { one_batch: true, ..POLICY };
        assert_eq!(attempts(policy, Duration::ZERO, Outcome::Sent).await, [1, 1, 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_not_started_within_twenty_seconds_is_released_without_an_attempt() {
        let policy = LanePolicy { one_batch: true, ..POLICY };
        for (takes, attempted) in [(20_000, [1, 0, 0]), (19_999, [1, 1, 0])] {
            let takes = Duration::from_millis(takes);
            assert_eq!(attempts(policy, takes, Outcome::Sent).await, attempted, "{takes:?}");
        }
    }

    #[tokio::test]
    async fn deliveries_that_cannot_be_read_count_as_dead_and_the_lane_goes_on_to_those_behind_them() {
        let mut batches = VecDeque::from([
            Leased { deliveries: Vec::new(), unreadable: 2 },
            Leased { deliveries: vec![email(1)], unreadable: 0 },
        ]);
        let mut outbox = MockOutbox::new();
        outbox.expect_lease().times(3).returning(move |_| Ok(batches.pop_front().unwrap_or_default()));
        let notifications = Notifications { outbox: Arc::new(outbox), ..notifications() };
        notifications.clone().run_lane(LANE, request(), POLICY, |_, _| async { Ok(Outcome::Sent) }).await;
        assert_eq!(notifications.lanes.counted(Channel::Mail), Delivered { sent: 1, rescheduled: 0, dead: 2 });
    }
}
