//! Deleting old data in batches.
//!
//! One statement for a whole backlog would run into the database's statement timeout, delete nothing, and face a larger
//! backlog the next time. A batch is small enough for any backlog, and the next run continues where a run stops.

use std::time::Duration;

use ports::StoreError;
use tokio::time::{Instant, sleep};

use crate::platform::compare_clocks::Clocks;

/// How many rows one statement deletes.
const BATCH: u32 = 5_000;
/// How long one run may take. The next one follows in an hour.
const BUDGET: Duration = Duration::from_mins(10);
/// The pause between batches, so that other work gets the database.
const PAUSE: Duration = Duration::from_millis(10);

impl Clocks {
    /// [`delete_in_batches`] for data that is old by this instance's clock. Deletes nothing while that clock disagrees
    /// with the database's.
    pub(crate) async fn forget_what_is_old<Batch>(&self, forget: impl Fn(u32) -> Batch) -> Result<u64, StoreError>
    where
        Batch: Future<Output = Result<u32, StoreError>>,
    {
        if self.agree().await? { delete_in_batches(forget).await } else { Ok(0) }
    }
}

/// Deletes batch after batch, until one is not full or the run's time is up. `forget` deletes at most that many rows and
/// returns how many.
///
/// # Errors
/// [`StoreError`] of the first batch that failed.
pub async fn delete_in_batches<Batch>(forget: impl Fn(u32) -> Batch) -> Result<u64, StoreError>
where
    Batch: Future<Output = Result<u32, StoreError>>,
{
    let end = Instant::now() + BUDGET;
    let mut forgotten = 0;
    loop {
        let deleted = forget(BATCH).await?;
        forgotten += u64::from(deleted);
        if deleted < BATCH || Instant::now() >= end {
            return Ok(forgotten);
        }
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use ports::MockSharedClock;
    use tokio::time::timeout;

    use super::*;
    use crate::Ports;
    use crate::platform::moments::earlier;
    use crate::testing::{now, ports};

    #[tokio::test(start_paused = true)]
    async fn batches_are_deleted_until_one_is_not_full() {
        let (left, statements) = (Cell::new(12_345_u32), Cell::new(0));
        let done = delete_in_batches(|limit| {
            let taken = left.get().min(limit);
            left.set(left.get() - taken);
            statements.set(statements.get() + 1);
            async move { Ok(taken) }
        })
        .await;
        assert_eq!((done.unwrap(), left.get(), statements.get()), (12_345, 0, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn an_endless_backlog_is_left_to_the_next_run() {
        let slow = async |limit| {
            sleep(Duration::from_secs(1)).await;
            Ok(limit)
        };
        let done = timeout(BUDGET + Duration::from_secs(3), delete_in_batches(slow)).await;
        let done = done.expect("the run ends in time").unwrap();
        assert!(done > 2_000_000, "{done:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_deleted_while_the_clock_differs_from_the_databases() {
        for (behind, forgotten) in [(Duration::from_secs(10), 7), (Duration::from_hours(24 * 365), 0)] {
            let mut clock = MockSharedClock::new();
            clock.expect_read().returning(move || Ok(earlier(now(), behind)));
            let clocks = Clocks::new(&Ports { shared_clock: Arc::new(clock), ..ports() });
            assert_eq!(clocks.forget_what_is_old(async |_| Ok(7)).await.unwrap(), forgotten);
        }
    }

    #[tokio::test]
    async fn a_store_error_ends_the_run() {
        let failed = delete_in_batches(async |_| Err(StoreError::Unavailable("gone".into()))).await;
        assert!(failed.is_err());
    }
}
