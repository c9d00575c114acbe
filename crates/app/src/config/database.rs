//! The settings of the database.

use std::time::Duration;

use persistence::{ConnectionSettings, Pooler};
use secrecy::{ExposeSecret, SecretString};

use super::{EnvReader, is_postgres};

/// How many connections to the database one instance keeps, unless `DATABASE_POOL` is set.
pub(super) const POOL: u32 = 16;
/// The upper bound of `DATABASE_POOL`: far above what any Postgres serves well.
const POOL_MAX: u32 = 1_000;
/// How long an instance goes on serving after SIGTERM, unless `DRAIN_SECONDS` is set: long enough for a load balancer
/// to notice.
const DRAIN: Duration = Duration::from_secs(5);
/// The upper bound of `DRAIN_SECONDS`.
const DRAIN_MAX: u64 = 300;

/// An existing Postgres.
#[derive(Debug)]
pub(crate) struct Database {
    /// A `postgres://` URL, password included.
    pub(crate) url: SecretString,
    /// The same server without the pooler.
    pub(crate) direct_url: Option<SecretString>,
    /// A replica, for lists.
    pub(crate) read_url: Option<SecretString>,
    /// The pooler in front of it.
    pub(crate) pooler: Pooler,
    /// The number of connections to keep.
    pub(crate) pool: u32,
    /// Whether its durability settings are checked.
    pub(crate) durability: Durability,
}

/// Who guarantees that acknowledged writes survive a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Postgres itself: it has to run with fsync and full page writes.
    Checked,
    /// The operator: the storage below Postgres guarantees it.
    Trusted,
}

impl Database {
    pub(crate) fn connection(&self) -> ConnectionSettings {
        ConnectionSettings {
            url: self.url.expose_secret().to_owned(),
            direct_url: self.direct_url.as_ref().map(|url| url.expose_secret().to_owned()),
            read_url: self.read_url.as_ref().map(|url| url.expose_secret().to_owned()),
            pooler: self.pooler,
            pool_size: self.pool,
        }
    }
}

impl EnvReader<'_> {
    pub(super) fn database(&mut self) -> Option<Database> {
        let url = self.database_url();
        let direct_url = self.other_database_url("DATABASE_DIRECT_URL");
        let read_url = self.other_database_url("DATABASE_READ_URL");
        let pooler = self.parsed("DATABASE_POOLER", "transaction, or not set", |typed| match typed {
            "transaction" => Some(Pooler::Transaction),
            "session" => Some(Pooler::None),
            _ => None,
        });
        let pool = self.parsed("DATABASE_POOL", format!("a number of connections from 1 to {POOL_MAX}"), |typed| {
            typed.parse().ok().filter(|pool| (1..=POOL_MAX).contains(pool))
        });
        let durability = self.parsed("DATABASE_DURABILITY", "checked or trusted", |typed| match typed {
            "checked" => Some(Durability::Checked),
            "trusted" => Some(Durability::Trusted),
            _ => None,
        });
        Some(Database {
            url: url?,
            direct_url,
            read_url,
            pooler: pooler.unwrap_or_default(),
            pool: pool.unwrap_or(POOL),
            durability: durability.unwrap_or(Durability::Checked),
        })
    }

    fn other_database_url(&mut self, name: &str) -> Option<SecretString> {
        let url = self.secret(name)?;
        if !is_postgres(url.expose_secret()) {
            self.complain(format!("{name} has to be the address of a Postgres, such as DATABASE_URL is"));
        }
        Some(url)
    }

    pub(super) fn drain(&mut self) -> Duration {
        let wanted = format!("a number of seconds from 0 to {DRAIN_MAX}");
        let seconds =
            self.parsed("DRAIN_SECONDS", wanted, |typed| typed.parse().ok().filter(|seconds| *seconds <= DRAIN_MAX));
        seconds.map_or(DRAIN, Duration::from_secs)
    }
}
