//! The statement that updates an order. It does all of its work or none of it, in one round trip. The one that places
//! an order is in [`crate::orders::placing`].
//!
//! Both are query fragments and not strings for `sql_query`, because Diesel prepares the former only once per
//! connection and the latter every time.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::orders::event::OrderEventKind;
use domain::orders::order::Change;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use serde_json::Value;
use uuid::Uuid;

use crate::accounts::rows::actor_columns;
use crate::orders::event_json;
use crate::orders::rows::ProgressColumns;

/// The columns of a timeline entry, except its sequence number.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: Uuid,
    pub(crate) kind: &'static str,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    pub(crate) data: Value,
    at: SqlTimestamp,
}

impl Entry {
    pub(crate) fn new(event: &domain::OrderEvent) -> QueryResult<Self> {
        let (actor_id, actor_email) = actor_columns(&event.by);
        Ok(Self {
            id: event.id.uuid(),
            kind: event_json::kind(&event.kind),
            actor_id,
            actor_email,
            data: event_json::write(&event.kind)?,
            at: event.at.to_diesel(),
        })
    }

    /// `actor_id, actor_email, at`: the last columns of both the timeline and the ledger.
    pub(crate) fn signature<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.actor_id)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Text>, _>(&self.actor_email)?;
        out.push_sql(", ");
        out.push_bind_param::<Timestamptz, _>(&self.at)
    }
}

/// Orders that hold a reservation and may expire. The same condition as that of the partial indexes.
pub(crate) const HOLDING: &str = "payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL";

/// Runs [`Moving`]; `false` if it wrote nothing. Money events may be recorded without a change of the order's progress,
/// so two entries may get the same sequence number: the later one is then decided again.
pub(crate) fn move_on(connection: &mut PgConnection, change: &Change) -> QueryResult<bool> {
    match Moving::new(change)?.get_result::<Uuid>(connection).optional() {
        Err(error) if is_seq_conflict(&error) => Ok(false),
        other => Ok(other?.is_some()),
    }
}

/// Whether two entries of a timeline got the same sequence number.
pub(crate) fn is_seq_conflict(error: &Error) -> bool {
    let Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info) = error else { return false };
    matches!(info.constraint_name(), Some("order_events_order_id_seq_key" | "order_events_once"))
}

/// Updates an order if its progress is still what the decision was based on, writes the timeline entry and, for a
/// cancellation, returns the units to stock and enters them into the ledger. Returns the order's id, or no row and
/// nothing done.
///
/// The entry's sequence number is the last one plus one. No other entry can take it first: every writer has
/// changed the progress, which this statement waits for and then compares.
#[derive(Debug)]
pub(crate) struct Moving {
    id: Uuid,
    before: ProgressColumns,
    after: ProgressColumns,
    entry: Entry,
    returns_units: bool,
}

impl Moving {
    pub(crate) fn new(change: &Change) -> QueryResult<Self> {
        Ok(Self {
            id: change.after.id.uuid(),
            before: ProgressColumns::from(&change.before),
            after: ProgressColumns::from(&change.after.progress),
            entry: Entry::new(&change.event)?,
            returns_units: matches!(change.event.kind, OrderEventKind::Cancelled),
        })
    }
}

impl ProgressColumns {
    /// Every column with its value: `between` separates the columns, `equals` stands between name and value.
    fn walk<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, between: &str, equals: &str) -> QueryResult<()> {
        let column = |out: &mut AstPass<'_, 'b, Pg>, name: &str, first: bool| {
            out.push_sql(if first { " " } else { between });
            out.push_sql(name);
            out.push_sql(equals);
        };
        column(out, "payment_state", true);
        out.push_bind_param::<Text, _>(self.payment_state)?;
        column(out, "transaction_id", false);
        out.push_bind_param::<Nullable<Text>, _>(&self.transaction_id)?;
        column(out, "paid_at", false);
        out.push_bind_param::<Nullable<Timestamptz>, _>(&self.paid_at)?;
        column(out, "refunded_at", false);
        out.push_bind_param::<Nullable<Timestamptz>, _>(&self.refunded_at)?;
        column(out, "fulfilment", false);
        out.push_bind_param::<Text, _>(self.fulfilment)?;
        column(out, "shipped_at", false);
        out.push_bind_param::<Nullable<Timestamptz>, _>(&self.shipped_at)?;
        column(out, "cancelled_at", false);
        out.push_bind_param::<Nullable<Timestamptz>, _>(&self.cancelled_at)
    }
}

impl QueryFragment<Pg> for Moving {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH moved AS (UPDATE orders SET");
        self.after.walk(&mut out, ", ", " = ")?;
        out.push_sql(" WHERE id = ");
        out.push_bind_param::<SqlUuid, _>(&self.id)?;
        out.push_sql(" AND");
        self.before.walk(&mut out, " AND ", " IS NOT DISTINCT FROM ")?;
        out.push_sql(
            " RETURNING id, product_id, quantity), told AS (INSERT INTO order_events (order_id, seq, id, kind, data, \
             actor_id, actor_email, at) SELECT moved.id, (SELECT max(seq) + 1 FROM order_events WHERE order_id = \
             moved.id), ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.entry.id)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(self.entry.kind)?;
        out.push_sql(", ");
        out.push_bind_param::<Jsonb, _>(&self.entry.data)?;
        out.push_sql(", ");
        self.entry.signature(&mut out)?;
        out.push_sql(
            " FROM moved), shelved AS (UPDATE products SET available = available + moved.quantity FROM moved WHERE \
             products.id = moved.product_id AND ",
        );
        out.push_bind_param::<Bool, _>(&self.returns_units)?;
        out.push_sql(
            "), entered AS (INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, actor_email, at) \
             SELECT moved.product_id, moved.quantity, 'cancelled', moved.id, ",
        );
        self.entry.signature(&mut out)?;
        out.push_sql(" FROM moved WHERE ");
        out.push_bind_param::<Bool, _>(&self.returns_units)?;
        out.push_sql(") SELECT id FROM moved");
        Ok(())
    }
}

impl QueryId for Moving {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Moving {
    type SqlType = SqlUuid;
}

impl RunQueryDsl<PgConnection> for Moving {}
