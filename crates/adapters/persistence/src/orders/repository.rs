//! Orders, their timelines, and the units they take from stock.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::orders::order::Change;
use domain::{AccountId, Day, EventId, Money, Order, OrderEvent, OrderEventKind, OrderId, ProductId, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{
    Applied, CustomerTotals, DayOfSales, IdempotencyKey, NewOrder, OrderQuery, OrderRepository, OrderStates, Page,
    PlaceError, StoreError,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;
use crate::orders::batch::Placement;
use crate::orders::changing::{apply_all, returning_units, try_to_change};
use crate::orders::customers;
use crate::orders::event_json;
use crate::orders::finding::NewestOrders;
use crate::orders::lists;
use crate::orders::placing::{Placed, placed_under};
use crate::orders::reservations;
use crate::orders::rollups;
use crate::orders::rows::OrderRow;
use crate::platform::db::{classify_error, internal, unavailable};
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::finding::Finding;
use crate::platform::page::cut_page;
use crate::schema::{order_events, orders};

#[async_trait]
impl OrderRepository for Database {
    async fn place(&self, new: &NewOrder) -> Result<OrderId, PlaceError> {
        let ordered = new.order.item.product;
        let placed = self.share(Placement(new.clone())).await?;
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

    async fn apply_all(&self, changes: &[Change], event: Option<(String, Timestamp)>) -> Result<Applied, StoreError> {
        let changes = changes.to_vec();
        let returned: Vec<ProductId> = returning_units(&changes).map(|change| change.after.item.product).collect();
        let applied = self.run(move |connection| apply_all(connection, &changes, event.as_ref())).await?;
        for product in returned {
            self.note_product(product);
        }
        Ok(applied)
    }

    async fn find_all(&self, ids: &[OrderId]) -> Result<Vec<Order>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        self.read(move |connection| {
            let found = orders::table.filter(orders::id.eq_any(ids)).select(OrderRow::as_select());
            decode_all(found.load::<OrderRow>(connection)?)
        })
        .await
    }

    async fn find(&self, id: OrderId) -> Result<Option<Order>, StoreError> {
        self.share(Finding::<Order>::new(id.uuid(), ())).await
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
        if let Some((customer, limit)) = lists::first_of_customer(query) {
            let newest = self.share(Finding::<NewestOrders>::new(customer.uuid(), limit + 1)).await?;
            let mut found = newest.map(|newest| newest.0).unwrap_or_default();
            let limit = usize::try_from(limit).map_err(internal)?;
            // Somebody else may have asked for more of them.
            found.truncate(limit + 1);
            let query = query.clone();
            let total = if found.len() <= limit || query.page.uncounted {
                0
            } else {
                let counted = query.clone();
                self.read(move |connection| lists::count(connection, &counted, &[])).await?
            };
            return cut_page(found, &query.page, |last: &Order| last.id, || Ok(total)).map_err(classify_error);
        }
        let query = query.clone();
        self.read_list(move |connection| lists::list(connection, &query)).await
    }

    async fn sales(&self, first: Day, last: Day) -> Result<Vec<DayOfSales>, StoreError> {
        self.read_list(move |connection| rollups::sales(connection, first, last)).await
    }

    async fn states(&self) -> Result<OrderStates, StoreError> {
        self.read_list(rollups::states).await
    }

    async fn totals_of(&self, customer: AccountId) -> Result<CustomerTotals, StoreError> {
        self.read_list(move |connection| customers::totals(connection, customer)).await
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
