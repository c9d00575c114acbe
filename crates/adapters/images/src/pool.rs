//! A few threads for work that would block other requests: decoding, encoding, the disk.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use ports::{ImageRefused, ProviderError};
use thiserror::Error;
use tokio::sync::oneshot;

/// Threads that re-encode pictures: two cores' worth, each with up to 400 MB for the largest picture.
pub(crate) const DRAWING_THREADS: usize = 2;
/// Uploads that may wait for one of these threads, each with up to 5 MB.
pub(crate) const DRAWING_WAITING: usize = 8;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads behind a bounded queue.
pub(crate) struct Pool {
    jobs: SyncSender<Job>,
}

/// Why a job was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum NotDone {
    /// The queue is full; nothing was started.
    #[error("too many pictures are waiting")]
    Crowded,
    /// The job panicked.
    #[error("the work on a picture broke off")]
    BrokeOff,
}

impl From<NotDone> for ImageRefused {
    /// An upload that makes the decoder panic is not a picture.
    fn from(reason: NotDone) -> Self {
        match reason {
            NotDone::Crowded => Self::Provider(ProviderError::Unavailable(Box::new(reason))),
            NotDone::BrokeOff => Self::NotAPicture,
        }
    }
}

impl Pool {
    /// Starts `threads` threads; at most `waiting` jobs wait for one. The threads end with the pool.
    pub(crate) fn start(name: &str, threads: usize, waiting: usize) -> io::Result<Self> {
        let (jobs, queue) = sync_channel(waiting);
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new().name(format!("{name}-{number}")).spawn(move || work(&queue))?;
        }
        Ok(Self { jobs })
    }

    /// Runs a job, unless the queue is full. A job whose caller stops waiting before it began is not run.
    pub(crate) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, NotDone> {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(move || {
            if reply.is_closed() {
                return;
            }
            // Pictures come from untrusted clients: a decoder that panics on one must not end the thread.
            if let Ok(done) = catch_unwind(AssertUnwindSafe(job)) {
                // The caller may have stopped waiting meanwhile.
                let _ = reply.send(done);
            }
        });
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => NotDone::Crowded,
            TrySendError::Disconnected(_) => NotDone::BrokeOff,
        })?;
        answer.await.map_err(|_| NotDone::BrokeOff)
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
    async fn a_job_that_panics_does_not_end_its_thread() {
        let pool = Pool::start("test", 1, 4).unwrap();
        let broken = pool.run(|| panic!("on purpose")).await;
        assert_eq!(broken, Err::<(), _>(NotDone::BrokeOff));
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn a_job_beyond_the_queue_is_refused_immediately() {
        let pool = Arc::new(Pool::start("test", 1, 1).unwrap());
        let (release, held) = mpsc::channel::<()>();
        let (started, running) = oneshot::channel();
        let first = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move {
                pool.run(move || {
                    started.send(()).unwrap();
                    held.recv().unwrap();
                })
                .await
            }
        });
        running.await.unwrap();
        let second = pool.run(|| 2);
        tokio::pin!(second);
        // One poll puts the second into the queue.
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut second).await.is_err());
        assert_eq!(pool.run(|| 3).await, Err(NotDone::Crowded));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(()));
        assert_eq!(second.await, Ok(2));
    }

    #[tokio::test]
    async fn a_job_whose_caller_stopped_waiting_is_not_run() {
        let pool = Pool::start("test", 1, 4).unwrap();
        let (release, held) = mpsc::channel::<()>();
        let (tell, cases) = mpsc::channel();
        {
            let first = pool.run(move || held.recv());
            let abandoned = pool.run(move || tell.send(()));
            let both = async { tokio::join!(first, abandoned) };
            assert!(tokio::time::timeout(Duration::from_millis(20), both).await.is_err());
        }
        release.send(()).unwrap();
        assert_eq!(pool.run(|| 1).await, Ok(1));
        assert!(cases.try_recv().is_err());
    }
}
