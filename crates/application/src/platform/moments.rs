//! Moments before and after another.

use std::time::Duration;

use domain::Timestamp;

/// A moment later; [`Timestamp::MAX`] if that is out of range.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment earlier; [`Timestamp::MIN`] if that is out of range.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}
