//! The phase of this instance, and whether it is fit to be sent requests.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use persistence::{ConnectFailure, Database};
use ports::{Clock as _, Readiness};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::clock::SystemClock;

/// How often the database is checked.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a check may take.
const LOOK_WITHIN: Duration = Duration::from_secs(4);
/// How long the database may be unreachable before this instance reports that it is unfit: the length of a failover,
/// during which no instance reaches it. Until then a request is better answered here, with `Retry-After`, than by a
/// load balancer that has no instance left.
const AWAY_FOR: Duration = Duration::from_secs(30);
/// How long a server that accepts no writes counts as one in the middle of a switchover.
const READ_ONLY_FOR: Duration = Duration::from_secs(5);
/// How far the clocks of this machine and of the database may be apart, in milliseconds: leases, reservations and
/// tokens are timed by both.
const SKEW: i64 = 30_000;

/// The result of the last check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It has every migration that this program needs, and accepts writes.
    Well,
    /// A migration is missing, or its clock and ours are far apart.
    Wrong,
    /// It accepts no writes.
    ReadOnly,
    /// It does not answer.
    Nothing,
}

/// The current result, and since when it has been so.
struct Known {
    seen: Seen,
    since: Instant,
}

/// The lifecycle of this instance.
pub(crate) struct Lifecycle {
    phase: AtomicU8,
    known: Mutex<Known>,
}

const STARTING: u8 = 0;
const OPEN: u8 = 1;
const DRAINING: u8 = 2;

impl Lifecycle {
    /// A shop that has not checked its database yet.
    pub(crate) fn starting() -> Arc<Self> {
        let known = Known { seen: Seen::Well, since: Instant::now() };
        Arc::new(Self { phase: AtomicU8::new(STARTING), known: Mutex::new(known) })
    }

    /// Marks the shop as open.
    pub(crate) fn open(&self) {
        self.phase.store(OPEN, Ordering::Release);
    }

    /// Marks the shop as draining.
    pub(crate) fn drain(&self) {
        self.phase.store(DRAINING, Ordering::Release);
    }

    /// Checks the database for as long as the task runs.
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
                Seen::Well => tracing::info!("the database is healthy again"),
                Seen::Wrong | Seen::ReadOnly | Seen::Nothing => {
                    tracing::warn!(?seen, "the database is not healthy");
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

/// Whether the database's clock, in milliseconds since 1970, is close enough to ours.
pub(crate) fn is_close(clock: i64) -> bool {
    (SystemClock.now().as_millisecond() - clock).abs() <= SKEW
}

#[cfg(test)]
mod tests {
    use ports::Lifecycle as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_instance_stays_ready_during_a_failover_and_is_unfit_without_a_database_for_longer() {
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
    async fn an_instance_on_a_replica_or_an_old_schema_is_unfit() {
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
