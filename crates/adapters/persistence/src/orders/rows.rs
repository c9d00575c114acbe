//! Rows of orders.

use std::fmt::Display;

use diesel::prelude::*;
use diesel::result::Error;
use domain::{
    AccountId, Contact, Email, Item, Order, OrderId, OrderNumber, OrderState, Payment, ProductId, StoreAssigned,
    TransactionId,
};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use serde_json::Value;
use uuid::Uuid;

use crate::accounts::rows::actor_columns;
use crate::orders::purchase_columns::PurchaseRow;
use crate::orders::{event_json, vehicle_json};
use crate::platform::decode::RowDecoder;
use crate::schema;

impl<Id: Display + Copy> RowDecoder<Id> {
    pub(crate) fn number(self, column: &'static str, number: i64) -> QueryResult<OrderNumber> {
        OrderNumber::new(number).map_err(|why| self.refuse(column, &why))
    }
}

/// The columns of an order's state, as they are compared and set.
#[derive(Debug)]
pub(crate) struct StateColumns {
    pub(crate) payment_state: &'static str,
    pub(crate) transaction_id: Option<String>,
    pub(crate) paid_at: Option<SqlTimestamp>,
    pub(crate) refunded_at: Option<SqlTimestamp>,
    pub(crate) fulfilment: &'static str,
    pub(crate) shipped_at: Option<SqlTimestamp>,
    pub(crate) cancelled_at: Option<SqlTimestamp>,
}

impl From<&OrderState> for StateColumns {
    fn from(state: &OrderState) -> Self {
        let (payment_state, paid_at, refunded_at) = match state.payment() {
            Payment::Unpaid => ("unpaid", None, None),
            Payment::Paid { at, .. } => ("paid", Some(at.to_diesel()), None),
            Payment::Refunded { at, .. } => ("refunded", None, Some(at.to_diesel())),
        };
        Self {
            payment_state,
            transaction_id: state.transaction().map(|transaction| transaction.as_str().to_owned()),
            paid_at,
            refunded_at,
            fulfilment: if state.shipped_at().is_some() { "shipped" } else { "pending" },
            shipped_at: state.shipped_at().map(ToDiesel::to_diesel),
            cancelled_at: state.cancelled_at().map(ToDiesel::to_diesel),
        }
    }
}

/// The columns of a timeline entry, except its sequence number.
#[derive(Debug)]
pub(crate) struct EventColumns {
    pub(crate) id: Uuid,
    pub(crate) kind: &'static str,
    pub(crate) data: Value,
    pub(crate) actor_id: Option<Uuid>,
    pub(crate) actor_email: Option<String>,
    pub(crate) at: SqlTimestamp,
}

impl EventColumns {
    pub(crate) fn new(event: &domain::OrderEvent) -> QueryResult<Self> {
        let (actor_id, actor_email) = actor_columns(&event.by);
        Ok(Self {
            id: event.id.uuid(),
            kind: event_json::kind(&event.kind),
            data: event_json::write(&event.kind)?,
            actor_id,
            actor_email,
            at: event.at.to_diesel(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::orders, check_for_backend(diesel::pg::Pg))]
pub(crate) struct OrderRow {
    id: Uuid,
    buyer_id: Uuid,
    contact_name: String,
    contact_email: String,
    contact_phone: String,
    contact_address: String,
    product_id: Uuid,
    product_name: String,
    category: String,
    details: String,
    img: String,
    part_number: Option<String>,
    unit_price_cents: i64,
    quantity: i32,
    total_cents: i64,
    vehicle: Option<Value>,
    #[diesel(embed)]
    purchase: PurchaseRow,
    number: Option<i64>,
    reserved_until: Option<SqlTimestamp>,
    placed_at: SqlTimestamp,
    payment_state: String,
    transaction_id: Option<String>,
    paid_at: Option<SqlTimestamp>,
    refunded_at: Option<SqlTimestamp>,
    fulfilment: String,
    shipped_at: Option<SqlTimestamp>,
    cancelled_at: Option<SqlTimestamp>,
    shipped_units: i32,
    refunded_cents: i64,
}

impl OrderRow {
    fn state(&self, decoder: RowDecoder) -> QueryResult<OrderState> {
        let transaction = || -> QueryResult<TransactionId> {
            let id = self.transaction_id.as_deref();
            decoder.maybe("transaction_id", id)?.ok_or_else(|| decoder.refuse("transaction_id", "null"))
        };
        let payment = match self.payment_state.as_str() {
            "unpaid" => Payment::Unpaid,
            "paid" => Payment::Paid { transaction: transaction()?, at: decoder.moment("paid_at", self.paid_at)? },
            "refunded" => {
                Payment::Refunded { transaction: transaction()?, at: decoder.moment("refunded_at", self.refunded_at)? }
            }
            other => return Err(decoder.refuse("payment_state", other)),
        };
        let shipped_at = match self.fulfilment.as_str() {
            "pending" => None,
            "shipped" => Some(decoder.moment("shipped_at", self.shipped_at)?),
            other => return Err(decoder.refuse("fulfilment", other)),
        };
        let cancelled_at = self.cancelled_at.map(SqlTimestamp::to_jiff);
        OrderState::from_parts(payment, shipped_at, cancelled_at)
            .ok_or_else(|| decoder.refuse("payment_state, fulfilment and cancelled_at", "in which no order can be"))
    }
}

impl TryFrom<OrderRow> for Order {
    type Error = Error;

    fn try_from(row: OrderRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "order", id: row.id };
        let contact = Contact {
            name: decoder.text("contact_name", &row.contact_name)?,
            email: decoder.parse::<Email>("contact_email", &row.contact_email)?,
            phone: decoder.text("contact_phone", &row.contact_phone)?,
            address: decoder.text("contact_address", &row.contact_address)?,
        };
        let item = Item {
            product: ProductId::new(row.product_id),
            name: decoder.text("product_name", &row.product_name)?,
            category: decoder.parse("category", &row.category)?,
            details: decoder.text("details", &row.details)?,
            img: decoder.parse("img", &row.img)?,
            part_number: decoder.maybe_text("part_number", row.part_number.as_deref())?,
            unit_price: decoder.unit_price("unit_price_cents", row.unit_price_cents)?,
            quantity: decoder.quantity("quantity", i64::from(row.quantity))?,
            total: decoder.money("total_cents", row.total_cents)?,
            vehicle: row.vehicle.clone().map(|json| vehicle_json::read(decoder, json)).transpose()?,
            purchase: row.purchase.read(decoder)?,
        };
        let state = row.state(decoder)?;
        let shipped_units = u32::try_from(row.shipped_units).map_err(|why| decoder.refuse("shipped_units", &why))?;
        Ok(Self {
            id: OrderId::new(row.id),
            assigned: StoreAssigned {
                number: row.number.map(|number| decoder.number("number", number)).transpose()?,
                reserved_until: row.reserved_until.map(SqlTimestamp::to_jiff),
            },
            customer: AccountId::new(row.buyer_id),
            contact,
            placed_at: row.placed_at.to_jiff(),
            // An order that was shipped before there were shipments has none.
            refunded: decoder.money("refunded_cents", row.refunded_cents)?,
            shipped_units: if state.shipped_at().is_some() { item.quantity.get() } else { shipped_units },
            item,
            state,
        })
    }
}
