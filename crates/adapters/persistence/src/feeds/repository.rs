//! The files of feeds, and what became of them.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::{ApplyRefused, FeedConsent, FeedFinding, FeedState};
use ports::{
    Feed, FeedDetails, FeedRepository, FileSeen, IdempotencyKey, NewFeed, Page, Pagination, StoreError, WriteError,
};

use crate::Database;
use crate::accounts::rows::actor_columns;
use crate::catalog::part_numbers::refusable;
use crate::feeds::rows::{FeedRecord, FindingRow, KeptChange, finding};
use crate::platform::decode::decode_all;
use crate::platform::idempotency::reused;
use crate::platform::idempotency_claims::unknown;
use crate::platform::page::{cut_page, limited};
use crate::schema::{feed_chunks, feed_findings, feeds};

/// Findings and groups of them that come with a feed.
const SHOWN: i64 = 100;
/// How long a checked feed waits for somebody to have it applied, and an upload for its next piece.
const KEPT: &str = "7 days";
const BROKE_OFF: &str = "1 hour";

#[async_trait]
impl FeedRepository for Database {
    async fn begin(&self, new: &NewFeed) -> Result<Result<i32, i32>, StoreError> {
        let new = new.clone();
        self.run(move |connection| begin(connection, &new)).await
    }

    async fn store(&self, feed: i32, no: u32, piece: Vec<u8>) -> Result<(), StoreError> {
        self.run(move |connection| {
            let no = i32::try_from(no).map_err(|error| Error::SerializationError(Box::new(error)))?;
            let stored = (feed_chunks::feed_id.eq(feed), feed_chunks::no.eq(no), feed_chunks::body.eq(piece));
            diesel::insert_into(feed_chunks::table).values(stored).execute(connection)?;
            diesel::update(feeds::table.find(feed)).set(feeds::changed_at.eq(diesel::dsl::now)).execute(connection)?;
            Ok(())
        })
        .await
    }

    async fn finish(&self, feed: i32, seen: &FileSeen) -> Result<(), StoreError> {
        let seen = *seen;
        self.run(move |connection| {
            diesel::update(feeds::table.find(feed))
                .filter(feeds::state.eq("uploading"))
                .set((
                    feeds::state.eq(FeedState::Waiting.as_str()),
                    feeds::bytes.eq(i64::try_from(seen.bytes).unwrap_or(i64::MAX)),
                    feeds::sha256.eq(seen.sha256.to_vec()),
                    feeds::is_utf8.eq(seen.is_utf8),
                    feeds::changed_at.eq(diesel::dsl::now),
                ))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn abandon(&self, feed: i32) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::delete(feeds::table.find(feed)).filter(feeds::state.eq("uploading")).execute(connection).map(drop)
        })
        .await
    }

    async fn list(&self, page: Pagination<i32>) -> Result<Page<Feed, i32>, StoreError> {
        self.read_many(move |connection| {
            let there = feeds::table.filter(feeds::state.ne("uploading"));
            let rows: Vec<FeedRecord> = limited(
                there
                    .filter(feeds::id.lt(page.after.unwrap_or(i32::MAX)))
                    .order(feeds::id.desc())
                    .select(FeedRecord::as_select())
                    .into_boxed(),
                &page,
            )
            .load(connection)?;
            let items = decode_all::<_, Feed>(rows)?;
            cut_page(items, &page, |feed| feed.id, || there.count().get_result(connection))
        })
        .await
    }

    async fn find(&self, feed: i32) -> Result<Option<FeedDetails>, StoreError> {
        self.read(move |connection| find(connection, feed)).await
    }

    async fn findings(&self, feed: i32, after: i32, limit: u32) -> Result<Vec<(i32, FeedFinding)>, StoreError> {
        self.read_many(move |connection| findings(connection, feed, after, i64::from(limit))).await
    }

