//! Refunds, disputes, and what needs an admin's attention.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{BigInt, Double, Text as SqlText, Uuid as SqlUuid};
use domain::orders::order::Change;
use domain::{Actor, Dispute, DisputeState, Money, OrderId, Refund, RefundCause, RefundId, Timestamp, TransactionId};
use jiff_diesel::ToDiesel;
use ports::{
    Acknowledged, Applied, AttentionItem, IdempotencyKey, MoneyTally, NewRefund, PaymentRef, REFUND_LEASE, REFUND_WAIT,
    REFUND_WAIT_MOST, REFUND_WATCH, RefundBegun, RefundRepository, StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::rows::actor_columns;
use crate::orders::changing::try_to_change;
use crate::payments::attention;
use crate::payments::rows::{DisputeRow, RefundRow};
use crate::platform::decode::{decode_all, readable};
use crate::platform::idempotency::{columns, same_request};
use crate::platform::sql_file::sql_file;
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

    async fn of_payment(&self, payment: &TransactionId) -> Result<Vec<Refund>, StoreError> {
        let payment = payment.as_str().to_owned();
        self.read(move |connection| {
            decode_all(
                refunds::table
                    .filter(refunds::payment_id.eq(payment))
                    .order((refunds::created_at, refunds::id))
                    .select(RefundRow::as_select())
                    .load(connection)?,
            )
        })
        .await
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
            let rows: Vec<RefundRow> = sql_file!("lease_due_refunds.sql", {
                wait_seconds: Double = REFUND_WAIT.as_secs_f64(),
                max_wait_seconds: Double = REFUND_WAIT_MOST.as_secs_f64(),
                watch_seconds: Double = REFUND_WATCH.as_secs_f64(),
                limit: BigInt = i64::from(limit),
            })
            .load(connection)?;
            Ok(readable("refund", rows))
        })
        .await
    }

    async fn note_dispute(
        &self,
        payment: &PaymentRef,
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

    async fn disputes_of(&self, payment: &TransactionId) -> Result<Vec<Dispute>, StoreError> {
        let payment = payment.as_str().to_owned();
        self.read(move |connection| {
            decode_all(
                disputes::table
                    .filter(disputes::payment_id.eq(payment))
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
        self.read_many(move |connection| attention::list(connection, limit)).await
    }

    async fn tally(&self) -> Result<MoneyTally, StoreError> {
        self.read_many(attention::tally).await
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

/// Records a refund; returns an error to roll back with if its order has changed.
pub(crate) fn begin(connection: &mut PgConnection, new: &NewRefund) -> QueryResult<RefundBegun> {
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
            .filter(refunds::order_id.eq(refund.order.uuid()))
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
    payment: &PaymentRef,
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
