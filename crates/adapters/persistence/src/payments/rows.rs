//! Rows of payment attempts, refunds and disputes.

use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use domain::{CheckoutId, Dispute, OrderId, Payable, PaymentShare, Refund, RefundId};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{PaymentAttempt, PaymentRef};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema::{self, payment_shares};

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = schema::payment_intents, check_for_backend(diesel::pg::Pg))]
pub(crate) struct PaymentAttemptRow {
    id: String,
    order_id: Option<Uuid>,
    checkout_id: Option<Uuid>,
    amount_cents: i64,
}

impl PaymentAttemptRow {
    fn decode(self, shares: Vec<(Uuid, i64)>) -> QueryResult<PaymentAttempt> {
        let decoder = RowDecoder { what: "payment intent", id: &self.id };
        let id = decoder.parse("id", &self.id)?;
        let amount = decoder.money("amount_cents", self.amount_cents)?;
        let checkout = match (self.order_id, self.checkout_id) {
            (Some(order), None) => return Ok(PaymentAttempt::of_order(id, OrderId::new(order), amount)),
            (None, Some(checkout)) => CheckoutId::new(checkout),
            _ => return Err(decoder.refuse("order_id and checkout_id", "not exactly one of them")),
        };
        let share = |(order, cents)| {
            Ok(PaymentShare { order: OrderId::new(order), amount: decoder.money("payment_shares.cents", cents)? })
        };
        let shares = shares.into_iter().map(share).collect::<QueryResult<_>>()?;
        Ok(PaymentAttempt { id, payable: Payable::Checkout(checkout), amount, shares })
    }
}

/// The payment of a row, with its shares.
pub(crate) fn with_shares(connection: &mut PgConnection, row: PaymentAttemptRow) -> QueryResult<PaymentAttempt> {
    let shares = match row.checkout_id {
        None => Vec::new(),
        Some(_) => payment_shares::table
            .filter(payment_shares::intent_id.eq(&row.id))
            .order(payment_shares::order_id)
            .select((payment_shares::order_id, payment_shares::cents))
            .load(connection)?,
    };
    row.decode(shares)
}

/// The same of one of many rows: `None` for one that cannot be decoded, which is logged and hides no other.
pub(crate) fn readable_with_shares(
    connection: &mut PgConnection,
    row: PaymentAttemptRow,
) -> QueryResult<Option<PaymentAttempt>> {
    match with_shares(connection, row) {
        Err(error @ Error::DeserializationError(_)) => {
            tracing::error!(%error, "a payment cannot be decoded, and is left out");
            Ok(None)
        }
        other => other.map(Some),
    }
}

/// The payment that settled an order.
#[derive(QueryableByName)]
pub(crate) struct SettledRow {
    #[diesel(sql_type = Text)]
    id: String,
    #[diesel(sql_type = SqlUuid)]
    order_id: Uuid,
}

impl TryFrom<SettledRow> for PaymentRef {
    type Error = Error;

    fn try_from(row: SettledRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "order", id: row.order_id };
        Ok(Self { id: decoder.parse("transaction_id", &row.id)?, order: OrderId::new(row.order_id) })
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
