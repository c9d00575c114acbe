//! Forgetting what nobody will ask for again, in bites.
//!
//! One statement for a whole backlog would run into the database's time limit, delete nothing, and have more before it the next
//! time. A bite is small enough for any backlog, and whatever a run does not finish, the next one does.

use std::time::Duration;

use ports::StoreError;
use tokio::time::{Instant, sleep};

use crate::Shop;

/// How much one statement forgets.
const BITE: u32 = 5_000;
/// How long one run may take. There is another in an hour.
const BUDGET: Duration = Duration::from_mins(10);
/// How long to pause between bites, so that whoever else wants the database gets it.
const PAUSE: Duration = Duration::from_millis(10);

/// How many were forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forgotten(pub u64);

impl Shop {
    /// [`forget_in_bites`] for what is old by this copy's clock. Nothing is as long as that is not the database's.
    pub(crate) async fn forget_what_is_old<Bite>(&self, forget: impl Fn(u32) -> Bite) -> Result<Forgotten, StoreError>
    where
        Bite: Future<Output = Result<u32, StoreError>>,
    {
        if self.clocks_agree().await? { forget_in_bites(forget).await } else { Ok(Forgotten::default()) }
    }
}

/// Forgets bite after bite, until one is not full or the run has lasted long enough.
pub(crate) async fn forget_in_bites<Bite>(forget: impl Fn(u32) -> Bite) -> Result<Forgotten, StoreError>
where
    Bite: Future<Output = Result<u32, StoreError>>,
{
    let end = Instant::now() + BUDGET;
    let mut forgotten = 0;
    loop {
        let bite = forget(BITE).await?;
        forgotten += u64::from(bite);
        if bite < BITE || Instant::now() >= end {
            return Ok(Forgotten(forgotten));
        }
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use ports::MockSharedClock;

    use super::*;
    use crate::shop::earlier;
    use crate::testing::{now, shop};

    #[tokio::test(start_paused = true)]
    async fn bite_after_bite_is_forgotten_until_one_is_not_full() {
        let left = Cell::new(12_345_u32);
        let done = forget_in_bites(|bite| {
            let taken = left.get().min(bite);
            left.set(left.get() - taken);
            async move { Ok(taken) }
        })
        .await;
        assert_eq!((done.unwrap(), left.get()), (Forgotten(12_345), 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_backlog_without_end_is_left_to_the_next_run() {
        let began = Instant::now();
        let slow = async |bite| {
            sleep(Duration::from_secs(1)).await;
            Ok(bite)
        };
        let done = forget_in_bites(slow).await.unwrap();
        assert!(done.0 > 2_000_000, "{done:?}");
        assert!(began.elapsed() < BUDGET + Duration::from_secs(3));
    }

    #[tokio::test]
    async fn nothing_is_old_by_a_clock_that_is_not_the_databases() {
        for (behind, forgotten) in [(Duration::from_secs(10), 7), (Duration::from_hours(24 * 365), 0)] {
            let mut clock = MockSharedClock::new();
            clock.expect_read().returning(move || Ok(earlier(now(), behind)));
            let shop = Shop { shared_clock: Arc::new(clock), ..shop() };
            assert_eq!(shop.forget_what_is_old(async |_| Ok(7)).await.unwrap(), Forgotten(forgotten));
        }
    }

    #[tokio::test]
    async fn a_store_that_fails_ends_the_run() {
        let failed = forget_in_bites(async |_| Err(StoreError::Unavailable("gone".into()))).await;
        assert!(failed.is_err());
    }
}
