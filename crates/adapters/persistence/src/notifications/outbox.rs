//! The outbox: e-mails and webhook deliveries that are still to be sent.

use std::time::Duration;

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Email, Timestamp, WebhookSubscriptionId};
use jiff_diesel::ToDiesel;
use ports::{
    Backlog, Delivery, DeliveryFailure, DeliveryQuery, LeaseRequest, Leased, Outbox, Page, Pagination, Queue, Requeued,
    StoreError,
};

use crate::Database;
use crate::notifications::rows::OutboxRow;
use crate::platform::db::millis;
use crate::platform::decode::decode_all;
use crate::platform::page::{cut_page, limited};
use crate::platform::sql_file::sql_file;
use crate::schema::outbox;

/// Longest failure reason that is stored, in characters.
const WHY_MAX: usize = 500;
/// How far the backlog is counted.
const COUNTED_TO: i64 = 10_000;

#[async_trait]
impl Outbox for Database {
    async fn request_email(&self, topic: Topic, to: &Email, at: Timestamp) -> Result<(), StoreError> {
        let to = to.clone();
        self.run(move |connection| request_email(connection, topic, &to, at)).await
    }

    async fn lease(&self, request: &LeaseRequest) -> Result<Leased, StoreError> {
        let request = request.clone();
        self.run(move |connection| {
            let rows = match request.queue {
                Queue::Mail => lease_emails(connection, &request)?,
                Queue::Webhook(subscription) => lease_webhooks(connection, &request, subscription)?,
            };
            let mut taken = Leased::default();
            for row in rows {
                let id = row.id;
                match Delivery::try_from(row) {
                    Ok(delivery) => taken.deliveries.push(delivery),
                    // Its neighbours in the batch are still delivered.
                    Err(error) => {
                        dead_letter_unreadable(connection, id, &error.to_string())?;
                        taken.unreadable += 1;
                    }
                }
            }
            Ok(taken)
        })
        .await
    }

    async fn release(&self, ids: &[DeliveryId]) -> Result<(), StoreError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        self.run(move |connection| {
            diesel::sql_query(
                "UPDATE outbox SET due_at = clock_timestamp(), attempts = greatest(attempts - 1, 0)
                WHERE id = ANY ($1) AND state = 'waiting'",
            )
            .bind::<Array<BigInt>, _>(ids)
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn sent(&self, id: DeliveryId, status: Option<u16>) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.ne(DeliveryState::Sent.as_str()))
                .set((
                    outbox::state.eq(DeliveryState::Sent.as_str()),
                    outbox::sent_at.eq(diesel::dsl::now),
                    outbox::status_code.eq(status.map(i32::from)),
                ))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn reschedule(
        &self,
        id: DeliveryId,
        attempt: u32,
        wait: Duration,
        why: &DeliveryFailure,
    ) -> Result<(), StoreError> {
        let (why, status) = (shortened(&why.why), why.status.map(i32::from));
        self.run(move |connection| {
            diesel::sql_query(
                "UPDATE outbox SET due_at = clock_timestamp() + $3 * interval '1 millisecond', last_error = $4,
                    status_code = $5
                WHERE id = $1 AND attempts = $2 AND state = 'waiting'",
            )
            .bind::<BigInt, _>(id.get())
            .bind::<Integer, _>(column(attempt))
            .bind::<BigInt, _>(millis(wait))
            .bind::<Text, _>(why)
            .bind::<Nullable<Integer>, _>(status)
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn dead_letter(&self, id: DeliveryId, attempt: u32, why: &DeliveryFailure) -> Result<(), StoreError> {
        let (why, status) = (shortened(&why.why), why.status.map(i32::from));
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.eq(DeliveryState::Waiting.as_str()))
                .filter(outbox::attempts.eq(column(attempt)))
                .set((
                    outbox::state.eq(DeliveryState::Dead.as_str()),
                    outbox::last_error.eq(why),
                    outbox::status_code.eq(status),
                ))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn dead_letter_unwanted(&self, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let dead_lettered =
                sql_file!("dead_letter_unwanted.sql", { limit: BigInt = i64::from(limit) }).execute(connection)?;
            Ok(u32::try_from(dead_lettered).unwrap_or(limit))
        })
        .await
    }

    async fn discard_for_unknown_addresses(&self, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let discarded = sql_file!("discard_for_unknown_addresses.sql", {
                topic: Text = Topic::AccountReset.as_str(),
                limit: BigInt = i64::from(limit),
            })
            .execute(connection)?;
            Ok(u32::try_from(discarded).unwrap_or(limit))
        })
        .await
    }

