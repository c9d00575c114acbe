//! Payment attempts of orders.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Double, Text, Timestamptz};
use domain::{OrderId, Payable, Timestamp, TransactionId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Attached, CheckSooner, Ended, PaymentAttempt, PaymentAttempts, PaymentRef, StoreError, Waits};

use crate::Database;
use crate::payments::attaching::{attach, of};
use crate::payments::rows::{PaymentAttemptRow, SettledRow, readable_with_shares, with_shares};
use crate::platform::decode::readable;
use crate::platform::sql_file::sql_file;
use crate::schema::{payment_intents, payment_shares};

#[async_trait]
impl PaymentAttempts for Database {
    async fn attach(&self, intent: &PaymentAttempt, at: Timestamp) -> Result<Attached, StoreError> {
        let intent = intent.clone();
        self.run(move |connection| connection.transaction(|connection| attach(connection, &intent, at))).await
    }

    async fn open_for(&self, payable: Payable) -> Result<Option<PaymentAttempt>, StoreError> {
        self.read(move |connection| {
            let open: Option<PaymentAttemptRow> = of(payable)
                .filter(payment_intents::closed_at.is_null())
                .select(PaymentAttemptRow::as_select())
                .first(connection)
                .optional()?;
            open.map(|row| with_shares(connection, row)).transpose()
        })
        .await
    }

    async fn attempts(&self, payable: Payable) -> Result<u32, StoreError> {
        self.read(move |connection| {
            let closed: i64 =
                of(payable).filter(payment_intents::closed_at.is_not_null()).count().get_result(connection)?;
            Ok(u32::try_from(closed).unwrap_or(u32::MAX))
        })
        .await
    }

    async fn find(&self, id: &TransactionId) -> Result<Option<PaymentAttempt>, StoreError> {
        let id = id.as_str().to_owned();
        self.read(move |connection| {
            let found: Option<PaymentAttemptRow> =
                payment_intents::table.find(id).select(PaymentAttemptRow::as_select()).first(connection).optional()?;
            found.map(|row| with_shares(connection, row)).transpose()
        })
        .await
    }

    async fn undecided(&self, order: OrderId) -> Result<Vec<PaymentAttempt>, StoreError> {
        self.read(move |connection| {
            // One condition for both would read all payments.
            let mut ids: Vec<String> = payment_intents::table
                .filter(payment_intents::order_id.eq(order.uuid()))
                .select(payment_intents::id)
                .load(connection)?;
            let shared = payment_shares::table.filter(payment_shares::order_id.eq(order.uuid()));
            ids.extend(shared.select(payment_shares::intent_id).load::<String>(connection)?);
            let rows: Vec<PaymentAttemptRow> = payment_intents::table
                .filter(payment_intents::id.eq_any(ids))
                .filter(payment_intents::closed_at.is_null().or(payment_intents::ended.is_null()))
                .order((payment_intents::opened_at, payment_intents::id))
                .select(PaymentAttemptRow::as_select())
                .load(connection)?;
            rows.into_iter().map(|row| with_shares(connection, row)).collect()
        })
        .await
    }

    async fn close(&self, id: &TransactionId, ended: Ended, at: Timestamp) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::sql_query(
                "UPDATE payment_intents SET closed_at = coalesce(closed_at, $2), ended = $3
                WHERE id = $1 AND (closed_at IS NULL OR ended IS NULL)",
            )
            .bind::<Text, _>(id)
            .bind::<Timestamptz, SqlTimestamp>(at.to_diesel())
            .bind::<Text, _>(ended.as_str())
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn check_sooner(&self, id: &TransactionId, why: CheckSooner) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::sql_query(
                // A payment that is reported as confirmed is checked before all others.
                "UPDATE payment_intents SET asked_at = clock_timestamp(), next_look_at = CASE
                    WHEN $2 THEN '-infinity' ELSE least(next_look_at, clock_timestamp() + interval '5 s') END
                WHERE id = $1 AND closed_at IS NULL",
            )
            .bind::<Text, _>(id)
            .bind::<Bool, _>(why == CheckSooner::Confirmed)
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn lease_due(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentAttempt>, StoreError> {
        self.run(move |connection| {
            let rows: Vec<PaymentAttemptRow> = sql_file!("lease_due_payments.sql", {
                share: Double = f64::from(waits.share),
                min_seconds: Double = waits.least.as_secs_f64(),
                max_seconds: Double = waits.most.as_secs_f64(),
                limit: BigInt = i64::from(limit),
            })
            .load(connection)?;
            rows.into_iter().filter_map(|row| readable_with_shares(connection, row).transpose()).collect()
        })
        .await
    }

    async fn note_known(&self, id: &TransactionId, known: bool) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::sql_query(
                "UPDATE payment_intents SET unknown_since = CASE WHEN $2 THEN NULL ELSE clock_timestamp() END
                WHERE id = $1 AND (unknown_since IS NULL) <> $2",
            )
            .bind::<Text, _>(id)
            .bind::<Bool, _>(known)
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn note_mismatch(&self, id: &TransactionId) -> Result<(), StoreError> {
        let id = id.as_str().to_owned();
        self.run(move |connection| {
            diesel::sql_query(
                "UPDATE payment_intents SET mismatched_at = clock_timestamp() WHERE id = $1 AND mismatched_at IS NULL",
            )
            .bind::<Text, _>(id)
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn lease_settled(&self, waits: Waits, limit: u32) -> Result<Vec<PaymentRef>, StoreError> {
        self.run(move |connection| {
            let rows: Vec<SettledRow> = sql_file!("lease_paid_orders.sql", {
                share: Double = f64::from(waits.share),
                min_seconds: Double = waits.least.as_secs_f64(),
                max_seconds: Double = waits.most.as_secs_f64(),
                limit: BigInt = i64::from(limit),
            })
            .load(connection)?;
            let mut settled: Vec<PaymentRef> = readable("paid order", rows);
            // Of the orders of one payment, one.
            settled.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()).then(one.order.cmp(&other.order)));
            settled.dedup_by(|one, other| one.id == other.id);
            Ok(settled)
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
            let disagreements: i64 = sql_file!("count_disagreements.sql" => BigInt, {}).get_result(connection)?;
            Ok(u64::try_from(disagreements).unwrap_or(0))
        })
        .await
    }
}
