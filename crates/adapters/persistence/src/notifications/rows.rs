//! Rows of the outbox.

use diesel::prelude::*;
use diesel::result::Error;
use domain::notifications::delivery::DeliveryId;
use domain::{CheckoutId, Email, EventId, OrderId, WebhookSubscriptionId};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::Delivery;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema::outbox;

#[derive(Queryable, Selectable, QueryableByName)]
#[diesel(table_name = outbox, check_for_backend(diesel::pg::Pg))]
pub(crate) struct OutboxRow {
    pub(crate) id: i64,
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
    checkout_id: Option<Uuid>,
}

impl OutboxRow {
    /// For the admin's list, which has to show a row that cannot be delivered: without an address that does not parse.
    pub(crate) fn shown(mut self) -> Self {
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
            checkout: row.checkout_id.map(CheckoutId::new),
            event: row.event_id.map(EventId::new),
            subscription: row.endpoint_id.map(WebhookSubscriptionId::new),
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
