//! Works on the feeds that wait.
//!
//! One connection does it, which nobody else uses: it holds an advisory lock of its session for as long as it works, so that one
//! instance works at a time. The lock goes with the connection. A worker that is killed is followed by another one, a slow one
//! is not, and no clock is asked.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Bool};
use domain::{FeedKind, FeedState};
use ports::{FeedRules, FeedWork, Ids, StoreError, VehicleNames};
use uuid::Uuid;

use crate::Database;
use crate::feeds::apply::{TooManySteps, apply};
use crate::feeds::job::{Job, Tools};
use crate::feeds::reading::{self, Ended};
use crate::platform::changes::{ChangedRows, Channel};
use crate::platform::db::{Pooler, blocking, classify_error, establish, is_retryable, unavailable};
use crate::schema::{feed_chunks, feeds};

/// The advisory lock of whoever works. The number is arbitrary.
const WORK_LOCK: i64 = 6_275_309_418;
/// How often a feed is begun that ends neither well nor with a sentence: it may be what kills the worker.
const ATTEMPTS_MAX: i16 = 5;
/// From so many rows on, the tables are tidied and looked at anew after a feed.
const MANY_ROWS: i64 = 10_000;
/// Statements of a feed take longer than those of a request. A machine that is gone is noticed within a minute.
const SESSION_SQL: &str = "SET statement_timeout = '15min'; SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '1min'; SET default_transaction_isolation = 'read committed';
    SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
    SET work_mem = '32MB';";

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

#[async_trait]
impl FeedWork for Database {
    async fn work(
        &self,
        rules: FeedRules,
        ids: Arc<dyn Ids>,
        vehicles: Arc<dyn VehicleNames>,
    ) -> Result<u32, StoreError> {
        const WAITING: &str =
            "SELECT EXISTS (SELECT FROM feeds WHERE state IN ('waiting', 'reading', 'applying')) AS yes";
        let waits = self
            .read(|connection| diesel::sql_query(WAITING).get_result::<Answer>(connection).map(|answer| answer.yes));
        if !waits.await? {
            return Ok(0);
        }
        let settings = self.connection_settings();
        if settings.pooler == Pooler::Transaction && settings.direct_url.is_none() {
            return Err(unavailable("feeds need the database without a pooler: set DATABASE_DIRECT_URL"));
        }
        let database = self.clone();
        blocking(move || work_all(&database, rules, Tools { ids: &*ids, vehicles: &*vehicles })).await?
    }
}

fn work_all(database: &Database, rules: FeedRules, tools: Tools<'_>) -> Result<u32, StoreError> {
    let mut connection = establish(&database.direct_url(), Pooler::None).map_err(unavailable)?;
    connection.batch_execute(SESSION_SQL).map_err(classify_error)?;
    let lock = diesel::sql_query("SELECT pg_try_advisory_lock($1) AS yes").bind::<BigInt, _>(WORK_LOCK);
    if !lock.get_result::<Answer>(&mut connection).map_err(classify_error)?.yes {
        return Ok(0);
    }
    let done = work_while_some_wait(database, &mut connection, rules, tools);
    // The server would do it too, a moment after the connection is closed.
    let unlocked =
        diesel::sql_query("SELECT pg_advisory_unlock($1)").bind::<BigInt, _>(WORK_LOCK).execute(&mut connection);
    drop(unlocked);
    done.map_err(classify_error)
}

fn work_while_some_wait(
    database: &Database,
    connection: &mut PgConnection,
    rules: FeedRules,
    tools: Tools<'_>,
) -> QueryResult<u32> {
    let mut done = 0;
    while let Some(job) = next(connection, rules)? {
        work(database, connection, &job, tools)?;
        done += 1;
    }
    Ok(done)
}

type JobRow = ((i32, String, String, String, bool, bool, Option<i64>), (i64, bool, Option<Uuid>, Option<String>, i16));

