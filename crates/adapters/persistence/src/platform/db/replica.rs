//! Lists from a replica, never older than what the writer had acknowledged when the list was requested.
//!
//! The writer is asked for its WAL position, which costs next to nothing, and the replica whether it has replayed up to
//! there. So every list contains what its caller has just written, on whichever instance. A replica that lags, is
//! unavailable or returns errors is skipped: the list comes from the writer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{PgConnection, QueryResult};
use ports::StoreError;

use super::attended::Deadlines;
use super::lanes::Lane;
use super::pool::{Pool, Pooler, Role};
use super::spans::{self, InDatabase, name_of};
use super::{Database, address, blocking, unavailable};

/// How long a list waits for a replica that lags a little.
const LAG: Duration = Duration::from_millis(100);
/// How often the replica is asked again meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Deadline for a list from the replica.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// How the replica that lists are read from is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplicaHealth {
    /// No replica is configured.
    None,
    /// It does not answer.
    Away,
    /// It is so many milliseconds behind the writer: 0 if it has everything that the writer had when it was asked.
    Behind(u64),
}

pub(super) struct Replica(Pool);

impl Replica {
    pub(super) fn open(url: &str, size: u32, pooler: Pooler) -> Self {
        Self(Pool::open(address::of_reader(url), size, pooler, Role::Reader))
    }

    /// How far it is behind a position of the writer, which it is given a moment to come to.
    fn health(&self, position: &str) -> ReplicaHealth {
        let begun = Instant::now();
        let Ok(mut conn) = self.0.check_out(begun + ANSWER_WITHIN) else { return ReplicaHealth::Away };
        let judged = loop {
            match has_come_to(&mut conn.connection, position) {
                Ok(true) => break Ok(0),
                Ok(false) if begun.elapsed() < LAG => std::thread::sleep(LOOK_EVERY),
                Ok(false) => break age(&mut conn.connection),
                Err(error) => break Err(error),
            }
        };
        match judged {
            Ok(age) => ReplicaHealth::Behind(age.max(0).unsigned_abs()),
            Err(error) => {
                self.0.mark_suspect(&mut conn, &error);
                ReplicaHealth::Away
            }
        }
    }

    /// Runs a query on a connection that is idle now and has replayed everything up to `position`.
    fn run<T>(&self, position: &str, work: impl Fn(&mut PgConnection) -> QueryResult<T>) -> Option<T> {
        let mut conn = self.0.idle()?;
        let begun = Instant::now();
        loop {
            match has_come_to(&mut conn.connection, position) {
                Ok(true) => break,
                Ok(false) if begun.elapsed() < LAG => std::thread::sleep(LOOK_EVERY),
                Ok(false) => return None,
                Err(error) => {
                    self.0.mark_suspect(&mut conn, &error);
                    return None;
                }
            }
        }
        let done = work(&mut conn.connection);
        if let Err(error) = &done {
            self.0.mark_suspect(&mut conn, error);
        }
        done.ok()
    }
}

/// How old the last commit is that a replica has replayed, in milliseconds.
fn age(connection: &mut PgConnection) -> QueryResult<i64> {
    #[derive(QueryableByName)]
    struct Answer {
        #[diesel(sql_type = BigInt)]
        age: i64,
    }
    diesel::sql_query(
        "SELECT coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0)::bigint AS age",
    )
    .get_result::<Answer>(connection)
    .map(|answer| answer.age)
}

#[derive(QueryableByName)]
struct Position {
    #[diesel(sql_type = Text)]
    position: String,
}

fn position(connection: &mut PgConnection) -> QueryResult<String> {
    diesel::sql_query("SELECT pg_current_wal_lsn()::text AS position")
        .get_result::<Position>(connection)
        .map(|answer| answer.position)
}

/// Whether a replica has replayed the writer's log up to a position. A server that is not a replica counts as up to
/// date.
fn has_come_to(connection: &mut PgConnection, position: &str) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Answer {
        #[diesel(sql_type = Bool)]
        there: bool,
    }
    diesel::sql_query("SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, true) AS there")
        .bind::<Text, _>(position)
        .get_result::<Answer>(connection)
        .map(|answer| answer.there)
}

impl Database {
    /// How the replica that lists are read from is doing.
    ///
    /// # Errors
    /// [`StoreError`] if the writer does not answer.
    pub async fn replica_health(&self) -> Result<ReplicaHealth, StoreError> {
        if self.shared.replica.is_none() {
            return Ok(ReplicaHealth::None);
        }
        let at = self.health(position).await?;
        let shared = Arc::clone(&self.shared);
        let asking =
            blocking(move || shared.replica.as_ref().map_or(ReplicaHealth::None, |replica| replica.health(&at)));
        tokio::time::timeout(ANSWER_WITHIN, asking).await.unwrap_or(Ok(ReplicaHealth::Away))
    }

    /// [`Self::read_many`] for lists that are shown to users, from the replica if there is one that is up to date.
    pub(crate) async fn read_list<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Fn(&mut PgConnection) -> QueryResult<T> + Send + Sync + 'static,
    {
        if self.shared.replica.is_none() {
            return self.read_many(work).await;
        }
        let name = name_of::<F>();
        let at = self.read(position).await?;
        let work = Arc::new(work);
        let (shared, asked) = (Arc::clone(&self.shared), Arc::clone(&work));
        let call = spans::call(name);
        let asking = blocking(move || {
            let _at_replica = InDatabase::begin_at_replica(&call);
            shared.replica.as_ref().and_then(|replica| replica.run(&at, |conn| asked(conn)))
        });
        let deadlines = Deadlines::of_this_task();
        let answer = tokio::time::timeout_at(deadlines.halfway(ANSWER_WITHIN), asking).await.map_err(unavailable);
        drop(deadlines);
        match answer {
            Ok(Ok(Some(list))) => Ok(list),
            _ => self.in_lane(Lane::Lists, super::ANSWER_WITHIN, name, (), move |connection| work(connection)).await,
        }
    }
}