    async fn apply(&self, feed: i32, consent: FeedConsent) -> Result<(), WriteError<ApplyRefused>> {
        let applied = self.run(move |connection| refusable(connection, |connection| apply(connection, feed, consent)));
        applied.await?.map_err(WriteError::Refused)
    }

    async fn cancel(&self, feed: i32) -> Result<bool, WriteError<ApplyRefused>> {
        let cancelled = self.run(move |connection| refusable(connection, |connection| cancel(connection, feed)));
        cancelled.await?.map_err(WriteError::Refused)
    }

    async fn expire(&self) -> Result<u64, StoreError> {
        self.run(|connection| {
            let forgotten = diesel::sql_query(format!(
                "DELETE FROM feeds WHERE state = 'uploading' AND changed_at < now() - interval '{BROKE_OFF}'"
            ))
            .execute(connection)?;
            let cancelled = diesel::sql_query(format!(
                "WITH old AS (
                    UPDATE feeds SET state = 'cancelled', changed_at = now(), error = 'Nobody applied it within {KEPT}.'
                    WHERE state = 'checked' AND changed_at < now() - interval '{KEPT}' RETURNING id
                )
                DELETE FROM feed_chunks USING old WHERE feed_id = old.id"
            ))
            .execute(connection)?;
            Ok(u64::try_from(forgotten + cancelled).unwrap_or(u64::MAX))
        })
        .await
    }
}

/// The feed that was begun under a key. Its file is no part of what is compared: it has not come yet.
fn begun_under(connection: &mut PgConnection, new: &NewFeed, key: IdempotencyKey) -> QueryResult<Option<i32>> {
    let first: Option<(i32, String, String, bool)> = feeds::table
        .filter(feeds::once_key.eq(key.key.0.to_vec()))
        .select((feeds::id, feeds::kind, feeds::mode, feeds::dry_run))
        .first(connection)
        .optional()?;
    let Some((first, kind, mode, dry_run)) = first else { return Ok(None) };
    let is_same = (kind.as_str(), mode.as_str(), dry_run) == (new.kind.as_str(), new.mode.as_str(), new.dry_run);
    if is_same { Ok(Some(first)) } else { Err(reused()) }
}

fn begin(connection: &mut PgConnection, new: &NewFeed) -> QueryResult<Result<i32, i32>> {
    let (actor_id, actor_email) = actor_columns(&new.by);
    if let Some(key) = new.idempotency_key {
        if let Some(first) = begun_under(connection, new, key)? {
            return Ok(Err(first));
        }
        unknown(connection, key, actor_id)?;
    }
    let once_key = new.idempotency_key.map(|key| key.key.0.to_vec());
    let begun: Option<i32> = diesel::insert_into(feeds::table)
        .values((
            feeds::kind.eq(new.kind.as_str()),
            feeds::mode.eq(new.mode.as_str()),
            feeds::name.eq(&new.name),
            feeds::state.eq("uploading"),
            feeds::dry_run.eq(new.dry_run),
            feeds::partial.eq(new.consent.partial),
            feeds::confirm_archived.eq(confirmed(new.consent)),
            feeds::actor_id.eq(actor_id),
            feeds::actor_email.eq(actor_email),
            feeds::once_key.eq(&once_key),
        ))
        .on_conflict(feeds::once_key)
        .do_nothing()
        .returning(feeds::id)
        .get_result(connection)
        .optional()?;
    if let Some(feed) = begun {
        return Ok(Ok(feed));
    }
    // The same request, a moment earlier.
    let first = match new.idempotency_key {
        Some(key) => begun_under(connection, new, key)?,
        None => None,
    };
    first.map(Err).ok_or(Error::NotFound)
}

fn confirmed(consent: FeedConsent) -> Option<i64> {
    consent.confirm_archived.map(|archived| i64::try_from(archived).unwrap_or(i64::MAX))
}

