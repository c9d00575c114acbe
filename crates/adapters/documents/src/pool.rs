//! A few threads for work that would block other requests: drawing.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use ports::RenderError;
use thiserror::Error;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads behind a bounded queue.
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

/// The drawing panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the drawing broke off")]
pub(crate) struct BrokeOff;

impl Pool {
    /// Starts `threads` threads; at most `waiting` jobs wait for one. The threads end with the pool.
    pub(crate) fn start(threads: usize, waiting: usize) -> io::Result<Self> {
        let (jobs, queue) = sync_channel(waiting);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name(format!("drawing-{number}")).spawn(move || work(&queue))?;
        }
        Ok(Self { jobs })
    }

    /// Runs a job, unless the queue is full. A job whose caller stops waiting before it began is not run.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, RenderError> + Send + 'static,
    ) -> Result<T, RenderError> {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(move || {
            if reply.is_closed() {
                return;
            }
            // A document that makes a library panic must not end the thread.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(job)) {
                // The caller may have stopped waiting meanwhile.
                let _ = reply.send(done);
            }
        });
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => RenderError::Busy,
            TrySendError::Disconnected(_) => RenderError::Failed(Box::new(BrokeOff)),
        })?;
        answer.await.map_err(|_| RenderError::Failed(Box::new(BrokeOff)))?
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    loop {
        // The lock is released before the job begins.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_drawing_that_panics_does_not_end_its_thread() {
        let pool = Pool::start(1, 4).unwrap();
        let broken = pool.run(|| -> Result<(), _> { panic!("on purpose") }).await;
        assert!(matches!(broken, Err(RenderError::Failed(_))));
        assert_eq!(pool.run(|| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_drawing_beyond_the_queue_is_refused_immediately() {
        let pool = Arc::new(Pool::start(1, 1).unwrap());
        let (release, held) = mpsc::channel::<()>();
        let (started, running) = oneshot::channel();
        let first = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move {
                pool.run(move || {
                    started.send(()).unwrap();
                    held.recv().unwrap();
                    Ok(1)
                })
                .await
            }
        });
        running.await.unwrap();
        let second = pool.run(|| Ok(2));
        tokio::pin!(second);
        // One poll puts the second into the queue.
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut second).await.is_err());
        assert!(matches!(pool.run(|| Ok(3)).await, Err(RenderError::Busy)));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap().unwrap(), 1);
        assert_eq!(second.await.unwrap(), 2);
    }
}
