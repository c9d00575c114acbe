//! Calls that share a transaction: whatever arrives while one is being committed goes into the next.
//!
//! The first call begins immediately. So a call that is alone waits for nobody, and the busier the shop, the more calls
//! pay for one commit. Each call is answered on its own, after the commit.

use std::any::{Any, TypeId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use diesel::{PgConnection, QueryResult};
use ports::StoreError;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::attended::{Attended, Deadlines};
use super::lanes::{CHECKOUT_TIMEOUT, REFUSED};
use super::spans::{self, SharedCall, name_of};
use super::{ANSWER_WITHIN, Database, Lane, Shared, internal, unavailable};

/// How many calls share a transaction at most: a longer one would hold its rows for too long.
const MOST: usize = 128;
/// How many of them may be of one account, while others wait.
const MOST_OF_ACCOUNT: usize = 32;
/// How many calls of a kind may wait; further ones are refused immediately.
const MOST_WAITING: usize = 2_048;
/// How many have to wait until the time counts that the first has waited.
const CROWD: usize = 512;
/// How many of them may be of one account, or wait for one contended row.
const MOST_WAITING_OF_ONE: usize = 512;

/// What calls of one kind share.
pub(crate) trait Batched: Send + Sized + 'static {
    /// What a call returns.
    type Outcome: Send + 'static;

    /// The lane of the transactions. One at a time is on its way for each queue, apart from those that wait for a contended row.
    const LANE: Lane;

    /// Into which of so many queues. Calls in different queues run at the same time, so that they should not need the
    /// same rows.
    fn queue(&self, _queues: usize) -> usize {
        0
    }

    /// On behalf of whom: one account can fill neither the queue nor a batch.
    fn account(&self) -> Option<Uuid> {
        None
    }

    /// The rows that the call locks.
    fn rows(&self) -> Vec<Uuid> {
        Vec::new()
    }

    /// Of two calls with the same key, the second goes into a later batch.
    fn key(&self) -> Option<[u8; 32]> {
        None
    }

    /// Of a crowd, how long the first may have waited when another one comes: that one is refused at once, so that under overload
    /// those that are let in are answered in time. None if they come however long it takes.
    const PATIENCE: Option<Duration> = None;

    /// Does the work of all calls and answers them. Those that need a row that somebody else holds are returned with
    /// the row, unless `waits`; they then wait for it in a queue of their own.
    ///
    /// # Errors
    /// An error of the connection; calls that were not answered are then [`StoreError::Unavailable`].
    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, waits: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>>;
}

/// One caller's part of a batch. A call that is dropped without an answer is [`StoreError::Unavailable`].
pub(crate) struct Call<W: Batched> {
    pub(crate) work: W,
    since: Instant,
    answer: oneshot::Sender<Result<W::Outcome, StoreError>>,
    spans: SharedCall,
}

impl<W: Batched> Call<W> {
    pub(crate) fn answer(self, outcome: Result<W::Outcome, StoreError>) {
        // Before the caller goes on, so that the call's time is not longer than the caller's.
        drop(self.spans);
        // The caller may have stopped waiting.
        drop(self.answer.send(outcome));
    }
}

/// The queues of each kind of work.
#[derive(Default)]
pub(super) struct Batches(Mutex<HashMap<(TypeId, usize), Arc<dyn Any + Send + Sync>>>);

impl Batches {
    fn of<W: Batched>(&self, queue: usize) -> Arc<Batcher<W>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let batcher = all.entry((TypeId::of::<W>(), queue)).or_insert_with(|| Arc::new(Batcher::<W>::default()));
        Arc::clone(batcher).downcast().unwrap_or_default()
    }
}

struct Batcher<W: Batched>(Mutex<Waiting<W>>);

struct Waiting<W: Batched> {
    /// In the order in which they came.
    queue: VecDeque<Call<W>>,
    is_running: bool,
    /// The calls for each row that somebody else held: a transaction of their own waits for it.
    contended: HashMap<Uuid, VecDeque<Call<W>>>,
    /// How many calls have not been answered yet, in all and of each account.
    unanswered: usize,
    unanswered_of: HashMap<Uuid, usize>,
}

