//! How far this copy of the shop has come, and whether it is fit to be sent requests.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use persistence::{ConnectFailure, Database};
use ports::{Clock as _, Readiness};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::clock::SystemClock;

/// How often the database is asked whether it is still the one that the shop was opened on.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long it may take to say so.
const LOOK_WITHIN: Duration = Duration::from_secs(4);
/// How long every copy of the shop may be without the database before this one is thought to be alone in that: a failover's
/// length. Until then a request is better answered here, with `Retry-After`, than by a balancer that has nobody left.
const AWAY_FOR: Duration = Duration::from_secs(30);
/// How long a server that takes no writes is taken for one in the middle of a switchover.
const READ_ONLY_FOR: Duration = Duration::from_secs(5);
/// How far the clocks of this machine and of the database may be apart, in milliseconds: leases, holds and tokens are told
/// by both.
const SKEW: i64 = 30_000;

/// What the last look at the database saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It has every step that this program needs, and takes writes.
    Well,
    /// A step is missing, or its clock and ours are far apart.
    Wrong,
    /// It takes no writes.
    ReadOnly,
    /// It does not answer.
    Nothing,
}

/// What it is now, and since when.
struct Known {
    seen: Seen,
    since: Instant,
}

/// This copy's way from its start to its end.
pub(crate) struct Lifecycle {
    phase: AtomicU8,
    known: Mutex<Known>,
}

const STARTING: u8 = 0;
const OPEN: u8 = 1;
const DRAINING: u8 = 2;

impl Lifecycle {
    /// Of a shop that has not seen its database yet.
    pub(crate) fn starting() -> Arc<Self> {
        let known = Known { seen: Seen::Well, since: Instant::now() };
        Arc::new(Self { phase: AtomicU8::new(STARTING), known: Mutex::new(known) })
    }

    /// The shop is open from now on.
    pub(crate) fn open(&self) {
        self.phase.store(OPEN, Ordering::Release);
    }

    /// The shop is about to end.
    pub(crate) fn drain(&self) {
        self.phase.store(DRAINING, Ordering::Release);
    }

    /// Looks at the database for as long as the task runs.
    pub(crate) fn watch(self: &Arc<Self>, database: &Database) -> JoinHandle<()> {
        let (lifecycle, database) = (Arc::clone(self), database.clone());
        tokio::spawn(async move {
            loop {
                lifecycle.note(look(&database).await);
                sleep(LOOK_EVERY).await;
            }
        })
    }

    fn note(&self, seen: Seen) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.seen != seen {
            match seen {
                Seen::Well => tracing::info!("the database is well again"),
                Seen::Wrong | Seen::ReadOnly | Seen::Nothing => {
                    tracing::warn!(?seen, "the database is not as it should be");
                }
            }
            *known = Known { seen, since: Instant::now() };
        }
    }
}

impl ports::Lifecycle for Lifecycle {
    fn readiness(&self) -> Readiness {
        match self.phase.load(Ordering::Acquire) {
            STARTING => Readiness::Starting,
            DRAINING => Readiness::Draining,
            _ => {
                let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                let fit = match known.seen {
                    Seen::Well => true,
                    Seen::Wrong => false,
                    Seen::ReadOnly => known.since.elapsed() < READ_ONLY_FOR,
                    Seen::Nothing => known.since.elapsed() < AWAY_FOR,
                };
                if fit { Readiness::Ready } else { Readiness::Unfit }
            }
        }
    }
}

async fn look(database: &Database) -> Seen {
    match timeout(LOOK_WITHIN, database.look()).await {
        Err(_) => Seen::Nothing,
        Ok(Err(error)) => match ConnectFailure::of(&error) {
            ConnectFailure::ReadOnly => Seen::ReadOnly,
            ConnectFailure::Unavailable | ConnectFailure::Refused => Seen::Nothing,
        },
        Ok(Ok(look)) if look.read_only => Seen::ReadOnly,
        Ok(Ok(look)) if !look.pending.is_empty() || !is_close(look.clock) => Seen::Wrong,
        Ok(Ok(_)) => Seen::Well,
    }
}

/// Whether the database's clock, in milliseconds since 1970, is near enough to ours.
pub(crate) fn is_close(clock: i64) -> bool {
    (SystemClock.now().as_millisecond() - clock).abs() <= SKEW
}

#[cfg(test)]
mod tests {
    use ports::Lifecycle as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_failover_takes_no_copy_out_and_a_copy_that_stays_without_a_database_is_unfit() {
        let shop = Lifecycle::starting();
        assert_eq!(shop.readiness(), Readiness::Starting);
        shop.open();
        assert_eq!(shop.readiness(), Readiness::Ready);
        shop.note(Seen::Nothing);
        sleep(Duration::from_secs(29)).await;
        shop.note(Seen::Nothing);
        assert_eq!(shop.readiness(), Readiness::Ready);
        sleep(Duration::from_secs(2)).await;
        assert_eq!(shop.readiness(), Readiness::Unfit);
        shop.note(Seen::Well);
        assert_eq!(shop.readiness(), Readiness::Ready);
    }

    #[tokio::test(start_paused = true)]
    async fn a_copy_on_a_replica_or_behind_is_unfit() {
        let shop = Lifecycle::starting();
        shop.open();
        shop.note(Seen::ReadOnly);
        assert_eq!(shop.readiness(), Readiness::Ready);
        sleep(Duration::from_secs(6)).await;
        assert_eq!(shop.readiness(), Readiness::Unfit);
        shop.note(Seen::Well);
        assert_eq!(shop.readiness(), Readiness::Ready);
        shop.note(Seen::Wrong);
        assert_eq!(shop.readiness(), Readiness::Unfit);
        shop.drain();
        assert_eq!(shop.readiness(), Readiness::Draining);
    }

    #[test]
    fn clocks_half_a_minute_apart_are_too_far() {
        let now = SystemClock.now().as_millisecond();
        assert!(is_close(now - 20_000) && is_close(now + 20_000));
        assert!(!is_close(now - 90_000) && !is_close(now + 90_000));
    }
}