    async fn discard(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.run(move |connection| diesel::delete(outbox::table.find(id.get())).execute(connection).map(drop)).await
    }

    async fn requeue(&self, id: DeliveryId) -> Result<Requeued, StoreError> {
        self.run(move |connection| {
            let requeue = diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.eq(DeliveryState::Dead.as_str()))
                .set((
                    outbox::state.eq(DeliveryState::Waiting.as_str()),
                    outbox::due_at.eq(diesel::dsl::now),
                    outbox::attempts.eq(0),
                ))
                .execute(connection)?;
            if requeue > 0 {
                return Ok(Requeued::Waiting);
            }
            let is_there: bool =
                diesel::select(diesel::dsl::exists(outbox::table.find(id.get()))).get_result(connection)?;
            Ok(if is_there { Requeued::NotDead } else { Requeued::NotFound })
        })
        .await
    }

    async fn requeue_all(&self, subscription: Option<WebhookSubscriptionId>, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let requeued = sql_file!("requeue_all.sql", {
                subscription: Nullable<SqlUuid> = subscription.map(WebhookSubscriptionId::uuid),
                limit: BigInt = i64::from(limit),
            })
            .execute(connection)?;
            Ok(u32::try_from(requeued).unwrap_or(limit))
        })
        .await
    }

    async fn list(&self, query: &DeliveryQuery) -> Result<Page<Delivery, DeliveryId>, StoreError> {
        let query = query.clone();
        self.read_many(move |connection| {
            let of_state = || outbox::table.filter(outbox::state.eq(query.state.as_str())).into_boxed();
            page(connection, of_state, &query.page)
        })
        .await
    }

    async fn backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        self.read_many(|connection| {
            let rows: Vec<BacklogRow> =
                sql_file!("count_backlog.sql", { limit: BigInt = COUNTED_TO }).load(connection)?;
            let counted = |channel: Channel, state: DeliveryState| {
                let row = rows.iter().find(|row| row.channel == channel.as_str() && row.state == state.as_str());
                row.map_or((0, 0), |row| (row.many.unsigned_abs(), row.seconds.unsigned_abs()))
            };
            let backlog = |channel| {
                let (waiting, oldest_seconds) = counted(channel, DeliveryState::Waiting);
                Backlog { channel, waiting, oldest_seconds, dead: counted(channel, DeliveryState::Dead).0 }
            };
            Ok(Channel::ALL.map(backlog).to_vec())
        })
        .await
    }

    async fn forget(&self, sent_before: Timestamp, dead_before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let sent = sql_file!("forget_sent.sql", {
                sent_before: Timestamptz = sent_before.to_diesel(),
                limit: BigInt = i64::from(limit),
            })
            .execute(connection)?;
            let sent = u32::try_from(sent).unwrap_or(limit);
            let dead = sql_file!("forget_dead.sql", {
                created_before: Timestamptz = dead_before.to_diesel(),
                limit: BigInt = i64::from(limit - sent.min(limit)),
            })
            .execute(connection)?;
            Ok(sent + u32::try_from(dead).unwrap_or(limit))
        })
        .await
    }
}

fn lease_emails(connection: &mut PgConnection, request: &LeaseRequest) -> QueryResult<Vec<OutboxRow>> {
    sql_file!("lease_emails.sql", {
        topics: Array<Text> = names(&request.topics),
        lease_ms: BigInt = millis(request.lease),
        limit: BigInt = i64::from(request.limit),
    })
    .load(connection)
}