impl<W: Batched> Default for Batcher<W> {
    fn default() -> Self {
        Self(Mutex::new(Waiting {
            queue: VecDeque::new(),
            is_running: false,
            contended: HashMap::new(),
            unanswered: 0,
            unanswered_of: HashMap::new(),
        }))
    }
}

/// Which queue a task empties.
#[derive(Clone, Copy)]
enum Of {
    All,
    Row(Uuid),
}

impl<W: Batched> Waiting<W> {
    /// The next batch; none if there is nothing to do, and then the queue's task ends.
    fn next(&mut self, of: Of) -> Vec<Call<W>> {
        let queue = match of {
            Of::All => &mut self.queue,
            Of::Row(row) => match self.contended.get_mut(&row) {
                Some(queue) => queue,
                None => return Vec::new(),
            },
        };
        let (mut batch, mut later) = (Vec::new(), VecDeque::new());
        let (mut accounts, mut keys) = (HashMap::<Uuid, usize>::new(), HashSet::new());
        while batch.len() < MOST
            && let Some(call) = queue.pop_front()
        {
            if call.answer.is_closed() {
                continue;
            }
            let of_account = call.work.account().map(|account| accounts.entry(account).or_default());
            if of_account.as_ref().is_some_and(|count| **count >= MOST_OF_ACCOUNT)
                || call.work.key().is_some_and(|key| !keys.insert(key))
            {
                later.push_back(call);
                continue;
            }
            if let Some(count) = of_account {
                *count += 1;
            }
            batch.push(call);
        }
        later.append(queue);
        *queue = later;
        if batch.is_empty() {
            self.end(of);
        }
        batch
    }

    fn end(&mut self, of: Of) {
        match of {
            Of::All => self.is_running = false,
            Of::Row(row) => drop(self.contended.remove(&row)),
        }
    }

    /// Puts a call behind those that wait for a contended row; `true` if it is the first.
    fn wait_for(&mut self, row: Uuid, call: Call<W>) -> bool {
        let is_first = !self.contended.contains_key(&row);
        let queue = self.contended.entry(row).or_default();
        if queue.len() < MOST_WAITING_OF_ONE {
            queue.push_back(call);
        } else {
            call.answer(Err(unavailable("the queue is full")));
        }
        is_first
    }
}

/// The place of a call among those that are not answered yet.
struct Place<W: Batched> {
    batcher: Arc<Batcher<W>>,
    account: Option<Uuid>,
}

impl<W: Batched> Drop for Place<W> {
    fn drop(&mut self) {
        let mut waiting = self.batcher.lock();
        waiting.unanswered -= 1;
        if let Some(account) = self.account
            && let Some(count) = waiting.unanswered_of.get_mut(&account)
        {
            *count -= 1;
            if *count == 0 {
                waiting.unanswered_of.remove(&account);
            }
        }
    }
}

/// Ends a queue's task, also if it is aborted or panics: its calls are then dropped, and the next one starts it anew.
struct Running<W: Batched> {
    batcher: Arc<Batcher<W>>,
    of: Of,
    has_ended: bool,
}

impl<W: Batched> Drop for Running<W> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut waiting = self.batcher.lock();
        waiting.end(self.of);
        if matches!(self.of, Of::All) {
            waiting.queue.clear();
        }
    }
}

impl<W: Batched> Batcher<W> {
    fn lock(&self) -> MutexGuard<'_, Waiting<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, account: Option<Uuid>) -> Result<Place<W>, StoreError> {
        let mut waiting = self.lock();
        let of_account = account.and_then(|account| waiting.unanswered_of.get(&account)).copied().unwrap_or_default();
        let has_waited =
            waiting.queue.front().filter(|_| waiting.unanswered >= CROWD).map(|first| first.since.elapsed());
        let is_slow = has_waited.zip(W::PATIENCE).is_some_and(|(waited, patience)| waited > patience);
        if waiting.unanswered >= MOST_WAITING || of_account >= MOST_WAITING_OF_ONE || is_slow {
            metrics::counter!(REFUSED, "lane" => W::LANE.name()).increment(1);
            return Err(unavailable(if is_slow { "the queue is too slow" } else { "the queue is full" }));
        }
        waiting.unanswered += 1;
        if let Some(account) = account {
            *waiting.unanswered_of.entry(account).or_default() += 1;
        }
        drop(waiting);
        Ok(Place { batcher: Arc::clone(self), account })
    }

    /// Adds a call; `true` if nobody is there yet to run it.
    fn add(&self, call: Call<W>) -> bool {
        let mut waiting = self.lock();
        let row = call.work.rows().into_iter().find(|row| waiting.contended.contains_key(row));
        if let Some(row) = row {
            return waiting.wait_for(row, call);
        }
        waiting.queue.push_back(call);
        !std::mem::replace(&mut waiting.is_running, true)
    }
}

