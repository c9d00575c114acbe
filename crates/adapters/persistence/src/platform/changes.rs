//! Which rows changed and have not been read again by whoever keeps them in memory.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

/// How long after the last proof the changes still count as known.
const CURRENT_FOR: Duration = Duration::from_millis(4_500);
/// Of more rows than this it is not remembered which they are: everything is read again.
const ROWS_MAX: usize = 20_000;

/// A channel of announcements. A message names rows by their ids, with commas between; one that names none is about all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Products,
    Reviews,
}

impl Channel {
    pub(crate) const ALL: [Self; 2] = [Self::Products, Self::Reviews];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Products => "driveline_products",
            Self::Reviews => "driveline_reviews",
        }
    }
}

/// The rows of a channel that have to be read again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChangedRows {
    /// All of them: it is not known which.
    pub(crate) all: bool,
    pub(crate) ids: HashSet<Uuid>,
}

impl ChangedRows {
    pub(crate) fn everything() -> Self {
        Self { all: true, ids: HashSet::new() }
    }
}

impl From<Uuid> for ChangedRows {
    fn from(id: Uuid) -> Self {
        Self { all: false, ids: HashSet::from([id]) }
    }
}

/// What nobody has taken yet of one channel.
struct Untaken {
    pending: AtomicBool,
    rows: Mutex<ChangedRows>,
}

/// The changes that nobody has taken yet.
pub(crate) struct Changes {
    begun: Instant,
    untaken: [Untaken; Channel::ALL.len()],
    /// How many times this process has changed who may do what.
    accounts: AtomicU64,
    /// When the last message to itself was sent that has arrived, in milliseconds since `begun`, from 1; 0 if there is
    /// none.
    proved: AtomicU64,
}

impl Default for Changes {
    fn default() -> Self {
        let untaken = || Untaken { pending: AtomicBool::new(true), rows: Mutex::new(ChangedRows::everything()) };
        Self {
            begun: Instant::now(),
            untaken: [untaken(), untaken()],
            accounts: AtomicU64::new(0),
            proved: AtomicU64::new(0),
        }
    }
}

impl Changes {
    fn of(&self, channel: Channel) -> &Untaken {
        let [products, reviews] = &self.untaken;
        match channel {
            Channel::Products => products,
            Channel::Reviews => reviews,
        }
    }

    /// Whether there are rows to be read again. Costs a few nanoseconds.
    pub(crate) fn is_pending(&self, channel: Channel) -> bool {
        self.of(channel).pending.load(Ordering::Acquire)
    }

    pub(crate) fn note(&self, channel: Channel, more: impl Into<ChangedRows>) {
        let more = more.into();
        let untaken = self.of(channel);
        let mut rows = lock(&untaken.rows);
        rows.ids.extend(more.ids);
        rows.all |= more.all || rows.ids.len() > ROWS_MAX;
        if rows.all {
            rows.ids = HashSet::new();
        }
        if rows.all || !rows.ids.is_empty() {
            untaken.pending.store(true, Ordering::Release);
        }
    }

    /// Takes what has to be read again. Whoever reads after this call reads at least its state.
    pub(crate) fn take(&self, channel: Channel) -> ChangedRows {
        let untaken = self.of(channel);
        let mut rows = lock(&untaken.rows);
        untaken.pending.store(false, Ordering::Release);
        std::mem::take(&mut rows)
    }

    /// A number that changes with every change of an account or a session by this process.
    pub(crate) fn accounts_version(&self) -> u64 {
        self.accounts.load(Ordering::Acquire)
    }

    pub(crate) fn note_accounts(&self) {
        self.accounts.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether every change is known that was committed longer than five seconds ago, by whichever instance.
    pub(crate) fn is_current_at(&self, now: Instant) -> bool {
        match self.proved.load(Ordering::Acquire) {
            0 => false,
            proved => now.saturating_duration_since(self.begun) <= Duration::from_millis(proved) + CURRENT_FOR,
        }
    }

    /// Notes that every change is known that was committed before this moment.
    pub(crate) fn prove(&self, sent: Instant) {
        let since = sent.saturating_duration_since(self.begun).as_millis();
        self.proved.store(u64::try_from(since).unwrap_or(u64::MAX).max(1), Ordering::Release);
    }
}

fn lock(rows: &Mutex<ChangedRows>) -> MutexGuard<'_, ChangedRows> {
    rows.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Uuid = Uuid::from_u128(7);

    #[test]
    fn rows_are_pending_until_they_are_taken() {
        let changes = Changes::default();
        for channel in Channel::ALL {
            assert!(changes.is_pending(channel), "nobody has read anything yet");
            assert_eq!(changes.take(channel), ChangedRows::everything());
            assert!(!changes.is_pending(channel));
        }
        changes.note(Channel::Products, ROW);
        assert!(changes.is_pending(Channel::Products) && !changes.is_pending(Channel::Reviews));
        assert_eq!(changes.take(Channel::Products), ChangedRows::from(ROW));
        changes.note(Channel::Products, ChangedRows::default());
        assert!(!changes.is_pending(Channel::Products));
    }

    #[test]
    fn too_many_rows_are_all_of_them() {
        let changes = Changes::default();
        changes.take(Channel::Products);
        let ids = (0..=ROWS_MAX as u128).map(Uuid::from_u128).collect();
        changes.note(Channel::Products, ChangedRows { all: false, ids });
        changes.note(Channel::Products, ROW);
        assert_eq!(changes.take(Channel::Products), ChangedRows::everything());
    }

    #[test]
    fn changes_are_known_for_a_few_seconds_after_the_last_proof() {
        let changes = Changes::default();
        let now = Instant::now();
        assert!(!changes.is_current_at(now), "nothing has been heard yet");
        changes.prove(now);
        assert!(changes.is_current_at(now + Duration::from_secs(4)));
        assert!(!changes.is_current_at(now + Duration::from_secs(5)));
    }
}
