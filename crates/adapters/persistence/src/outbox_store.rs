//! What the shop still has to tell the world.

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Array, BigInt, Text, Timestamptz};
use domain::delivery::{Channel, DeliveryId, DeliveryState, Topic};
use domain::{Email, EndpointId, EventId, OrderId, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Backlog, Delivery, DeliveryPage, DeliveryQuery, Outbox, PutBack, StoreError, Take};
use uuid::Uuid;

use crate::Database;
use crate::rows::{Reading, all, cut};
use crate::schema::outbox;

/// The most that is kept of why an attempt failed, in characters.
const WHY_MAX: usize = 500;

#[async_trait]
impl Outbox for Database {
    async fn ask(&self, topic: Topic, to: &Email, at: Timestamp) -> Result<(), StoreError> {
        let to = to.clone();
        self.run(move |connection| ask(connection, topic, &to, at)).await
    }

    async fn take(&self, take: &Take) -> Result<Vec<Delivery>, StoreError> {
        let take = take.clone();
        self.run(move |connection| {
            let topics: Vec<&str> = take.topics.iter().map(|topic| topic.as_str()).collect();
            let rows: Vec<OutboxRow> = diesel::sql_query(
                // MATERIALIZED, so that the rows are picked once, whatever plan the update gets.
                "WITH due AS MATERIALIZED (
                    SELECT id AS due_id FROM outbox
                    WHERE state = 'waiting' AND channel = $1 AND due_at <= $2 AND topic = ANY ($3)
                    ORDER BY due_at, id
                    LIMIT $4
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE outbox SET due_at = $5, attempts = attempts + 1 FROM due WHERE id = due_id
                RETURNING id, channel, topic, order_id, event_id, endpoint_id, email, created_at, due_at, attempts, state,
                    status_code, last_error, sent_at",
            )
            .bind::<Text, _>(take.channel.as_str())
            .bind::<Timestamptz, SqlTimestamp>(take.now.to_diesel())
            .bind::<Array<Text>, _>(topics)
            .bind::<BigInt, _>(i64::from(take.limit))
            .bind::<Timestamptz, SqlTimestamp>(take.until.to_diesel())
            .load(connection)?;
            all(rows)
        })
        .await
    }

    async fn sent(&self, id: DeliveryId, at: Timestamp) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.ne(DeliveryState::Sent.as_str()))
                .set((outbox::state.eq(DeliveryState::Sent.as_str()), outbox::sent_at.eq(at.to_diesel())))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn put_off(&self, id: DeliveryId, attempt: u32, until: Timestamp, why: &str) -> Result<(), StoreError> {
        let why = shortened(why);
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.eq(DeliveryState::Waiting.as_str()))
                .filter(outbox::attempts.eq(column(attempt)))
                .set((outbox::due_at.eq(until.to_diesel()), outbox::last_error.eq(why)))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn bury(&self, id: DeliveryId, attempt: u32, why: &str) -> Result<(), StoreError> {
        let why = shortened(why);
        self.run(move |connection| {
            diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.eq(DeliveryState::Waiting.as_str()))
                .filter(outbox::attempts.eq(column(attempt)))
                .set((outbox::state.eq(DeliveryState::Dead.as_str()), outbox::last_error.eq(why)))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn take_back(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.run(move |connection| diesel::delete(outbox::table.find(id.get())).execute(connection).map(drop)).await
    }

    async fn put_back(&self, id: DeliveryId, now: Timestamp) -> Result<PutBack, StoreError> {
        self.run(move |connection| {
            let put_back = diesel::update(outbox::table.find(id.get()))
                .filter(outbox::state.eq(DeliveryState::Dead.as_str()))
                .set((
                    outbox::state.eq(DeliveryState::Waiting.as_str()),
                    outbox::due_at.eq(now.to_diesel()),
                    outbox::attempts.eq(0),
                ))
                .execute(connection)?;
            if put_back > 0 {
                return Ok(PutBack::Waiting);
            }
            let is_there: bool =
                diesel::select(diesel::dsl::exists(outbox::table.find(id.get()))).get_result(connection)?;
            Ok(if is_there { PutBack::NotDead } else { PutBack::Absent })
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
            // The states are written out, so that the indexes of exactly these rows are recognised.
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
            // The states are written out, so that the indexes of exactly these rows are recognised.
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

/// Puts down that a letter about an address's account is to be written.
pub(crate) fn ask(connection: &mut PgConnection, topic: Topic, to: &Email, at: Timestamp) -> QueryResult<()> {
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

/// A part of a list of deliveries, the latest first: at most `limit` of them, only what comes after `after`. `listed` makes the
/// whole list.
pub(crate) fn page<'a>(
    connection: &mut PgConnection,
    listed: impl Fn() -> outbox::BoxedQuery<'a, Pg>,
    limit: Option<u32>,
    after: Option<DeliveryId>,
) -> QueryResult<DeliveryPage> {
    let total: i64 = listed().count().get_result(connection)?;
    let mut part = listed().order(outbox::id.desc());
    if let Some(after) = after {
        part = part.filter(outbox::id.lt(after.get()));
    }
    if let Some(limit) = limit {
        // One more than asked for tells whether others come after it.
        part = part.limit(i64::from(limit) + 1);
    }
    let mut deliveries: Vec<Delivery> = all(part.select(OutboxRow::as_select()).load(connection)?)?;
    let next = cut(&mut deliveries, limit).map(|last| last.id);
    Ok(DeliveryPage { deliveries, total: u64::try_from(total).unwrap_or(0), next })
}

fn column(attempt: u32) -> i32 {
    i32::try_from(attempt).unwrap_or(i32::MAX)
}

/// What the column holds of a reason: never nothing, never a NUL.
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

impl TryFrom<OutboxRow> for Delivery {
    type Error = Error;

    fn try_from(row: OutboxRow) -> QueryResult<Self> {
        let reading = Reading { what: "delivery", id: row.id };
        Ok(Self {
            id: DeliveryId::new(row.id),
            channel: reading.parse("channel", &row.channel)?,
            topic: reading.parse("topic", &row.topic)?,
            to: reading.maybe("email", row.email.as_deref())?,
            order: row.order_id.map(OrderId::new),
            event: row.event_id.map(EventId::new),
            endpoint: row.endpoint_id.map(EndpointId::new),
            status: row.status_code.and_then(|status| u16::try_from(status).ok()),
            attempts: u32::try_from(row.attempts).map_err(|why| reading.refuse("attempts", &why))?,
            state: reading.parse("state", &row.state)?,
            last_error: row.last_error,
            created_at: row.created_at.to_jiff(),
            due_at: row.due_at.to_jiff(),
            sent_at: row.sent_at.map(SqlTimestamp::to_jiff),
        })
    }
}
