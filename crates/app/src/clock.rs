//! The system's time and ids: the one place that asks for them.

use domain::Timestamp;
use ports::{Clock, Ids};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    fn now(&self) -> Timestamp {
        to_the_microsecond(Timestamp::now())
    }
}

/// Cuts off what Postgres would not store. A time that cannot be cut, which no clock shows, stays as it is.
fn to_the_microsecond(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}

/// Ids that begin with the time, so that an index takes new rows at its end (RFC 9562, section 5.7).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "this is where ids come from")]
    fn fresh(&self) -> Uuid {
        Uuid::now_v7()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_no_more_precision_than_postgres_stores() {
        let fine = Timestamp::from_nanosecond(1_700_000_000_123_456_789).unwrap();
        assert_eq!(to_the_microsecond(fine), Timestamp::from_nanosecond(1_700_000_000_123_456_000).unwrap());
        assert_eq!(SystemClock.now().as_nanosecond() % 1_000, 0);
    }

    #[test]
    fn ids_are_version_7_and_come_in_order() {
        let ids: Vec<Uuid> = (0..1_000).map(|_| TimeOrderedIds.fresh()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        assert!(ids.is_sorted());
    }
}
