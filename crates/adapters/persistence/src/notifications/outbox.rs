//! The outbox: e-mails and webhook deliveries that are still to be sent.

use std::time::Duration;

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::notifications::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Email, EventId, OrderId, Timestamp, WebhookSubscriptionId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    Backlog, Delivery, DeliveryFailure, DeliveryPage, DeliveryQuery, LeaseRequest, Leased, Outbox, Queue, Requeued,
    StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::platform::db::millis;
use crate::platform::decode::{RowDecoder, decode_all, split_page};
use crate::schema::outbox;

/// Longest failure reason that is stored, in characters.
const WHY_MAX: usize = 500;

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
                Queue::Webhook(endpoint) => lease_webhooks(connection, &request, endpoint)?,
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
            let dead_lettered = diesel::sql_query(
                // Events written by a transaction that did not see the removal yet appear within seconds; a day is
                // ample.
                "UPDATE outbox SET state = 'dead', last_error = CASE WHEN removed_at IS NULL
                    THEN 'the endpoint is disabled' ELSE 'the endpoint was removed' END
                FROM (
                    SELECT unwanted.id AS unwanted_id, removed_at FROM webhook_endpoints, LATERAL (
                        SELECT id FROM outbox
                        WHERE endpoint_id = webhook_endpoints.id AND state = 'waiting' AND channel = 'webhook'
                            AND due_at <= now()
                        ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED
                    ) AS unwanted
                    WHERE disabled_at IS NOT NULL AND removed_at IS NULL OR removed_at > now() - interval '1 day'
                    LIMIT $1
                ) AS them
                WHERE id = unwanted_id",
            )
            .bind::<BigInt, _>(i64::from(limit))
            .execute(connection)?;
            Ok(u32::try_from(dead_lettered).unwrap_or(limit))
        })
        .await
    }

    async fn discard_for_unknown_addresses(&self, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let taken = diesel::sql_query(
                "DELETE FROM outbox WHERE id = ANY (ARRAY (
                    SELECT id FROM outbox
                    WHERE state = 'waiting' AND channel = 'mail' AND topic = $1 AND due_at <= now()
                        AND NOT EXISTS (SELECT FROM accounts WHERE email = outbox.email AND removed_at IS NULL)
                    ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED))",
            )
            .bind::<Text, _>(Topic::AccountReset.as_str())
            .bind::<BigInt, _>(i64::from(limit))
            .execute(connection)?;
            Ok(u32::try_from(taken).unwrap_or(limit))
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

    async fn requeue_all(&self, endpoint: Option<WebhookSubscriptionId>, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let requeue = diesel::sql_query(
                "UPDATE outbox SET state = 'waiting', due_at = clock_timestamp(), attempts = 0 WHERE id = ANY (ARRAY (
                    SELECT id FROM outbox
                    WHERE state = 'dead' AND ($1 IS NULL OR channel = 'webhook' AND endpoint_id = $1)
                    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))",
            )
            .bind::<Nullable<SqlUuid>, _>(endpoint.map(WebhookSubscriptionId::uuid))
            .bind::<BigInt, _>(i64::from(limit))
            .execute(connection)?;
            Ok(u32::try_from(requeue).unwrap_or(limit))
        })
        .await
    }

    async fn list(&self, query: &DeliveryQuery) -> Result<DeliveryPage, StoreError> {
        let query = query.clone();
        self.read_many(move |connection| {
            let of_state = || outbox::table.filter(outbox::state.eq(query.state.as_str())).into_boxed();
            page(connection, of_state, query.limit, query.after)
        })
        .await
    }

    async fn backlog(&self) -> Result<Vec<Backlog>, StoreError> {
        self.read_many(|connection| {
            // The states are literals, so that the planner uses the partial indexes with exactly these conditions.
            let rows: Vec<BacklogRow> = diesel::sql_query(
                "SELECT channel, state, count(*) AS many FROM outbox WHERE state = 'waiting' GROUP BY channel, state
                UNION ALL
                SELECT channel, state, count(*) AS many FROM outbox WHERE state = 'dead' GROUP BY channel, state",
            )
            .load(connection)?;
            let many = |channel: Channel, state: DeliveryState| {
                let row = rows.iter().find(|row| row.channel == channel.as_str() && row.state == state.as_str());
                row.map_or(0, |row| u64::try_from(row.many).unwrap_or(0))
            };
            let told = |channel| Backlog {
                channel,
                waiting: many(channel, DeliveryState::Waiting),
                dead: many(channel, DeliveryState::Dead),
            };
            Ok(Channel::ALL.map(told).to_vec())
        })
        .await
    }

    async fn forget(&self, sent_before: Timestamp, dead_before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            // The states are literals, so that the planner uses the partial indexes with exactly these conditions.
            let forget = |connection: &mut PgConnection, which: &str, before: Timestamp, limit: u32| {
                diesel::sql_query(format!(
                    "DELETE FROM outbox WHERE id = ANY (ARRAY (
                        SELECT id FROM outbox WHERE {which} LIMIT $2 FOR UPDATE SKIP LOCKED))"
                ))
                .bind::<Timestamptz, SqlTimestamp>(before.to_diesel())
                .bind::<BigInt, _>(i64::from(limit))
                .execute(connection)
                .map(|forgotten| u32::try_from(forgotten).unwrap_or(limit))
            };
            let sent = forget(connection, "state = 'sent' AND sent_at < $1 ORDER BY sent_at", sent_before, limit)?;
            let dead = "state = 'dead' AND created_at < $1 ORDER BY id";
            Ok(sent + forget(connection, dead, dead_before, limit - sent.min(limit))?)
        })
        .await
    }
}