/// The feed that has waited longest, begun.
fn next(connection: &mut PgConnection, rules: FeedRules) -> QueryResult<Option<Job>> {
    let row: Option<JobRow> = feeds::table
        .filter(feeds::state.eq_any(["waiting", "reading", "applying"]))
        .order(feeds::id)
        .select((
            (
                feeds::id,
                feeds::kind,
                feeds::mode,
                feeds::state,
                feeds::dry_run,
                feeds::partial,
                feeds::confirm_archived,
            ),
            (feeds::bytes, feeds::is_utf8, feeds::actor_id, feeds::actor_email, feeds::attempts),
        ))
        .first(connection)
        .optional()?;
    let Some(((id, kind, mode, state, dry_run, partial, confirm_archived), rest)) = row else { return Ok(None) };
    let (bytes, is_utf8, actor_id, actor_email, attempts) = rest;
    let (Ok(kind), Ok(mode), Ok(state)) = (kind.parse(), mode.parse(), state.parse()) else {
        fail(connection, id, "This feed can't be read by this version of the store.")?;
        return next(connection, rules);
    };
    if attempts >= ATTEMPTS_MAX {
        fail(connection, id, "We tried several times and couldn't work through this file. Send it in smaller parts.")?;
        return next(connection, rules);
    }
    let state = if state == FeedState::Applying { state } else { FeedState::Reading };
    let begun = diesel::update(feeds::table.find(id))
        .filter(feeds::state.eq_any(["waiting", "reading", "applying"]))
        .set((
            feeds::state.eq(state.as_str()),
            feeds::attempts.eq(attempts + 1),
            feeds::progress.eq(0),
            feeds::changed_at.eq(diesel::dsl::now),
        ))
        .execute(connection)?;
    if begun == 0 {
        return next(connection, rules);
    }
    let archive_percent = rules.archive_percent;
    let actor = (actor_id, actor_email);
    Ok(Some(Job { id, kind, mode, state, dry_run, partial, confirm_archived, bytes, is_utf8, actor, archive_percent }))
}

fn work(database: &Database, connection: &mut PgConnection, job: &Job, tools: Tools<'_>) -> QueryResult<()> {
    let ended = match reading::check(connection, job, tools) {
        Ok(ended) => ended,
        Err(error) => return give_up_on(connection, job, error),
    };
    match ended {
        Ended::Cancelled | Ended::Checked => return Ok(()),
        Ended::Failed(why) => return fail(connection, job.id, &why),
        Ended::MayApply => {}
    }
    if let Err(error) = apply(connection, job) {
        database.changes().note(Channel::Products, ChangedRows::everything());
        return give_up_on(connection, job, error);
    }
    // What is kept in memory is read again before anybody hears that the feed is applied.
    database.changes().note(Channel::Products, ChangedRows::everything());
    let rows: i64 = diesel::update(feeds::table.find(job.id))
        .set((
            feeds::state.eq(FeedState::Applied.as_str()),
            feeds::progress.eq(100),
            feeds::attempts.eq(0),
            feeds::applied_at.eq(diesel::dsl::now),
            feeds::changed_at.eq(diesel::dsl::now),
        ))
        .returning(feeds::row_count)
        .get_result(connection)?;
    forget_file(connection, job.id)?;
    if rows >= MANY_ROWS {
        tidy(connection, job.kind);
    }
    Ok(())
}

/// An error that may pass leaves the feed as it is, to be begun again; any other fails it.
fn give_up_on(connection: &mut PgConnection, job: &Job, error: Error) -> QueryResult<()> {
    if is_retryable(&error) {
        return Err(error);
    }
    if let Error::QueryBuilderError(why) = &error
        && why.is::<TooManySteps>()
    {
        return fail(connection, job.id, &why.to_string());
    }
    tracing::error!(%error, feed = job.id, "a feed could not be worked on");
    fail(connection, job.id, "Something went wrong on our side. Nothing more was changed; please send the file again.")
}

fn fail(connection: &mut PgConnection, feed: i32, why: &str) -> QueryResult<()> {
    diesel::update(feeds::table.find(feed))
        .filter(feeds::state.eq_any(["waiting", "reading", "applying"]))
        .set((
            feeds::state.eq(FeedState::Failed.as_str()),
            feeds::error.eq(why),
            feeds::changed_at.eq(diesel::dsl::now),
        ))
        .execute(connection)?;
    forget_file(connection, feed)
}

fn forget_file(connection: &mut PgConnection, feed: i32) -> QueryResult<()> {
    diesel::delete(feed_chunks::table.filter(feed_chunks::feed_id.eq(feed))).execute(connection).map(drop)
}

/// Without it, lists go on with statistics of another shop, and index-only scans look into every row.
fn tidy(connection: &mut PgConnection, kind: FeedKind) {
    let changed: &[&str] = match kind {
        FeedKind::Fitment => &["fitments", "conditions", "product_positions"],
        FeedKind::Prices => &["products", "prices"],
        FeedKind::Products | FeedKind::Stock | FeedKind::Numbers => &["products", "part_numbers", "product_search"],
    };
    for table in changed.iter().chain(&["feed_chunks"]) {
        if let Err(error) = connection.batch_execute(&format!("VACUUM (ANALYZE) {table}")) {
            tracing::warn!(%error, table, "a table could not be tidied after a feed");
        }
    }
}