fn find(connection: &mut PgConnection, feed: i32) -> QueryResult<Option<FeedDetails>> {
    let there = feeds::table.find(feed).filter(feeds::state.ne("uploading"));
    let row: Option<(FeedRecord, serde_json::Value)> =
        there.select((FeedRecord::as_select(), feeds::changes)).first(connection).optional()?;
    let Some((row, changes)) = row else { return Ok(None) };
    let changes: Vec<KeptChange> =
        serde_json::from_value(changes).map_err(|error| Error::DeserializationError(Box::new(error)))?;
    let reasons: Vec<(String, i64)> = feed_findings::table
        .filter(feed_findings::feed_id.eq(feed))
        .group_by(feed_findings::reason)
        .order(diesel::dsl::count_star().desc())
        .select((feed_findings::reason, diesel::dsl::count_star()))
        .load(connection)?;
    Ok(Some(FeedDetails {
        feed: row.try_into()?,
        changes: changes.into_iter().map(Into::into).collect(),
        findings: findings(connection, feed, 0, SHOWN)?.into_iter().map(|(_, finding)| finding).collect(),
        reasons: reasons.into_iter().map(|(reason, many)| (reason, u64::try_from(many).unwrap_or_default())).collect(),
    }))
}

fn findings(connection: &mut PgConnection, feed: i32, after: i32, limit: i64) -> QueryResult<Vec<(i32, FeedFinding)>> {
    let rows: Vec<FindingRow> = feed_findings::table
        .filter(feed_findings::feed_id.eq(feed))
        .filter(feed_findings::no.gt(after))
        .order(feed_findings::no)
        .limit(limit)
        .select((
            feed_findings::no,
            feed_findings::line,
            feed_findings::field,
            feed_findings::reason,
            feed_findings::message,
        ))
        .load(connection)?;
    Ok(rows.into_iter().map(finding).collect())
}

fn locked(connection: &mut PgConnection, feed: i32) -> QueryResult<Option<Feed>> {
    let there = feeds::table.find(feed).filter(feeds::state.ne("uploading"));
    let row: Option<FeedRecord> =
        there.select(FeedRecord::as_select()).for_no_key_update().first(connection).optional()?;
    row.map(Feed::try_from).transpose()
}

fn apply(connection: &mut PgConnection, feed: i32, consent: FeedConsent) -> QueryResult<Result<(), ApplyRefused>> {
    let Some(there) = locked(connection, feed)? else { return Ok(Err(ApplyRefused::Unknown)) };
    if there.state != FeedState::Checked {
        return Ok(Err(ApplyRefused::NotChecked { state: there.state }));
    }
    if let Err(refused) = there.counts.may_apply(there.archives_much, consent) {
        return Ok(Err(refused));
    }
    diesel::update(feeds::table.find(feed))
        .set((
            feeds::state.eq(FeedState::Applying.as_str()),
            feeds::partial.eq(consent.partial),
            feeds::confirm_archived.eq(confirmed(consent)),
            feeds::progress.eq(0),
            feeds::attempts.eq(0),
            feeds::error.eq(None::<String>),
            feeds::changed_at.eq(diesel::dsl::now),
        ))
        .execute(connection)?;
    Ok(Ok(()))
}

fn cancel(connection: &mut PgConnection, feed: i32) -> QueryResult<Result<bool, ApplyRefused>> {
    let Some(there) = locked(connection, feed)? else { return Ok(Err(ApplyRefused::Unknown)) };
    match there.state {
        FeedState::Cancelled => return Ok(Ok(false)),
        FeedState::Waiting | FeedState::Reading | FeedState::Checked => {}
        state => return Ok(Err(ApplyRefused::NotChecked { state })),
    }
    diesel::update(feeds::table.find(feed))
        .set((feeds::state.eq(FeedState::Cancelled.as_str()), feeds::changed_at.eq(diesel::dsl::now)))
        .execute(connection)?;
    diesel::delete(feed_chunks::table.filter(feed_chunks::feed_id.eq(feed))).execute(connection)?;
    Ok(Ok(true))
}
