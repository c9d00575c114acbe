//! Operations that are waited for no longer than they may take, whatever their server does.
//!
//! Nothing ends the wait of a thread for a server that hangs on a machine that lives: its kernel still acknowledges what is
//! sent. So an operation that is overdue is given up. Its thread goes on waiting, but its permit is free again, and the
//! pool that its connection is of is replaced by a new one ([`super::pool::Pool::give_up`]): the other connections lead to
//! the same server, and each would otherwise have to be found out by somebody who waits for it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::{Patience, StoreError, Waiting};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::{Shared, internal, on_a_thread, unavailable};

/// How many operations for each connection of the pool may be given up at a time: each still has a thread and a connection.
const ABANDONED_PER_CONNECTION: usize = 4;

/// Until when a call waits: for as long as its kind may, and no longer than its request has patience left.
pub(super) struct Deadlines {
    patience: Option<(Patience, Waiting)>,
}

impl Deadlines {
    /// Those of a call that begins to wait now, and takes from the patience of its task until this is dropped.
    pub(super) fn of_this_task() -> Self {
        let patience = Patience::current().map(|patience| {
            let waits = patience.begin();
            (patience, waits)
        });
        Self { patience }
    }

    /// By when it has to have begun.
    pub(super) fn begun_by(&self, within: Duration) -> Instant {
        let left = self.patience.as_ref().map_or(within, |(patience, _)| patience.left());
        Instant::now() + within.min(left)
    }

    /// By when it has to have ended. Long work has a limit of its own, and takes no more from the patience.
    pub(super) fn answered_by(&mut self, within: Duration) -> Instant {
        let is_long =
            |(patience, _): &mut (Patience, Waiting)| within > super::ANSWER_WITHIN || patience.allows_long_work();
        drop(self.patience.take_if(is_long));
        self.begun_by(within)
    }

    /// By when something has to have ended that another way replaces: half of what is left is kept for that.
    pub(super) fn halfway(&self, within: Duration) -> Instant {
        let left = self.patience.as_ref().map_or(within, |(patience, _)| patience.left() / 2);
        Instant::now() + within.min(left)
    }
}

/// How many operations were given up and go on.
pub(super) struct Abandoned {
    now: AtomicUsize,
    most: usize,
}

impl Abandoned {
    /// For a pool of so many connections.
    pub(super) fn up_to(connections: u32) -> Self {
        let connections = usize::try_from(connections).unwrap_or(usize::MAX);
        Self { now: AtomicUsize::new(0), most: connections.saturating_mul(ABANDONED_PER_CONNECTION) }
    }

    /// One more, if there may be.
    fn add(&self) -> bool {
        self.now.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| (now < self.most).then_some(now + 1)).is_ok()
    }

    fn remove(&self) {
        self.now.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What an operation holds, until it ends or is given up.
enum Hold<H> {
    Held(H),
    GivenUp,
    Ended,
}

/// An operation on a thread of its own. It is given up when it is overdue, whether or not anybody still waits for it.
pub(super) struct Attended<T: Send + 'static> {
    doing: Option<JoinHandle<T>>,
    overdue_at: Instant,
    give_up: Option<Box<dyn FnOnce() + Send>>,
}

impl<T: Send + 'static> Attended<T> {
    /// Begins an operation. What it holds is dropped when it ends; or, after `within`, when it is given up.
    pub(super) fn begin<H: Send + 'static>(
        shared: &Arc<Shared>,
        within: Duration,
        things: H,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Self {
        let hold = Arc::new(Mutex::new(Hold::Held(things)));
        let pool = shared.writer.generation();
        let ending = Ending { shared: Arc::clone(shared), hold: Arc::clone(&hold) };
        let doing = on_a_thread(move || {
            let _ending = ending;
            work()
        });
        let shared = Arc::clone(shared);
        let give_up = move || {
            let mut hold = hold.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*hold, Hold::Held(_)) && shared.abandoned.add() {
                *hold = Hold::GivenUp;
                shared.writer.give_up(pool);
            }
        };
        Self { doing: Some(doing), overdue_at: Instant::now() + within, give_up: Some(Box::new(give_up)) }
    }

    /// Waiting for the operation.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it has not ended by then. It may still complete.
    pub(super) async fn answer_by(mut self, deadline: Instant) -> Result<T, StoreError> {
        let Some(doing) = self.doing.as_mut() else { return Err(unavailable("it was given up")) };
        let done = timeout_at(deadline, doing).await.map_err(unavailable)?;
        self.give_up = None;
        done.map_err(internal)
    }
}

impl<T: Send + 'static> Drop for Attended<T> {
    fn drop(&mut self) {
        let (Some(doing), Some(give_up)) = (self.doing.take(), self.give_up.take()) else { return };
        if doing.is_finished() {
            return;
        }
        let overdue_at = self.overdue_at;
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if timeout_at(overdue_at, doing).await.is_err() {
                    give_up();
                }
            });
        }
    }
}

/// Ends an operation's hold with the operation, also if that panics.
struct Ending<H> {
    shared: Arc<Shared>,
    hold: Arc<Mutex<Hold<H>>>,
}

impl<H> Drop for Ending<H> {
    fn drop(&mut self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(std::mem::replace(&mut *hold, Hold::Ended), Hold::GivenUp) {
            self.shared.abandoned.remove();
            // What it held has noted that long before whatever it may have committed now.
            self.shared.changes.note_accounts();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_some_operations_are_given_up_at_a_time() {
        let abandoned = Abandoned::up_to(1);
        for _ in 0..ABANDONED_PER_CONNECTION {
            assert!(abandoned.add());
        }
        assert!(!abandoned.add());
        abandoned.remove();
        assert!(abandoned.add());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_for_as_long_as_its_kind_may_and_its_request_has_patience() {
        let (short, usual, long) = (Duration::from_millis(2_500), super::super::ANSWER_WITHIN, Duration::from_secs(15));
        let now = Instant::now();
        let mut of_a_job = Deadlines::of_this_task();
        assert_eq!((of_a_job.begun_by(usual), of_a_job.answered_by(usual)), (now + usual, now + usual));
        let patience = Patience::new(short);
        patience
            .clone()
            .limits(async {
                let mut deadlines = Deadlines::of_this_task();
                assert!(deadlines.begun_by(usual) <= now + short);
                assert!(deadlines.answered_by(usual) <= now + short);
                assert!(deadlines.halfway(usual) <= now + short / 2);
                assert_eq!(deadlines.answered_by(long), now + long, "long work has its own limit");
                patience.allow_long_work();
                let mut deadlines = Deadlines::of_this_task();
                assert!(deadlines.begun_by(usual) <= now + short, "no connection is waited for any longer");
                assert_eq!(deadlines.answered_by(usual), now + usual);
            })
            .await;
    }
}
