//! Orders, their timelines, and the units they take from the shelves.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::order::Change;
use domain::{AccountId, Day, EventId, Order, OrderEvent, OrderId, Stock, Timestamp, UnitPrice};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    Applied, DayOfSales, IdempotencyKey, NewOrder, OrderPage, OrderQuery, OrderStates, OrderStore, PlaceError,
    StoreError,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;
use crate::db::away;
use crate::event_json;
use crate::idempotency::same_request;
use crate::order_lists;
use crate::order_statements::{Moving, Placing};
use crate::rows::{OrderRow, Reading, all};
use crate::schema::{order_events, orders, products};

/// How often an order is tried whose obstacle was gone by the time it was looked for.
const TRIES: u32 = 5;

enum Placed {
    As(OrderId),
    NotEnough(Stock),
    PriceChanged(UnitPrice),
    Gone,
    Contended,
}

#[async_trait]
impl OrderStore for Database {
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError> {
        let new = new.clone();
        let placed = self.run(move |connection| place(connection, &new)).await?;
        match placed {
            Placed::As(id) => Ok(id),
            Placed::NotEnough(left) => Err(PlaceError::NotEnough { left }),
            Placed::PriceChanged(now) => Err(PlaceError::PriceChanged { now }),
            Placed::Gone => Err(PlaceError::Gone),
            Placed::Contended => Err(PlaceError::Store(away("the product changed faster than it could be read"))),
        }
    }

    async fn placed_under(&self, buyer: AccountId, once: IdempotencyKey) -> Result<Option<OrderId>, StoreError> {
        self.run(move |connection| placed_under(connection, buyer, once)).await
    }

    async fn apply(&self, change: &Change) -> Result<Applied, StoreError> {
        let change = change.clone();
        self.run(move |connection| {
            let moved: Option<Uuid> = Moving::new(&change)?.get_result(connection).optional()?;
            Ok(moved.map_or(Applied::Stale, |_| Applied::Written))
        })
        .await
    }

    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError> {
        self.run(move |connection| {
            orders::table
                .find(id.uuid())
                .select(OrderRow::as_select())
                .first(connection)
                .optional()?
                .map(Order::try_from)
                .transpose()
        })
        .await
    }

    async fn of_buyer(&self, buyer: AccountId) -> Result<Vec<Order>, StoreError> {
        self.run(move |connection| {
            all(orders::table
                .filter(orders::buyer_id.eq(buyer.uuid()))
                .filter(orders::cancelled_at.is_null())
                .order((orders::placed_at.desc(), orders::id.desc()))
                .select(OrderRow::as_select())
                .load(connection)?)
        })
        .await
    }

    async fn list(&self, query: &OrderQuery) -> Result<OrderPage, StoreError> {
        let query = query.clone();
        self.run(move |connection| order_lists::list(connection, &query)).await
    }

    async fn sales(&self, first: Day, last: Day) -> Result<Vec<DayOfSales>, StoreError> {
        self.run(move |connection| order_lists::sales(connection, first, last)).await
    }

    async fn states(&self) -> Result<OrderStates, StoreError> {
        self.run(order_lists::states).await
    }

    async fn owing(&self, limit: u32) -> Result<Vec<Order>, StoreError> {
        self.run(move |connection| {
            all(orders::table
                .filter(orders::payment_state.eq("paid"))
                .filter(orders::cancelled_at.is_not_null())
                .order((orders::cancelled_at.asc(), orders::id.asc()))
                .limit(i64::from(limit))
                .select(OrderRow::as_select())
                .load(connection)?)
        })
        .await
    }

    async fn unpaid_before(&self, moment: Timestamp, limit: u32) -> Result<Vec<Order>, StoreError> {
        self.run(move |connection| {
            all(orders::table
                .filter(orders::payment_state.eq("unpaid"))
                .filter(orders::fulfilment.eq("pending"))
                .filter(orders::cancelled_at.is_null())
                .filter(orders::placed_at.lt(moment.to_diesel()))
                .order((orders::placed_at.asc(), orders::id.asc()))
                .limit(i64::from(limit))
                .select(OrderRow::as_select())
                .load(connection)?)
        })
        .await
    }

    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError> {
        self.run(move |connection| {
            all(order_events::table
                .filter(order_events::order_id.eq(id.uuid()))
                .order(order_events::seq)
                .select(EventRow::as_select())
                .load(connection)?)
        })
        .await
    }
}

fn place(connection: &mut PgConnection, new: &NewOrder) -> QueryResult<Placed> {
    for _ in 0..TRIES {
        let placed = match Placing::new(new)?.get_result::<Uuid>(connection).optional() {
            // The same key, committed after the statement looked for it; it has been undone as a whole.
            Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info))
                if info.constraint_name() == Some("orders_once") =>
            {
                None
            }
            other => other?,
        };
        if let Some(id) = placed {
            return Ok(Placed::As(OrderId::new(id)));
        }
        if let Some(obstacle) = obstacle(connection, new)? {
            return Ok(obstacle);
        }
    }
    Ok(Placed::Contended)
}

fn placed_under(connection: &mut PgConnection, buyer: AccountId, once: IdempotencyKey) -> QueryResult<Option<OrderId>> {
    let first: Option<(Uuid, Option<Vec<u8>>)> = orders::table
        .filter(orders::buyer_id.eq(buyer.uuid()))
        .filter(orders::once_key.eq(once.key.0.to_vec()))
        .select((orders::id, orders::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = first else { return Ok(None) };
    same_request(once, fingerprint.as_deref())?;
    Ok(Some(OrderId::new(first)))
}

/// Why no order was placed, or that it was placed before; `None` if by now nothing is in the way.
fn obstacle(connection: &mut PgConnection, new: &NewOrder) -> QueryResult<Option<Placed>> {
    let item = &new.order.item;
    if let Some(key) = new.once
        && let Some(first) = placed_under(connection, new.order.buyer, key)?
    {
        return Ok(Some(Placed::As(first)));
    }
    let product: Option<(i32, i64)> = products::table
        .find(item.product.uuid())
        .filter(products::archived_at.is_null())
        .select((products::available, products::price_cents))
        .first(connection)
        .optional()?;
    let Some((available, price)) = product else {
        return Ok(Some(Placed::Gone));
    };
    let reading = Reading { what: "product", id: item.product.uuid() };
    let now = reading.unit_price("price_cents", price)?;
    let left = reading.stock("available", available)?;
    Ok(if now != item.unit_price {
        Some(Placed::PriceChanged(now))
    } else if left < Stock::from(item.quantity) {
        Some(Placed::NotEnough(left))
    } else {
        None
    })
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = order_events, check_for_backend(diesel::pg::Pg))]
struct EventRow {
    id: Uuid,
    order_id: Uuid,
    kind: String,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    data: Value,
    at: SqlTimestamp,
}

impl TryFrom<EventRow> for OrderEvent {
    type Error = Error;

    fn try_from(row: EventRow) -> QueryResult<Self> {
        let reading = Reading { what: "event", id: row.id };
        Ok(Self {
            id: EventId::new(row.id),
            order: OrderId::new(row.order_id),
            happening: event_json::read(reading, &row.kind, row.data)?,
            by: reading.actor(row.actor_id, row.actor_email.as_deref())?,
            at: row.at.to_jiff(),
        })
    }
}
