//! The statement that places an order: all of its work or none of it, in one round trip.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Bytea, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::payments::payment::is_chargeable;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::NewOrder;
use uuid::Uuid;

use crate::orders::statements::{Entry, HOLDING};
use crate::platform::decode::to_i32;
use crate::platform::idempotency;
use crate::platform::search;

/// Takes the units from stock if there are enough, the price is the order's and the product is for sale; then inserts
/// the order with the values that the store assigns, its first timeline entry and its ledger entry. Returns the order's
/// id, or no row and nothing done: also when the customer has used the idempotency key before, or has as many unpaid
/// orders as `most`.
///
/// The order number and the reservation times come from the database's sequence and clock. The count of unpaid orders
/// is only right if no other order of the customer is being placed at the same time; the caller has to ensure that.
#[derive(Debug)]
pub(crate) struct PlaceOrderStatement {
    id: Uuid,
    customer: Uuid,
    contact: [String; 4],
    product: Uuid,
    attributes: [String; 4],
    part_number: Option<String>,
    unit_price: i64,
    quantity: i32,
    total: i64,
    placed_at: SqlTimestamp,
    idempotency_key: Option<Vec<u8>>,
    once_fingerprint: Option<Vec<u8>>,
    /// All but the order number, which the statement appends.
    search_key: String,
    usual_ttl: f64,
    new_account_ttl: f64,
    unpaid_order_limit: UnpaidOrderLimit,
    entry: Entry,
}

impl PlaceOrderStatement {
    pub(crate) fn new(new: &NewOrder, most: Option<u32>) -> QueryResult<Self> {
        let order = &new.order;
        let (contact, item) = (&order.contact, &order.item);
        let (idempotency_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
        Ok(Self {
            id: order.id.uuid(),
            customer: order.customer.uuid(),
            contact: [
                contact.name.as_str().to_owned(),
                contact.email.as_str().to_owned(),
                contact.phone.as_str().to_owned(),
                contact.address.as_str().to_owned(),
            ],
            product: item.product.uuid(),
            attributes: [
                item.name.as_str().to_owned(),
                item.category.as_str().to_owned(),
                item.details.as_str().to_owned(),
                item.img.as_str().to_owned(),
            ],
            part_number: item.part_number.as_ref().map(|number| number.as_str().to_owned()),
            unit_price: item.unit_price.money().cents(),
            quantity: to_i32(item.quantity.get())?,
            total: item.total.cents(),
            placed_at: order.placed_at.to_diesel(),
            idempotency_key,
            once_fingerprint,
            search_key: search::key(&[
                contact.name.as_str(),
                contact.email.as_str(),
                contact.phone.as_str(),
                item.name.as_str(),
                &order.id.to_string(),
                "DL-",
            ]),
            usual_ttl: new.reservations.usual.as_secs_f64(),
            new_account_ttl: new.reservations.new.as_secs_f64(),
            unpaid_order_limit: UnpaidOrderLimit::new(new, most),
            entry: Entry::new(&new.event)?,
        })
    }
}

/// The largest card payment, in cents.
const CARD_MAX: i64 = 99_999_999;

impl PlaceOrderStatement {
    fn take<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("WITH taken AS (UPDATE products SET available = available - ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(" WHERE id = ");
        out.push_bind_param::<SqlUuid, _>(&self.product)?;
        out.push_sql(" AND available >= ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(" AND price_cents = ");
        out.push_bind_param::<BigInt, _>(&self.unit_price)?;
        out.push_sql(" AND archived_at IS NULL AND NOT EXISTS (SELECT FROM orders WHERE buyer_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.customer)?;
        out.push_sql(" AND once_key = ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.idempotency_key)?;
        out.push_sql(") AND ");
        self.unpaid_order_limit.walk(out)?;
        out.push_sql(" RETURNING id), ");
        Ok(())
    }

    /// The number and the times, each computed only once. A reminder is due when a quarter of the reservation's TTL is
    /// left, but at most four hours before it expires; a TTL below half an hour is too short for a reminder.
    fn assigned<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "slip AS MATERIALIZED (SELECT id AS product_id, nextval('order_numbers') AS number, clock_timestamp() AS now, \
             make_interval(secs => CASE WHEN ",
        );
        out.push_bind_param::<Bool, _>(&self.unpaid_order_limit.on_account)?;
        out.push_sql(" OR EXISTS (SELECT FROM orders WHERE buyer_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.customer)?;
        out.push_sql(" AND transaction_id IS NOT NULL) THEN ");
        out.push_bind_param::<Double, _>(&self.usual_ttl)?;
        out.push_sql(" ELSE ");
        out.push_bind_param::<Double, _>(&self.new_account_ttl)?;
        out.push_sql(" END) AS hold FROM taken), ");
        Ok(())
    }

    fn insert<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "placed AS (INSERT INTO orders (product_id, number, reserved_until, lapse_at, remind_at, id, buyer_id, \
             contact_name, contact_email, contact_phone, contact_address, product_name, category, details, img, part_number, \
             unit_price_cents, quantity, total_cents, placed_at, once_key, once_fingerprint, search_key) SELECT product_id, number, now + hold, \
             now + hold, CASE WHEN hold >= interval '30 minutes' THEN now + hold - least(hold / 4, interval '4 hours') END",
        );
        out.push_sql(", ");
        out.push_bind_param::<SqlUuid, _>(&self.id)?;
        out.push_sql(", ");
        out.push_bind_param::<SqlUuid, _>(&self.customer)?;
        for text in self.contact.iter().chain(&self.attributes) {
            out.push_sql(", ");
            out.push_bind_param::<Text, _>(text)?;
        }
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Text>, _>(&self.part_number)?;
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(&self.unit_price)?;
        out.push_sql(", ");
        out.push_bind_param::<Integer, _>(&self.quantity)?;
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(&self.total)?;
        out.push_sql(", ");
        out.push_bind_param::<Timestamptz, _>(&self.placed_at)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.idempotency_key)?;
        out.push_sql(", ");
        out.push_bind_param::<Nullable<Bytea>, _>(&self.once_fingerprint)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(&self.search_key)?;
        out.push_sql(" || number FROM slip RETURNING id, product_id, quantity, number, reserved_until), ");
        Ok(())
    }
}