fn lease_webhooks(
    connection: &mut PgConnection,
    request: &LeaseRequest,
    subscription: WebhookSubscriptionId,
) -> QueryResult<Vec<OutboxRow>> {
    sql_file!("lease_webhooks.sql", {
        subscription: SqlUuid = subscription.uuid(),
        topics: Array<Text> = names(&request.topics),
        lease_ms: BigInt = millis(request.lease),
        limit: BigInt = i64::from(request.limit),
    })
    .load(connection)
}

/// Dead-letters a row that cannot be decoded.
fn dead_letter_unreadable(connection: &mut PgConnection, id: i64, why: &str) -> QueryResult<()> {
    tracing::error!(delivery = id, why, "a delivery cannot be decoded and is dead-lettered");
    diesel::update(outbox::table.find(id))
        .set((outbox::state.eq(DeliveryState::Dead.as_str()), outbox::last_error.eq(shortened(why))))
        .execute(connection)
        .map(drop)
}

fn names(topics: &[Topic]) -> Vec<&'static str> {
    topics.iter().map(|topic| topic.as_str()).collect()
}

/// [`queue_email`], where nobody needs its id.
pub(crate) fn request_email(connection: &mut PgConnection, topic: Topic, to: &Email, at: Timestamp) -> QueryResult<()> {
    queue_email(connection, topic, to, at).map(drop)
}

/// Queues an e-mail about the account of an address and returns its id. `account.verify` and `account.reset`, which
/// anybody may request, wait once per address: if one waits already, nothing is queued, and the answer is `None`.
pub(crate) fn queue_email(
    connection: &mut PgConnection,
    topic: Topic,
    to: &Email,
    at: Timestamp,
) -> QueryResult<Option<i64>> {
    diesel::insert_into(outbox::table)
        .values((
            outbox::channel.eq(Channel::Mail.as_str()),
            outbox::topic.eq(topic.as_str()),
            outbox::email.eq(to.as_str()),
            outbox::created_at.eq(at.to_diesel()),
            outbox::due_at.eq(at.to_diesel()),
        ))
        .returning(outbox::id)
        .get_result(connection)
        .optional()
}

/// A page of a list of deliveries, newest first. `listed` builds the whole list.
pub(crate) fn page<'a>(
    connection: &mut PgConnection,
    listed: impl Fn() -> outbox::BoxedQuery<'a, Pg>,
    pagination: &Pagination<DeliveryId>,
) -> QueryResult<Page<Delivery, DeliveryId>> {
    // A newer version may have written topics that this one does not know.
    let listed = || listed().filter(outbox::topic.eq_any(names(&Topic::ALL)));
    let mut page = listed().order(outbox::id.desc());
    if let Some(after) = pagination.after {
        page = page.filter(outbox::id.lt(after.get()));
    }
    let rows: Vec<OutboxRow> = limited(page, pagination).select(OutboxRow::as_select()).load(connection)?;
    let deliveries = decode_all(rows.into_iter().map(OutboxRow::shown).collect())?;
    let count = || listed().count().get_result(connection);
    cut_page(deliveries, pagination, |last: &Delivery| last.id, count)
}

fn column(attempt: u32) -> i32 {
    i32::try_from(attempt).unwrap_or(i32::MAX)
}

/// The stored form of a failure reason: never empty, never with a NUL.
fn shortened(why: &str) -> String {
    let why: String = why.chars().filter(|c| *c != '\0').take(WHY_MAX).collect();
    if why.is_empty() { "no reason was given".to_owned() } else { why }
}

#[derive(QueryableByName)]
struct BacklogRow {
    #[diesel(sql_type = Text)]
    channel: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = BigInt)]
    many: i64,
    #[diesel(sql_type = BigInt)]
    seconds: i64,
}
