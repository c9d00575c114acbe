//! The two statements that orders move by. Each is a whole deed: Postgres does all of it or none of it, in one round trip.
//!
//! They are written as query fragments and not as strings to `sql_query`, because Diesel prepares the former once per
//! connection and the latter every time.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Bytea, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::event::Happening;
use domain::order::Change;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::NewOrder;
use serde_json::Value;
use uuid::Uuid;

use crate::event_json;
use crate::idempotency;
use crate::rows::{ProgressColumns, actor_columns, units};
use crate::search;

/// A timeline entry's columns, but for its place in the timeline.
#[derive(Debug)]
struct Entry {
    id: Uuid,
    kind: &'static str,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    data: Value,
    at: SqlTimestamp,
}

impl Entry {
    fn new(event: &domain::OrderEvent) -> QueryResult<Self> {
        let (actor_id, actor_email) = actor_columns(&event.by);
        Ok(Self {
            id: event.id.uuid(),
            kind: event_json::kind(&event.happening),
            actor_id,
            actor_email,
            data: event_json::write(&event.happening)?,
            at: event.at.to_diesel(),
        })
    }

    /// `actor_id, actor_email, at`, as both the timeline and the ledger end.
    fn signature<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.actor_id)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Text>, _>(&self.actor_email)?;
        out.push_sql(", ");
        out.push_bind_param::<Timestamptz, _>(&self.at)
    }
}

/// Takes the units off the shelf if enough are there, the price is the order's and the product is for sale, and then
/// writes the order, its timeline's first entry and the ledger's. Answers the order's id, or no row and nothing done: also
/// when the buyer has used the idempotency key before.
#[derive(Debug)]
pub(crate) struct Placing {
    id: Uuid,
    buyer: Uuid,
    contact: [String; 4],
    product: Uuid,
    looks: [String; 4],
    unit_price: i64,
    quantity: i32,
    total: i64,
    placed_at: SqlTimestamp,
    once: Option<Vec<u8>>,
    once_fingerprint: Option<Vec<u8>>,
    search_key: String,
    entry: Entry,
}

impl Placing {
    pub(crate) fn new(new: &NewOrder) -> QueryResult<Self> {
        let order = &new.order;
        let (contact, item) = (&order.contact, &order.item);
        let (once, once_fingerprint) = idempotency::columns(new.once);
        Ok(Self {
            id: order.id.uuid(),
            buyer: order.buyer.uuid(),
            contact: [
                contact.name.as_str().to_owned(),
                contact.email.as_str().to_owned(),
                contact.phone.as_str().to_owned(),
                contact.address.as_str().to_owned(),
            ],
            product: item.product.uuid(),
            looks: [
                item.name.as_str().to_owned(),
                item.category.as_str().to_owned(),
                item.details.as_str().to_owned(),
                item.img.as_str().to_owned(),
            ],
            unit_price: item.unit_price.money().cents(),
            quantity: units(item.quantity.get())?,
            total: item.total.cents(),
            placed_at: order.placed_at.to_diesel(),
            once,
            once_fingerprint,
            search_key: search::key(&[
                contact.name.as_str(),
                contact.email.as_str(),
                contact.phone.as_str(),
                item.name.as_str(),
                &order.id.to_string(),
            ]),
            entry: Entry::new(&new.event)?,
        })
    }
}

impl QueryFragment<Pg> for Placing {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH taken AS (UPDATE products SET available = available - ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(" WHERE id = ");
        out.push_bind_param::<SqlUuid, _>(&self.product)?;
        out.push_sql(" AND available >= ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(" AND price_cents = ");
        out.push_bind_param::<BigInt, _>(&self.unit_price)?;
        out.push_sql(" AND archived_at IS NULL AND NOT EXISTS (SELECT FROM orders WHERE buyer_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.buyer)?;
        out.push_sql(" AND once_key = ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.once)?;
        out.push_sql(
            ") RETURNING id), placed AS (INSERT INTO orders (product_id, id, buyer_id, contact_name, contact_email, \
             contact_phone, contact_address, product_name, category, details, img, unit_price_cents, quantity, \
             total_cents, placed_at, once_key, once_fingerprint, search_key) SELECT taken.id",
        );
        out.push_sql(", ");
        out.push_bind_param::<SqlUuid, _>(&self.id)?;
        out.push_sql(", ");
        out.push_bind_param::<SqlUuid, _>(&self.buyer)?;
        for text in self.contact.iter().chain(&self.looks) {
            out.push_sql(", ");
            out.push_bind_param::<Text, _>(text)?;
        }
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(&self.unit_price)?;
        out.push_sql(", ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(&self.total)?;
        out.push_sql(", ");
        out.push_bind_param::<Timestamptz, _>(&self.placed_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.once)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.once_fingerprint)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(&self.search_key)?;
        out.push_sql(
            " FROM taken RETURNING id, product_id, quantity), told AS (INSERT INTO order_events (order_id, seq, id, kind, \
             data, actor_id, actor_email, at) SELECT placed.id, 1, ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.entry.id)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(self.entry.kind)?;
        out.push_sql(", ");
        out.push_bind_param::<Jsonb, _>(&self.entry.data)?;
        out.push_sql(", ");
        self.entry.signature(&mut out)?;
        out.push_sql(
            " FROM placed), entered AS (INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, \
             actor_email, at) SELECT placed.product_id, -placed.quantity, 'ordered', placed.id, ",
        );
        self.entry.signature(&mut out)?;
        out.push_sql(" FROM placed) SELECT id FROM placed");
        Ok(())
    }
}

impl QueryId for Placing {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Placing {
    type SqlType = SqlUuid;
}

impl RunQueryDsl<PgConnection> for Placing {}

/// Moves an order on if it still is as it was when the move was judged, writes the timeline's entry and, for a
/// cancellation, puts the units back on the shelf and into the ledger. Answers the order's id, or no row and nothing done.
///
/// The entry's number is the last one plus one. No other entry can slip in: whoever writes one has changed the progress
/// that this statement waits for and then compares.
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
            returns_units: matches!(change.event.happening, Happening::Cancelled),
        })
    }
}

impl ProgressColumns {
    /// Every column with its value, each introduced by one of `words` and its name.
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
