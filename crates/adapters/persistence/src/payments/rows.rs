//! Rows of payment attempts.

use diesel::prelude::*;
use diesel::result::Error;
use domain::OrderId;
use ports::PaymentAttempt;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = schema::payment_intents, check_for_backend(diesel::pg::Pg))]
pub(crate) struct PaymentAttemptRow {
    id: String,
    order_id: Uuid,
    amount_cents: i64,
}

impl TryFrom<PaymentAttemptRow> for PaymentAttempt {
    type Error = Error;

    fn try_from(row: PaymentAttemptRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "payment intent of order", id: row.order_id };
        Ok(Self {
            id: decoder.parse("id", &row.id)?,
            order: OrderId::new(row.order_id),
            amount: decoder.money("amount_cents", row.amount_cents)?,
        })
    }
}
