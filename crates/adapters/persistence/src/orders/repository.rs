//! Orders, their timelines, and the units they take from stock.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::catalog::stock::TakeRefused;
use domain::orders::order::Change;
use domain::orders::refusals::PlaceRefused;
use domain::{AccountId, Day, EventId, Money, Order, OrderEvent, OrderEventKind, OrderId, Stock};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{
    Applied, DayOfSales, IdempotencyKey, NewOrder, OrderQuery, OrderRepository, OrderStates, Page, PlaceError,
    StoreError,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;
use crate::orders::changing::try_to_change;
use crate::orders::event_json;
use crate::orders::lists;
use crate::orders::placing::{is_within_unpaid_limit, place_order};
use crate::orders::reservations;
use crate::orders::rollups;
use crate::orders::rows::OrderRow;
use crate::platform::db::unavailable;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::idempotency::same_request;
use crate::schema::{accounts, order_events, orders, products};

/// How often to try to place an order when the reason that stopped it is gone by the time it is looked up.
const TRIES: u32 = 5;

enum Placed {
    As(OrderId),
    Refused(PlaceRefused),
    Contended,
}

#[async_trait]
impl OrderRepository for Database {
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError> {
        let new = new.clone();
        let ordered = new.order.item.product;
        let (customer, product) = (new.order.customer.uuid(), new.order.item.product.uuid());
        let placed = self.run_on_behalf(customer, product, move |connection| place(connection, &new)).await?;
        match placed {
            Placed::As(id) => {
                self.note_product(ordered);
                Ok(id)
            }
            Placed::Refused(refused) => Err(refused.into()),
            Placed::Contended => {
                Err(PlaceError::Store(unavailable("the product kept changing while the order was placed")))
            }
        }
    }

    async fn placed_under(
        &self,
        customer: AccountId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<OrderId>, StoreError> {
        self.read(move |connection| placed_under(connection, customer, idempotency_key)).await
    }

    async fn apply(&self, change: &Change) -> Result<Applied, StoreError> {
        let change = change.clone();
        let product = change.after.item.product;
        // A cancellation returns units, so it waits for the product's row, as placing an order does.
        let returns_units = matches!(change.event.kind, OrderEventKind::Cancelled);
        let work = move |connection: &mut PgConnection| {
            Ok(if try_to_change(connection, &change)? { Applied::Written } else { Applied::Conflict })
        };
        if !returns_units {
            return self.run(work).await;
        }
        let applied = self.run_on(product.uuid(), work).await?;
        self.note_product(product);
        Ok(applied)
    }

    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError> {
        self.read(move |connection| {
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

    async fn unpaid_with_total(
        &self,
        customer: AccountId,
        total: Money,
        most: u32,
    ) -> Result<Vec<OrderId>, StoreError> {
        self.read(move |connection| {
            let found: Vec<Uuid> = orders::table
                .filter(orders::buyer_id.eq(customer.uuid()))
                .filter(orders::cancelled_at.is_null())
                .filter(orders::payment_state.eq("unpaid"))
                .filter(orders::total_cents.eq(total.cents()))
                .limit(i64::from(most))
                .select(orders::id)
                .load(connection)?;
            Ok(found.into_iter().map(OrderId::new).collect())
        })
        .await
    }

    async fn list(&self, query: &OrderQuery) -> Result<Page<Order, OrderId>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| lists::list(connection, &query)).await
    }

    async fn sales(&self, first: Day, last: Day) -> Result<Vec<DayOfSales>, StoreError> {
        self.read_list(move |connection| rollups::sales(connection, first, last)).await
    }

    async fn states(&self) -> Result<OrderStates, StoreError> {
        self.read_list(rollups::states).await
    }

    async fn fold(&self, limit: u32) -> Result<bool, StoreError> {
        self.run(move |connection| rollups::fold(connection, limit)).await
    }

    async fn lease_lapsed(&self, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.run(move |connection| reservations::lease_lapsed(connection, limit)).await
    }

    async fn reserve(&self, hold: Duration, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| reservations::reserve(connection, hold, limit)).await
    }

    async fn remind(&self, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| reservations::remind(connection, limit)).await
    }

    async fn overdue(&self) -> Result<u64, StoreError> {
        self.read_many(reservations::overdue).await
    }

    async fn timeline(&self, id: OrderId) -> Result<Vec<OrderEvent>, StoreError> {
        self.read(move |connection| {
            decode_all(
                order_events::table
                    .filter(order_events::order_id.eq(id.uuid()))
                    .order(order_events::seq)
                    .select(EventRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }
}

fn place(connection: &mut PgConnection, new: &NewOrder) -> QueryResult<Placed> {
    let most = match new.reservations.most_new {
        Some(most) if !has_paid(connection, new.order.customer)? => Some(most),
        _ => None,
    };
    for _ in 0..TRIES {
        let placed = match try_to_place(connection, new, most).optional() {
            // The same key was committed after the statement looked for it; the whole statement has been rolled back.
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
        if let Some(obstacle) = obstacle(connection, new, most)? {
            return Ok(obstacle);
        }
    }
    Ok(Placed::Contended)
}

/// Places an order. With a limit, the orders of one account are serialised, so that each is counted before the next:
/// concurrent statements would not see each other.
fn try_to_place(connection: &mut PgConnection, new: &NewOrder, most: Option<u32>) -> QueryResult<Uuid> {
    if most.is_none() {
        return place_order(connection, new, None);
    }
    connection.transaction(|connection| {
        let customer = accounts::table.find(new.order.customer.uuid()).select(accounts::id).for_no_key_update();
        customer.first::<Uuid>(connection)?;
        place_order(connection, new, most)
    })
}

/// Whether an account has ever paid for an order, even if it was refunded since.
fn has_paid(connection: &mut PgConnection, customer: AccountId) -> QueryResult<bool> {
    let paid = orders::table.filter(orders::buyer_id.eq(customer.uuid())).filter(orders::transaction_id.is_not_null());
    diesel::select(diesel::dsl::exists(paid)).get_result(connection)
}

fn placed_under(
    connection: &mut PgConnection,
    customer: AccountId,
    idempotency_key: IdempotencyKey,
) -> QueryResult<Option<OrderId>> {
    let first: Option<(Uuid, Option<Vec<u8>>)> = orders::table
        .filter(orders::buyer_id.eq(customer.uuid()))
        .filter(orders::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((orders::id, orders::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = first else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(OrderId::new(first)))
}

/// Why no order was placed, or that it was placed before; `None` if nothing stands in the way any more.
fn obstacle(connection: &mut PgConnection, new: &NewOrder, most: Option<u32>) -> QueryResult<Option<Placed>> {
    let item = &new.order.item;
    if let Some(key) = new.idempotency_key
        && let Some(first) = placed_under(connection, new.order.customer, key)?
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
        return Ok(Some(Placed::Refused(PlaceRefused::Gone)));
    };
    let decoder = RowDecoder { what: "product", id: item.product.uuid() };
    let now = decoder.unit_price("price_cents", price)?;
    let left = decoder.stock("available", available)?;
    Ok(if now != item.unit_price {
        Some(Placed::Refused(item.price_changed(now)))
    } else if left < Stock::from(item.quantity) {
        Some(Placed::Refused(TakeRefused::NotEnough { left }.into()))
    } else if !is_within_unpaid_limit(connection, new, most)? {
        Some(Placed::Refused(PlaceRefused::TooManyUnpaid { most: most.unwrap_or_default() }))
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
        let decoder = RowDecoder { what: "event", id: row.id };
        Ok(Self {
            id: EventId::new(row.id),
            order: OrderId::new(row.order_id),
            kind: event_json::read(decoder, &row.kind, row.data)?,
            by: decoder.actor(row.actor_id, row.actor_email.as_deref())?,
            at: row.at.to_jiff(),
        })
    }
}
