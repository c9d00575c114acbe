//! Which payment was opened for which order.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use domain::{OrderId, Timestamp, TransactionId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Attached, IntentStore, OpenIntent, StoreError};

use crate::Database;
use crate::rows::{IntentRow, Reading, all};
use crate::schema::{orders, payment_intents};

#[async_trait]
impl IntentStore for Database {
    async fn attach(&self, intent: &OpenIntent, at: Timestamp) -> Result<Attached, StoreError> {
        let intent = intent.clone();
        self.run(move |connection| connection.transaction(|connection| attach(connection, &intent, at))).await
    }

    async fn open_for(&self, order: OrderId) -> Result<Option<OpenIntent>, StoreError> {
        self.read(move |connection| {
            payment_intents::table
                .filter(payment_intents::order_id.eq(order.uuid()))
                .filter(payment_intents::closed_at.is_null())
                .select(IntentRow::as_select())
                .first(connection)
                .optional()?
                .map(OpenIntent::try_from)
                .transpose()
        })
        .await
    }

    async fn attempts(&self, order: OrderId) -> Result<u32, StoreError> {
        self.read(move |connection| {
            let closed: i64 = payment_intents::table
                .filter(payment_intents::order_id.eq(order.uuid()))
                .filter(payment_intents::closed_at.is_not_null())
                .count()
                .get_result(connection)?;
            Ok(u32::try_from(closed).unwrap_or(u32::MAX))
        })
        .await
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<OpenIntent>, StoreError> {
        let id = id.as_str().to_owned();
        self.read(move |connection| {
            payment_intents::table
                .find(id)
                .select(IntentRow::as_select())
                .first(connection)
                .optional()?
                .map(OpenIntent::try_from)
                .transpose()
        })
        .await
    }

    async fn close(&self, id: &TransactionId, at: Timestamp) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::update(payment_intents::table.find(id))
                .filter(payment_intents::closed_at.is_null())
                .set(payment_intents::closed_at.eq(at.to_diesel()))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn take_due(&self, not_since: Timestamp, now: Timestamp, limit: u32) -> Result<Vec<OpenIntent>, StoreError> {
        self.run(move |connection| {
            all(diesel::sql_query(
                // MATERIALIZED, so that the rows are picked once, whatever plan the update gets.
                "WITH due AS MATERIALIZED (
                    SELECT id FROM payment_intents
                    WHERE closed_at IS NULL AND (looked_at IS NULL OR looked_at < $1)
                    ORDER BY looked_at NULLS FIRST, id
                    LIMIT $2
                    FOR UPDATE SKIP LOCKED
                )
                UPDATE payment_intents SET looked_at = $3 FROM due WHERE payment_intents.id = due.id
                RETURNING payment_intents.id, order_id, amount_cents",
            )
            .bind::<Timestamptz, SqlTimestamp>(not_since.to_diesel())
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Timestamptz, SqlTimestamp>(now.to_diesel())
            .load::<IntentRow>(connection)?)
        })
        .await
    }

    async fn take_settled(
        &self,
        not_since: Timestamp,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenIntent>, StoreError> {
        self.run(move |connection| {
            all(diesel::sql_query(
                "WITH due AS MATERIALIZED (
                    SELECT payment_intents.id FROM payment_intents
                    JOIN orders ON orders.transaction_id = payment_intents.id
                    WHERE closed_at IS NOT NULL AND (looked_at IS NULL OR looked_at < $1)
                        AND payment_state = 'paid' AND cancelled_at IS NULL
                    ORDER BY looked_at NULLS FIRST, payment_intents.id
                    LIMIT $2
                    FOR UPDATE OF payment_intents SKIP LOCKED
                )
                UPDATE payment_intents SET looked_at = $3 FROM due WHERE payment_intents.id = due.id
                RETURNING payment_intents.id, order_id, amount_cents",
            )
            .bind::<Timestamptz, SqlTimestamp>(not_since.to_diesel())
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Timestamptz, SqlTimestamp>(now.to_diesel())
            .load::<IntentRow>(connection)?)
        })
        .await
    }

    async fn note_agreement(&self, id: &TransactionId, agree: bool) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::update(payment_intents::table.find(id))
                .filter(payment_intents::drifted.eq(agree))
                .set(payment_intents::drifted.eq(!agree))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn disagreements(&self) -> Result<u64, StoreError> {
        self.read_many(|connection| {
            let drifted: i64 = payment_intents::table
                .inner_join(orders::table)
                .filter(payment_intents::drifted)
                .filter(orders::transaction_id.eq(payment_intents::id.nullable()))
                .filter(orders::payment_state.eq("paid"))
                .filter(orders::cancelled_at.is_null())
                .count()
                .get_result(connection)?;
            Ok(u64::try_from(drifted).unwrap_or(0))
        })
        .await
    }
}

fn attach(connection: &mut PgConnection, intent: &OpenIntent, at: Timestamp) -> QueryResult<Attached> {
    // The lock keeps the order from being paid or cancelled until the payment is on record.
    let payable: Option<bool> = orders::table
        .find(intent.order.uuid())
        .select(orders::payment_state.eq("unpaid").and(orders::cancelled_at.is_null()))
        .for_share()
        .first(connection)
        .optional()?;
    if payable != Some(true) {
        return Ok(Attached::Refused);
    }
    diesel::insert_into(payment_intents::table)
        .values((
            payment_intents::id.eq(intent.id.as_str()),
            payment_intents::order_id.eq(intent.order.uuid()),
            payment_intents::amount_cents.eq(intent.amount.cents()),
            payment_intents::opened_at.eq(at.to_diesel()),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    let open: Option<String> = payment_intents::table
        .filter(payment_intents::order_id.eq(intent.order.uuid()))
        .filter(payment_intents::closed_at.is_null())
        .select(payment_intents::id)
        .first(connection)
        .optional()?;
    let reading = Reading { what: "payment intent of order", id: intent.order.uuid() };
    Ok(match open {
        Some(id) if id == intent.id.as_str() => Attached::Open,
        Some(id) => Attached::Another(reading.parse("id", &id)?),
        // It is on record as closed, or as another order's: it can never be this order's open one.
        None => Attached::Refused,
    })
}