impl QueryFragment<Pg> for PlaceOrderStatement {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.take(&mut out)?;
        self.assigned(&mut out)?;
        self.insert(&mut out)?;
        out.push_sql(
            "told AS (INSERT INTO order_events (order_id, seq, id, kind, data, actor_id, actor_email, at) \
             SELECT placed.id, 1, ",
        );
        out.push_bind_param::<SqlUuid, _>(&self.entry.id)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(self.entry.kind)?;
        out.push_sql(", ");
        out.push_bind_param::<Jsonb, _>(&self.entry.data)?;
        out.push_sql(" || jsonb_build_object('number', placed.number, 'reservedUntil', placed.reserved_until), ");
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

/// Whether an account that never paid may place another unpaid order: `most` in all, and at most one of those above the
/// card limit.
#[derive(Debug)]
pub(crate) struct UnpaidOrderLimit {
    customer: Uuid,
    most: Option<i64>,
    /// Whether no card can be charged with the total.
    on_account: bool,
}

impl UnpaidOrderLimit {
    pub(crate) fn new(new: &NewOrder, most: Option<u32>) -> Self {
        let order = &new.order;
        Self {
            customer: order.customer.uuid(),
            most: most.map(i64::from),
            on_account: !is_chargeable(order.item.total),
        }
    }

    fn walk<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("(");
        out.push_bind_param::<Nullable<BigInt>, _>(&self.most)?;
        out.push_sql(" IS NULL OR ((SELECT count(*) FROM orders WHERE buyer_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.customer)?;
        out.push_sql(" AND ");
        out.push_sql(HOLDING);
        out.push_sql(") < ");
        out.push_bind_param::<Nullable<BigInt>, _>(&self.most)?;
        out.push_sql(" AND NOT (");
        out.push_bind_param::<Bool, _>(&self.on_account)?;
        out.push_sql(" AND EXISTS (SELECT FROM orders WHERE buyer_id = ");
        out.push_bind_param::<SqlUuid, _>(&self.customer)?;
        out.push_sql(" AND ");
        out.push_sql(HOLDING);
        out.push_sql(" AND total_cents > ");
        out.push_bind_param::<BigInt, _>(&CARD_MAX)?;
        out.push_sql("))))");
        Ok(())
    }
}

impl QueryFragment<Pg> for UnpaidOrderLimit {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        self.walk(&mut out)
    }
}

impl QueryId for UnpaidOrderLimit {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for UnpaidOrderLimit {
    type SqlType = Bool;
}

impl RunQueryDsl<PgConnection> for UnpaidOrderLimit {}

impl QueryId for PlaceOrderStatement {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for PlaceOrderStatement {
    type SqlType = SqlUuid;
}

impl RunQueryDsl<PgConnection> for PlaceOrderStatement {}
