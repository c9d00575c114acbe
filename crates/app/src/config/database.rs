//! The settings of the database.

use std::net::IpAddr;
use std::str::FromStr;

use persistence::{ConnectionSettings, Pooler};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::reader::EnvReader;

/// How many connections to the database one instance keeps, unless `DATABASE_POOL` is set.
pub(super) const POOL: u32 = 16;
/// The upper bound of `DATABASE_POOL`: far above what any Postgres serves well.
const POOL_MAX: u32 = 1_000;

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

/// How many batches of orders are on their way at the same time. A lock held by another one is not waited for, and more
/// queues make smaller batches.
const ORDER_QUEUES: usize = 2;

impl Database {
    /// A database without a pooler or a replica.
    pub(super) fn at(url: String) -> Self {
        Self {
            url: url.into(),
            direct_url: None,
            read_url: None,
            pooler: Pooler::None,
            pool: POOL,
            durability: Durability::Trusted,
        }
    }

    pub(crate) fn connection(&self) -> ConnectionSettings {
        ConnectionSettings {
            url: self.url.expose_secret().to_owned(),
            direct_url: self.direct_url.as_ref().map(|url| url.expose_secret().to_owned()),
            read_url: self.read_url.as_ref().map(|url| url.expose_secret().to_owned()),
            pooler: self.pooler,
            pool_size: self.pool,
            order_queues: ORDER_QUEUES,
        }
    }

    /// A warning about settings that work but are dangerous.
    pub(crate) fn warning(&self) -> Option<&'static str> {
        could_be_anybody(self.url.expose_secret()).then_some(
            "DATABASE_URL leads over a network without sslmode=verify-full: anyone on the path can read and change \
            everything; add it, and sslrootcert if the authority is your own",
        )
    }
}

impl EnvReader<'_> {
    fn database_url(&mut self) -> Option<SecretString> {
        const WANTED: &str = "the address of a Postgres, such as postgres://driveline:password@127.0.0.1/driveline";
        let url = self.secret("DATABASE_URL");
        match &url {
            None => self.missing("DATABASE_URL", WANTED),
            Some(url) if !is_postgres(url.expose_secret()) => {
                self.complain(format!("DATABASE_URL has to be {WANTED}"));
                return None;
            }
            Some(_) => {}
        }
        url
    }

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
}

/// Whether a database is reached over a network on which another server could impersonate it: its host is neither this
/// machine nor a bare name, as containers on one machine have, and its certificate is not verified.
fn could_be_anybody(url: &str) -> bool {
    let Ok(url) = Url::from_str(url) else { return false };
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let host = parameter("host").or_else(|| url.host_str().map(str::to_owned)).unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let near = match bare.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => bare.starts_with('/') || !bare.contains('.'),
    };
    let checked = parameter("sslmode").is_some_and(|mode| matches!(mode.as_str(), "verify-full" | "verify-ca"));
    !near && !checked
}

fn is_postgres(url: &str) -> bool {
    let rest = url.strip_prefix("postgres://").or_else(|| url.strip_prefix("postgresql://"));
    rest.is_some_and(|rest| !rest.is_empty())
}
