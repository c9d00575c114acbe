//! Comparing this instance's clock with the database's, which all instances share.

use std::sync::Arc;
use std::time::Duration;

use ports::{Clock, SharedClock, StoreError};

use crate::Ports;

/// How far this instance's clock may be off before it must not cancel or delete anything.
const CLOCKS_APART_MAX: Duration = Duration::from_secs(30);

/// This instance's clock, and the database's, which all instances share.
#[derive(Clone)]
pub struct Clocks {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shared: Arc<dyn SharedClock>,
}

impl Clocks {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self { clock: Arc::clone(&ports.clock), shared: Arc::clone(&ports.shared_clock) }
    }

    /// How many milliseconds this instance's clock is ahead of the database's; negative if it is behind.
    ///
    /// # Errors
    /// [`StoreError`] if the database's clock could not be read.
    pub async fn ahead(&self) -> Result<i64, StoreError> {
        let before = self.clock.now().as_millisecond();
        let shared = self.shared.read().await?.as_millisecond();
        let after = self.clock.now().as_millisecond();
        // The answer was in transit for part of the time: compare it with the midpoint.
        Ok(i64::midpoint(before, after) - shared)
    }

    /// Whether this instance's clock is accurate enough to cancel and delete by it. If not, an error is logged.
    ///
    /// # Errors
    /// [`StoreError`] if the database's clock could not be read.
    pub(crate) async fn agree(&self) -> Result<bool, StoreError> {
        let ahead_ms = self.ahead().await?;
        let agree = u128::from(ahead_ms.unsigned_abs()) <= CLOCKS_APART_MAX.as_millis();
        if !agree {
            tracing::error!(
                ahead_ms,
                "this machine's clock differs from the database's: nothing is expired or deleted here"
            );
        }
        Ok(agree)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use domain::Timestamp;
    use ports::MockSharedClock;
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::*;
    use crate::platform::moments::{earlier, later};
    use crate::testing::{now, ports};

    /// Counts the errors that are logged.
    #[derive(Clone, Default)]
    struct Errors(Arc<AtomicUsize>);

    impl Subscriber for Errors {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }

        fn event(&self, _event: &Event<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn new_span(&self, _span: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _span: &Id, _values: &Record<'_>) {}

        fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

        fn enter(&self, _span: &Id) {}

        fn exit(&self, _span: &Id) {}
    }

    /// This instance's clock and a shared one that says this.
    fn beside(shared: Timestamp) -> Clocks {
        let mut clock = MockSharedClock::new();
        clock.expect_read().returning(move || Ok(shared));
        Clocks::new(&Ports { shared_clock: Arc::new(clock), ..ports() })
    }

    #[tokio::test]
    async fn clocks_agree_within_half_a_minute_in_either_direction() {
        for (shared, ahead, agree) in [
            (now(), 0, true),
            (earlier(now(), CLOCKS_APART_MAX), 30_000, true),
            (later(now(), CLOCKS_APART_MAX), -30_000, true),
            (earlier(now(), Duration::from_secs(31)), 31_000, false),
            (later(now(), Duration::from_hours(25)), -90_000_000, false),
        ] {
            let clocks = beside(shared);
            assert_eq!(clocks.ahead().await.unwrap(), ahead);
            assert_eq!(clocks.agree().await.unwrap(), agree, "{ahead}");
        }
    }

    #[tokio::test]
    async fn an_error_is_logged_while_the_clocks_disagree_and_none_while_they_agree() {
        let (right, wrong) = (beside(now()), beside(earlier(now(), Duration::from_secs(31))));
        let errors = Errors::default();
        let logged = || errors.0.swap(0, Ordering::Relaxed);
        let _subscribed = tracing::subscriber::set_default(errors.clone());
        right.agree().await.unwrap();
        assert_eq!(logged(), 0);
        wrong.agree().await.unwrap();
        assert_eq!(logged(), 1);
    }
}
