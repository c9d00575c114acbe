//! Refunds, disputes, and what needs an admin's attention.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Double, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::orders::order::Change;
use domain::{Actor, Dispute, DisputeState, Money, OrderId, Refund, RefundCause, RefundId, RefundState, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    Acknowledged, Applied, AttentionItem, IdempotencyKey, MoneyTally, NewRefund, PaymentAttempt, REFUND_LEASE,
    REFUND_OVERDUE, REFUND_WAIT, REFUND_WAIT_MOST, REFUND_WATCH, RefundBegun, RefundRepository, StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::rows::actor_columns;
use crate::orders::changing::try_to_change;
use crate::payments::rows::PaymentAttemptRow;
use crate::platform::decode::{RowDecoder, decode_all, readable};
use crate::platform::idempotency::{columns, same_request};
use crate::schema::{disputes, orders, refunds};

#[async_trait]
impl RefundRepository for Database {
    async fn begin(&self, new: &NewRefund) -> Result<RefundBegun, StoreError> {
        let new = new.clone();
        self.run(move |connection| {
            match connection.transaction(|connection| begin(connection, &new)) {
                // The order changed since the refund was decided: the transaction wrote nothing.
                Err(Error::RollbackTransaction) => Ok(RefundBegun::Conflict),
                other => other,
            }
        })
        .await
    }

    async fn apply(
        &self,
        before: &Refund,
        after: &Refund,
        change: Option<Change>,
        wait: Duration,
    ) -> Result<Applied, StoreError> {
        let (before, after) = (before.clone(), after.clone());
        self.run(move |connection| {
            let applied = connection.transaction(|connection| {
                lock(connection, after.order)?;
                let written = write(connection, &before, &after, wait)?;
                let moved = written && change.as_ref().map_or(Ok(true), |change| try_to_change(connection, change))?;
                if moved { Ok(Applied::Written) } else { Err(Error::RollbackTransaction) }
            });
            match applied {
                Err(Error::RollbackTransaction) => Ok(Applied::Conflict),
                other => other,
            }
        })
        .await
    }

    async fn find(&self, id: RefundId) -> Result<Option<Refund>, StoreError> {
        self.read(move |connection| {
            refunds::table
                .find(id.uuid())
                .select(RefundRow::as_select())
                .first(connection)
                .optional()?
                .map(Refund::try_from)
                .transpose()
        })
        .await
    }

    async fn begun_under(&self, order: OrderId, idempotency_key: IdempotencyKey) -> Result<Option<Refund>, StoreError> {
        self.read(move |connection| begun_under(connection, order, idempotency_key)).await
    }

    async fn of_order(&self, order: OrderId) -> Result<Vec<Refund>, StoreError> {
        self.read(move |connection| {
            decode_all(
                refunds::table
                    .filter(refunds::order_id.eq(order.uuid()))
                    .order((refunds::created_at, refunds::id))
                    .select(RefundRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn lease_due(&self, limit: u32) -> Result<Vec<Refund>, StoreError> {
        self.run(move |connection| {
            let rows = diesel::sql_query(TAKE_DUE)
                .bind::<BigInt, _>(i64::from(limit))
                .bind::<Double, _>(REFUND_WAIT.as_secs_f64())
                .bind::<Double, _>(REFUND_WAIT_MOST.as_secs_f64())
                .bind::<Double, _>(REFUND_WATCH.as_secs_f64())
                .load::<RefundRow>(connection)?;
            Ok(readable("refund", rows))
        })
        .await
    }

    async fn note_dispute(
        &self,
        payment: &PaymentAttempt,
        before: Option<DisputeState>,
        dispute: &Dispute,
        change: Option<Change>,
        at: Timestamp,
    ) -> Result<Applied, StoreError> {
        let (payment, dispute) = (payment.clone(), dispute.clone());
        self.run(move |connection| {
            let applied = connection.transaction(|connection| {
                lock(connection, payment.order)?;
                let known: Option<String> =
                    disputes::table.find(dispute.id.as_str()).select(disputes::state).first(connection).optional()?;
                if known.as_deref() != before.map(DisputeState::as_str) {
                    return Err(Error::RollbackTransaction);
                }
                note_dispute(connection, &payment, &dispute, at)?;
                let moved = change.as_ref().map_or(Ok(true), |change| try_to_change(connection, change))?;
                if moved { Ok(Applied::Written) } else { Err(Error::RollbackTransaction) }
            });
            match applied {
                Err(Error::RollbackTransaction) => Ok(Applied::Conflict),
                other => other,
            }
        })
        .await
    }

    async fn disputes_of(&self, payment: &PaymentAttempt) -> Result<Vec<Dispute>, StoreError> {
        let payment = payment.clone();
        self.read(move |connection| {
            decode_all(
                disputes::table
                    .filter(disputes::order_id.eq(payment.order.uuid()))
                    .filter(disputes::payment_id.eq(payment.id.as_str()))
                    .order((disputes::opened_at, disputes::id))
                    .select(DisputeRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn acknowledge(&self, what: &Acknowledged, by: &Actor, at: Timestamp) -> Result<bool, StoreError> {
        let (what, (who, _)) = (what.clone(), actor_columns(by));
        self.run(move |connection| {
            let done = match what {
                Acknowledged::Refund(id) => diesel::update(refunds::table.find(id.uuid()))
                    .filter(refunds::cause.eq(RefundCause::Elsewhere.as_str()))
                    .filter(refunds::acknowledged_at.is_null())
                    .set((refunds::acknowledged_at.eq(at.to_diesel()), refunds::acknowledged_by.eq(who)))
                    .execute(connection)?,
                Acknowledged::Dispute(id) => diesel::update(disputes::table.find(id.as_str()))
                    .filter(disputes::state.eq(DisputeState::Lost.as_str()))
                    .filter(disputes::acknowledged_at.is_null())
                    .set((disputes::acknowledged_at.eq(at.to_diesel()), disputes::acknowledged_by.eq(who)))
                    .execute(connection)?,
            };
            Ok(done > 0)
        })
        .await
    }

    async fn attention(&self, limit: u32) -> Result<Vec<(AttentionItem, Timestamp)>, StoreError> {
        self.read_many(move |connection| attention(connection, limit)).await
    }

    async fn tally(&self) -> Result<MoneyTally, StoreError> {
        self.read_many(|connection| {
            let row: TallyRow =
                diesel::sql_query(TALLY).bind::<Double, _>(REFUND_OVERDUE.as_secs_f64()).get_result(connection)?;
            let many = |count: i64| u64::try_from(count).unwrap_or(0);
            Ok(MoneyTally {
                owing: many(row.owing),
                overdue: many(row.overdue),
                failed: many(row.failed),
                elsewhere: many(row.elsewhere),
                disputed: many(row.disputed),
                mismatched: many(row.mismatched),
                unknown: many(row.unknown),
            })
        })
        .await
    }
}

/// A refund that is due is rescheduled with a delay that doubles; one that the provider has accepted is checked ever
/// more rarely, until it can no longer fail; a finished one is checked a few more times, because its order may not have
/// been updated yet.
const TAKE_DUE: &str = "
    WITH due AS MATERIALIZED (
        SELECT id AS due_id FROM refunds WHERE next_try_at <= (SELECT clock_timestamp())
        ORDER BY next_try_at, id
        LIMIT $1
        FOR UPDATE SKIP LOCKED
    )
    UPDATE refunds SET tries = least(tries + 1, 1000), next_try_at = CASE
        WHEN state = 'due' THEN clock_timestamp()
            + least(make_interval(secs => $2 * 2 ^ least(tries, 20)), make_interval(secs => $3))
        WHEN state IN ('pending', 'succeeded') THEN CASE
            WHEN changed_at > clock_timestamp() - make_interval(secs => $4) THEN clock_timestamp()
                + least(greatest((clock_timestamp() - changed_at) / 4, interval '1 min'), interval '22 hours')
            END
        WHEN tries < 3 THEN clock_timestamp() + interval '1 min'
        END
    FROM due WHERE id = due_id
    RETURNING refunds.id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, tries, failure,
        note, actor_id, actor_email, created_at, changed_at";

/// A refund that was made outside the shop no longer counts once its order was cancelled and refunded here as well.
const TALLY: &str = "
    SELECT (SELECT count(*) FROM refunds WHERE state = 'due') AS owing,
        (SELECT count(*) FROM refunds
            WHERE state = 'due' AND created_at < clock_timestamp() - make_interval(secs => $1)) AS overdue,
        (SELECT count(*) FROM refunds WHERE state = 'failed' AND cause <> 'elsewhere') AS failed,
        (SELECT count(*) FROM refunds JOIN orders ON orders.id = order_id
            WHERE cause = 'elsewhere' AND state <> 'failed' AND acknowledged_at IS NULL
                AND payment_state = 'paid' AND cancelled_at IS NULL) AS elsewhere,
        (SELECT count(*) FROM disputes WHERE state <> 'won' AND acknowledged_at IS NULL) AS disputed,
        (SELECT count(*) FROM payment_intents WHERE closed_at IS NULL AND mismatched_at IS NOT NULL) AS mismatched,
        (SELECT count(*) FROM payment_intents WHERE closed_at IS NULL AND unknown_since IS NOT NULL) AS unknown";

#[derive(QueryableByName)]
struct TallyRow {
    #[diesel(sql_type = BigInt)]
    owing: i64,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
    #[diesel(sql_type = BigInt)]
    elsewhere: i64,
    #[diesel(sql_type = BigInt)]
    disputed: i64,
    #[diesel(sql_type = BigInt)]
    mismatched: i64,
    #[diesel(sql_type = BigInt)]
    unknown: i64,
}

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = refunds, check_for_backend(diesel::pg::Pg))]
struct RefundRow {
    id: Uuid,
    order_id: Uuid,
    payment_id: String,
    provider_refund_id: Option<String>,
    amount_cents: i64,
    cause: String,
    state: String,
    attempt: i32,
    tries: i32,
    failure: Option<String>,
    note: Option<String>,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    created_at: SqlTimestamp,
    changed_at: SqlTimestamp,
}

impl TryFrom<RefundRow> for Refund {
    type Error = Error;

    fn try_from(row: RefundRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "refund", id: row.id };
        let cause = RefundCause::ALL.into_iter().find(|cause| cause.as_str() == row.cause);
        let state = RefundState::ALL.into_iter().find(|state| state.as_str() == row.state);
        let count = |column, many: i32| u32::try_from(many).map_err(|why| decoder.refuse(column, &why));
        Ok(Self {
            id: RefundId::new(row.id),
            order: OrderId::new(row.order_id),
            payment: decoder.parse("payment_id", &row.payment_id)?,
            amount: decoder.money("amount_cents", row.amount_cents)?,
            cause: cause.ok_or_else(|| decoder.refuse("cause", &row.cause))?,
            state: state.ok_or_else(|| decoder.refuse("state", &row.state))?,
            provider_id: decoder.maybe("provider_refund_id", row.provider_refund_id.as_deref())?,
            attempt: count("attempt", row.attempt)?,
            tries: count("tries", row.tries)?,
            failure: decoder.maybe_text("failure", row.failure.as_deref())?,
            note: decoder.maybe_text("note", row.note.as_deref())?,
            by: decoder.actor(row.actor_id, row.actor_email.as_deref())?,
            created_at: row.created_at.to_jiff(),
            changed_at: row.changed_at.to_jiff(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = disputes, check_for_backend(diesel::pg::Pg))]
struct DisputeRow {
    id: String,
    order_id: Uuid,
    payment_id: String,
    amount_cents: i64,
    state: String,
    reason: Option<String>,
    opened_at: SqlTimestamp,
}

impl DisputeRow {
    fn decoder(&self) -> RowDecoder {
        RowDecoder { what: "dispute of order", id: self.order_id }
    }
}

impl TryFrom<DisputeRow> for Dispute {
    type Error = Error;

    fn try_from(row: DisputeRow) -> QueryResult<Self> {
        let decoder = row.decoder();
        let state = DisputeState::ALL.into_iter().find(|state| state.as_str() == row.state);
        Ok(Self {
            id: decoder.parse("id", &row.id)?,
            amount: decoder.money("amount_cents", row.amount_cents)?,
            state: state.ok_or_else(|| decoder.refuse("state", &row.state))?,
            reason: decoder.maybe_text("reason", row.reason.as_deref())?,
        })
    }
}

/// Locks the order's row. Every write about an order's money takes this lock: the amount left to refund and the
/// timeline's sequence numbers are computed by one transaction at a time.
fn lock(connection: &mut PgConnection, order: OrderId) -> QueryResult<()> {
    orders::table.find(order.uuid()).select(orders::id).for_update().first::<Uuid>(connection).map(drop)
}

fn begun_under(
    connection: &mut PgConnection,
    order: OrderId,
    idempotency_key: IdempotencyKey,
) -> QueryResult<Option<Refund>> {
    let known: Option<(RefundRow, Option<Vec<u8>>)> = refunds::table
        .filter(refunds::order_id.eq(order.uuid()))
        .filter(refunds::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((RefundRow::as_select(), refunds::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((known, fingerprint)) = known else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Refund::try_from(known).map(Some)
}

#[derive(QueryableByName)]
struct Refunded {
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

fn begin(connection: &mut PgConnection, new: &NewRefund) -> QueryResult<RefundBegun> {
    let refund = &new.refund;
    lock(connection, refund.order)?;
    if let Some(key) = new.idempotency_key
        && let Some(known) = begun_under(connection, refund.order, key)?
    {
        return Ok(RefundBegun::Known(Box::new(known)));
    }
    if let Some(known) = the_same(connection, refund)? {
        return Ok(RefundBegun::Known(Box::new(known)));
    }
    if refund.cause != RefundCause::Elsewhere {
        let taken: Refunded = diesel::sql_query(
            "SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM refunds
            WHERE order_id = $1 AND payment_id = $2 AND NOT (cause = 'elsewhere' AND state = 'failed')",
        )
        .bind::<SqlUuid, _>(refund.order.uuid())
        .bind::<SqlText, _>(refund.payment.as_str())
        .get_result(connection)?;
        let left = Money::from_cents(new.brought.cents() - taken.cents).unwrap_or(Money::ZERO);
        if refund.amount > left {
            return Ok(RefundBegun::TooMuch { left });
        }
    }
    let (actor_id, actor_email) = actor_columns(&refund.by);
    let (once_key, once_fingerprint) = columns(new.idempotency_key);
    diesel::insert_into(refunds::table)
        .values((
            refunds::id.eq(refund.id.uuid()),
            refunds::order_id.eq(refund.order.uuid()),
            refunds::payment_id.eq(refund.payment.as_str()),
            refunds::provider_refund_id.eq(refund.provider_id.as_ref().map(|id| id.as_str().to_owned())),
            refunds::amount_cents.eq(refund.amount.cents()),
            refunds::cause.eq(refund.cause.as_str()),
            refunds::state.eq(refund.state.as_str()),
            refunds::attempt.eq(count(refund.attempt)?),
            refunds::note.eq(refund.note.as_ref().map(|note| note.as_str().to_owned())),
            (
                refunds::actor_id.eq(actor_id),
                refunds::actor_email.eq(actor_email),
                refunds::once_key.eq(once_key),
                refunds::once_fingerprint.eq(once_fingerprint),
                refunds::created_at.eq(refund.created_at.to_diesel()),
                refunds::changed_at.eq(refund.changed_at.to_diesel()),
            ),
        ))
        .execute(connection)?;
    due_in(connection, refund.id, REFUND_LEASE)?;
    match &new.change {
        Some(change) if !try_to_change(connection, change)? => Err(Error::RollbackTransaction),
        _ => Ok(RefundBegun::Written),
    }
}

/// A recorded refund that this one would duplicate.
fn the_same(connection: &mut PgConnection, refund: &Refund) -> QueryResult<Option<Refund>> {
    let mut same = refunds::table.select(RefundRow::as_select()).into_boxed();
    if refund.cause.is_whole() {
        same = same
            .filter(refunds::payment_id.eq(refund.payment.as_str().to_owned()))
            .filter(refunds::cause.eq_any(["late", "overpaid", "mismatch"]));
    } else if let Some(id) = &refund.provider_id {
        same = same.filter(refunds::provider_refund_id.eq(id.as_str().to_owned()));
    } else {
        return Ok(None);
    }
    same.first(connection).optional()?.map(Refund::try_from).transpose()
}

fn due_in(connection: &mut PgConnection, id: RefundId, wait: Duration) -> QueryResult<()> {
    diesel::sql_query("UPDATE refunds SET next_try_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1")
        .bind::<SqlUuid, _>(id.uuid())
        .bind::<Double, _>(wait.as_secs_f64())
        .execute(connection)
        .map(drop)
}

fn count(many: u32) -> QueryResult<i32> {
    i32::try_from(many).map_err(|error| Error::SerializationError(Box::new(error)))
}

/// Updates a refund if it is still as it was in `before`; `false` if it is not.
fn write(connection: &mut PgConnection, before: &Refund, after: &Refund, wait: Duration) -> QueryResult<bool> {
    let (actor_id, actor_email) = actor_columns(&after.by);
    let was = before.provider_id.as_ref().map(|id| id.as_str().to_owned());
    let written = diesel::update(refunds::table.find(after.id.uuid()))
        .filter(refunds::state.eq(before.state.as_str()))
        .filter(refunds::attempt.eq(count(before.attempt)?))
        .filter(refunds::amount_cents.eq(before.amount.cents()))
        .filter(refunds::provider_refund_id.is_not_distinct_from(was))
        .set((
            refunds::provider_refund_id.eq(after.provider_id.as_ref().map(|id| id.as_str().to_owned())),
            refunds::amount_cents.eq(after.amount.cents()),
            refunds::state.eq(after.state.as_str()),
            refunds::attempt.eq(count(after.attempt)?),
            refunds::tries.eq(count(after.tries)?),
            refunds::failure.eq(after.failure.as_ref().map(|why| why.as_str().to_owned())),
            refunds::note.eq(after.note.as_ref().map(|note| note.as_str().to_owned())),
            refunds::actor_id.eq(actor_id),
            refunds::actor_email.eq(actor_email),
            refunds::changed_at.eq(after.changed_at.to_diesel()),
        ))
        .execute(connection)?;
    due_in(connection, after.id, wait)?;
    Ok(written > 0)
}

fn note_dispute(
    connection: &mut PgConnection,
    payment: &PaymentAttempt,
    dispute: &Dispute,
    at: Timestamp,
) -> QueryResult<()> {
    let reason = dispute.reason.as_ref().map(|reason| reason.as_str().to_owned());
    diesel::insert_into(disputes::table)
        .values((
            disputes::id.eq(dispute.id.as_str()),
            disputes::order_id.eq(payment.order.uuid()),
            disputes::payment_id.eq(payment.id.as_str()),
            disputes::amount_cents.eq(dispute.amount.cents()),
            disputes::state.eq(dispute.state.as_str()),
            disputes::reason.eq(reason.clone()),
            disputes::opened_at.eq(at.to_diesel()),
            disputes::changed_at.eq(at.to_diesel()),
        ))
        .on_conflict(disputes::id)
        .do_update()
        .set((
            disputes::amount_cents.eq(dispute.amount.cents()),
            disputes::state.eq(dispute.state.as_str()),
            disputes::reason.eq(reason),
            disputes::changed_at.eq(at.to_diesel()),
        ))
        .execute(connection)
        .map(drop)
}

#[derive(QueryableByName)]
struct Mismatched {
    #[diesel(embed)]
    payment: PaymentAttemptRow,
    #[diesel(sql_type = Timestamptz)]
    mismatched_at: SqlTimestamp,
}

fn attention(connection: &mut PgConnection, limit: u32) -> QueryResult<Vec<(AttentionItem, Timestamp)>> {
    let mut found = Vec::new();
    let mismatched: Vec<Mismatched> = diesel::sql_query(
        "SELECT id, order_id, amount_cents, mismatched_at FROM payment_intents
        WHERE closed_at IS NULL AND mismatched_at IS NOT NULL ORDER BY mismatched_at, id LIMIT $1",
    )
    .bind::<BigInt, _>(i64::from(limit))
    .load(connection)?;
    for row in mismatched {
        found.push((AttentionItem::Mismatched(PaymentAttempt::try_from(row.payment)?), row.mismatched_at.to_jiff()));
    }
    let odd: Vec<RefundRow> = diesel::sql_query(
        "SELECT refunds.id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, tries, failure,
            note, actor_id, actor_email, created_at, changed_at
        FROM refunds JOIN orders ON orders.id = order_id
        WHERE (state = 'failed' AND cause <> 'elsewhere')
            OR (state = 'due' AND created_at < clock_timestamp() - make_interval(secs => $2))
            OR (cause = 'elsewhere' AND state <> 'failed' AND acknowledged_at IS NULL AND payment_state = 'paid'
                AND cancelled_at IS NULL)
        ORDER BY changed_at, refunds.id LIMIT $1",
    )
    .bind::<BigInt, _>(i64::from(limit))
    .bind::<Double, _>(REFUND_OVERDUE.as_secs_f64())
    .load(connection)?;
    for row in odd {
        let refund = Refund::try_from(row)?;
        let since = refund.changed_at;
        found.push((AttentionItem::Refund(refund), since));
    }
    let open: Vec<DisputeRow> = disputes::table
        .filter(disputes::state.ne(DisputeState::Won.as_str()))
        .filter(disputes::acknowledged_at.is_null())
        .order((disputes::opened_at, disputes::id))
        .limit(i64::from(limit))
        .select(DisputeRow::as_select())
        .load(connection)?;
    for row in open {
        let (order, since) = (OrderId::new(row.order_id), row.opened_at.to_jiff());
        let payment = row.decoder().parse("payment_id", &row.payment_id)?;
        found.push((AttentionItem::Disputed { dispute: Dispute::try_from(row)?, payment, order }, since));
    }
    found.sort_by_key(|(_, since)| *since);
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}
