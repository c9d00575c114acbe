//! A clock that only moves when a test moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use domain::Timestamp;
use ports::Clock;

pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) const START: i64 = 1_800_000_000;

    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(Self::START)))
    }

    pub(crate) fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::SeqCst)).unwrap()
    }
}