impl Database {
    /// Does some work in a transaction that other calls of the same kind share.
    ///
    /// The work may still be done after the caller stopped waiting, as with [`Self::run`].
    pub(crate) async fn share<W: Batched>(&self, work: W) -> Result<W::Outcome, StoreError> {
        let queue = work.queue(self.shared.connection_settings.order_queues.max(1));
        let batcher = self.shared.batches.of::<W>(queue);
        let _place = batcher.enter(work.account())?;
        let (answer, outcome) = oneshot::channel();
        let spans = SharedCall::waiting(spans::call(name_of::<W>()));
        if batcher.add(Call { work, since: Instant::now(), answer, spans }) {
            tokio::spawn(empty(Arc::clone(&self.shared), batcher, Of::All));
        }
        let mut deadlines = Deadlines::of_this_task();
        match timeout_at(deadlines.answered_by(ANSWER_WITHIN), outcome).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(dropped)) => Err(unavailable(dropped)),
            Err(elapsed) => Err(unavailable(elapsed)),
        }
    }
}

/// Runs batch after batch until nobody waits any more.
async fn empty<W: Batched>(shared: Arc<Shared>, batcher: Arc<Batcher<W>>, of: Of) {
    let mut running = Running { batcher: Arc::clone(&batcher), of, has_ended: false };
    loop {
        // First the permit: whoever comes meanwhile comes along.
        let waiting = spans::Waiting::of_several(W::LANE);
        let connected_by = Instant::now() + CHECKOUT_TIMEOUT;
        let permit = shared.lanes.enter(W::LANE, connected_by).await;
        let mut calls = batcher.lock().next(of);
        if calls.is_empty() {
            running.has_ended = true;
            return;
        }
        let permit = match permit {
            Ok(permit) => permit,
            Err(error) => {
                answer_all(calls, &error);
                continue;
            }
        };
        let pool = Arc::clone(&shared);
        let ran = Attended::begin(&shared, ANSWER_WITHIN, permit, move || {
            let conn = pool.writer.check_out(connected_by.into_std());
            drop(waiting);
            let mut conn = match conn {
                Ok(conn) => conn,
                Err(error) => {
                    answer_all(calls, &error);
                    return Vec::new();
                }
            };
            for call in &mut calls {
                call.spans.begin();
            }
            let ran = W::run(&mut conn.connection, calls, matches!(of, Of::Row(_)));
            let mut left = ran.unwrap_or_else(|error| {
                pool.writer.mark_suspect(&mut conn, &error);
                Vec::new()
            });
            for (_, call) in &mut left {
                call.spans.wait();
            }
            left
        });
        // Whoever comes next does not wait for a transaction that nobody waits for any more.
        for (row, call) in ran.answer_by(Instant::now() + ANSWER_WITHIN).await.unwrap_or_default() {
            if batcher.lock().wait_for(row, call) {
                tokio::spawn(wait_for(Arc::clone(&shared), Arc::clone(&batcher), row));
            }
        }
    }
}

/// [`empty`] for the calls that wait for a row: boxed, because the one starts the other.
fn wait_for<W: Batched>(
    shared: Arc<Shared>,
    batcher: Arc<Batcher<W>>,
    row: Uuid,
) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(empty(shared, batcher, Of::Row(row)))
}

/// Each caller gets the same error, with the same cause.
pub(crate) fn answer_all<W: Batched>(calls: Vec<Call<W>>, error: &StoreError) {
    let cause = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    for call in calls {
        call.answer(Err(match error {
            StoreError::Internal(_) => internal(cause.clone()),
            StoreError::Unavailable(_) | StoreError::KeyReused | StoreError::KeyClaimed => unavailable(cause.clone()),
        }));
    }
}