/// Leases e-mails: of each topic those due longest, so that a long queue of one topic does not delay the search for
/// others.
fn lease_emails(connection: &mut PgConnection, request: &LeaseRequest) -> QueryResult<Vec<OutboxRow>> {
    diesel::sql_query(format!(
        // MATERIALIZED, so that the rows are picked only once, whatever plan the update gets.
        "WITH due AS MATERIALIZED (
            SELECT due_id FROM unnest($1) AS wanted (name), LATERAL (
                SELECT id AS due_id, due_at AS since FROM outbox
                WHERE state = 'waiting' AND channel = 'mail' AND topic = wanted.name AND due_at <= now()
                ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
            ) AS of_topic
            ORDER BY since, due_id LIMIT $2
        ) {LEASED}"
    ))
    .bind::<Array<Text>, _>(names(&request.topics))
    .bind::<BigInt, _>(i64::from(request.limit))
    .bind::<BigInt, _>(millis(request.lease))
    .load(connection)
}

fn lease_webhooks(
    connection: &mut PgConnection,
    request: &LeaseRequest,
    endpoint: WebhookSubscriptionId,
) -> QueryResult<Vec<OutboxRow>> {
    diesel::sql_query(format!(
        "WITH due AS MATERIALIZED (
            SELECT id AS due_id FROM outbox
            WHERE endpoint_id = $4 AND state = 'waiting' AND channel = 'webhook' AND topic = ANY ($1) AND due_at <= now()
                AND EXISTS (
                    SELECT FROM webhook_endpoints
                    WHERE webhook_endpoints.id = $4 AND removed_at IS NULL AND disabled_at IS NULL)
            ORDER BY due_at, id LIMIT $2 FOR UPDATE OF outbox SKIP LOCKED
        ) {LEASED}"
    ))
    .bind::<Array<Text>, _>(names(&request.topics))
    .bind::<BigInt, _>(i64::from(request.limit))
    .bind::<BigInt, _>(millis(request.lease))
    .bind::<SqlUuid, _>(endpoint.uuid())
    .load(connection)
}

/// Leases the rows of `due` for `$3` milliseconds.
const LEASED: &str = "UPDATE outbox SET due_at = clock_timestamp() + $3 * interval '1 millisecond', attempts = attempts + 1
    FROM due WHERE id = due_id
    RETURNING id, channel, topic, order_id, event_id, endpoint_id, email, created_at, due_at, attempts, state, status_code,
        last_error, sent_at";

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

