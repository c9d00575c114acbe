//! Rows of payment attempts, refunds and disputes.

use diesel::prelude::*;
use diesel::result::Error;
use domain::{Dispute, OrderId, Refund, RefundId};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::PaymentAttempt;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = schema::payment_intents, check_for_backend(diesel::pg::Pg))]
pub(crate) struct PaymentAttemptRow {
    id: String,
    order_id: Option<Uuid>,
    amount_cents: i64,
}

impl TryFrom<PaymentAttemptRow> for PaymentAttempt {
    type Error = Error;

    fn try_from(row: PaymentAttemptRow) -> QueryResult<Self> {
        let order_id = row.order_id.unwrap_or_default();
        let decoder = RowDecoder { what: "payment intent of order", id: order_id };
        Ok(Self {
            id: decoder.parse("id", &row.id)?,
            order: OrderId::new(order_id),
            amount: decoder.money("amount_cents", row.amount_cents)?,
        })
    }
}

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = schema::refunds, check_for_backend(diesel::pg::Pg))]
pub(crate) struct RefundRow {
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
        let count = |column, many: i32| u32::try_from(many).map_err(|why| decoder.refuse(column, &why));
        Ok(Self {
            id: RefundId::new(row.id),
            order: OrderId::new(row.order_id),
            payment: decoder.parse("payment_id", &row.payment_id)?,
            amount: decoder.money("amount_cents", row.amount_cents)?,
            cause: decoder.parse("cause", &row.cause)?,
            state: decoder.parse("state", &row.state)?,
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
#[diesel(table_name = schema::disputes, check_for_backend(diesel::pg::Pg))]
pub(crate) struct DisputeRow {
    id: String,
    pub(crate) order_id: Uuid,
    pub(crate) payment_id: String,
    amount_cents: i64,
    state: String,
    reason: Option<String>,
    pub(crate) opened_at: SqlTimestamp,
}

impl DisputeRow {
    pub(crate) fn decoder(&self) -> RowDecoder {
        RowDecoder { what: "dispute of order", id: self.order_id }
    }
}

impl TryFrom<DisputeRow> for Dispute {
    type Error = Error;

    fn try_from(row: DisputeRow) -> QueryResult<Self> {
        let decoder = row.decoder();
        Ok(Self {
            id: decoder.parse("id", &row.id)?,
            amount: decoder.money("amount_cents", row.amount_cents)?,
            state: decoder.parse("state", &row.state)?,
            reason: decoder.maybe_text("reason", row.reason.as_deref())?,
        })
    }
}