/// Queues an e-mail about the account of an address, unless one with the same topic already waits.
pub(crate) fn request_email(connection: &mut PgConnection, topic: Topic, to: &Email, at: Timestamp) -> QueryResult<()> {
    diesel::insert_into(outbox::table)
        .values((
            outbox::channel.eq(Channel::Mail.as_str()),
            outbox::topic.eq(topic.as_str()),
            outbox::email.eq(to.as_str()),
            outbox::created_at.eq(at.to_diesel()),
            outbox::due_at.eq(at.to_diesel()),
        ))
        .execute(connection)
        .map(drop)
}

/// The same for a topic of which any number may wait; returns the id of the e-mail.
pub(crate) fn queue_email(connection: &mut PgConnection, topic: Topic, to: &Email, at: Timestamp) -> QueryResult<i64> {
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
}

/// A page of a list of deliveries, newest first: at most `limit` of them, only those after `after`. `listed` builds the
/// whole list.
pub(crate) fn page<'a>(
    connection: &mut PgConnection,
    listed: impl Fn() -> outbox::BoxedQuery<'a, Pg>,
    limit: Option<u32>,
    after: Option<DeliveryId>,
) -> QueryResult<DeliveryPage> {
    // A newer version may have written topics that this one does not know.
    let listed = || listed().filter(outbox::topic.eq_any(names(&Topic::ALL)));
    let total: i64 = listed().count().get_result(connection)?;
    let mut part = listed().order(outbox::id.desc());
    if let Some(after) = after {
        part = part.filter(outbox::id.lt(after.get()));
    }
    if let Some(limit) = limit {
        // One row beyond the limit shows whether there is a next page.
        part = part.limit(i64::from(limit) + 1);
    }
    let rows: Vec<OutboxRow> = part.select(OutboxRow::as_select()).load(connection)?;
    let mut deliveries: Vec<Delivery> = decode_all(rows.into_iter().map(OutboxRow::shown).collect())?;
    let next = split_page(&mut deliveries, limit).map(|last| last.id);
    Ok(DeliveryPage { deliveries, total: u64::try_from(total).unwrap_or(0), next })
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
}

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = outbox, check_for_backend(Pg))]
struct OutboxRow {
    id: i64,
    channel: String,
    topic: String,
    order_id: Option<Uuid>,
    event_id: Option<Uuid>,
    endpoint_id: Option<Uuid>,
    email: Option<String>,
    created_at: SqlTimestamp,
    due_at: SqlTimestamp,
    attempts: i32,
    state: String,
    status_code: Option<i32>,
    last_error: Option<String>,
    sent_at: Option<SqlTimestamp>,
}

impl OutboxRow {
    /// For the admin's list, which has to show a row that cannot be delivered: without an address that does not parse.
    fn shown(mut self) -> Self {
        self.email = self.email.filter(|email| email.parse::<Email>().is_ok());
        self
    }
}

impl TryFrom<OutboxRow> for Delivery {
    type Error = Error;

    fn try_from(row: OutboxRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "delivery", id: row.id };
        Ok(Self {
            id: DeliveryId::new(row.id),
            channel: decoder.parse("channel", &row.channel)?,
            topic: decoder.parse("topic", &row.topic)?,
            to: decoder.maybe("email", row.email.as_deref())?,
            order: row.order_id.map(OrderId::new),
            event: row.event_id.map(EventId::new),
            endpoint: row.endpoint_id.map(WebhookSubscriptionId::new),
            status: row.status_code.and_then(|status| u16::try_from(status).ok()),
            attempts: u32::try_from(row.attempts).map_err(|why| decoder.refuse("attempts", &why))?,
            state: decoder.parse("state", &row.state)?,
            last_error: row.last_error,
            created_at: row.created_at.to_jiff(),
            due_at: row.due_at.to_jiff(),
            sent_at: row.sent_at.map(SqlTimestamp::to_jiff),
        })
    }
}
