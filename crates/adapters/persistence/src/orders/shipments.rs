//! Shipments of orders.

use std::num::NonZeroU32;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use domain::orders::shipment::Tracking;
use domain::{OrderId, Shipment, ShipmentId};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{IdempotencyKey, NewShipment, ShipmentRepository, ShipmentSent, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::orders::changing::try_to_change;
use crate::platform::decode::{RowDecoder, decode_all, to_i32};
use crate::platform::idempotency::{columns, same_request};
use crate::schema::{orders, shipments};

#[async_trait]
impl ShipmentRepository for Database {
    async fn send(&self, new: &NewShipment) -> Result<ShipmentSent, StoreError> {
        let new = new.clone();
        self.run(move |connection| match connection.transaction(|connection| send(connection, &new)) {
            Err(Error::RollbackTransaction) => Ok(ShipmentSent::Conflict),
            sent => sent,
        })
        .await
    }

    async fn sent_under(
        &self,
        order: OrderId,
        idempotency_key: IdempotencyKey,
    ) -> Result<Option<ShipmentId>, StoreError> {
        self.read(move |connection| sent_under(connection, order, idempotency_key)).await
    }

    async fn of_order(&self, order: OrderId) -> Result<Vec<Shipment>, StoreError> {
        self.read(move |connection| {
            let own = shipments::table.filter(shipments::order_id.eq(order.uuid()));
            let oldest_first = own.order((shipments::sent_at, shipments::id));
            decode_all(oldest_first.select(ShipmentRow::as_select()).load(connection)?)
        })
        .await
    }
}

fn send(connection: &mut PgConnection, new: &NewShipment) -> QueryResult<ShipmentSent> {
    let NewShipment { shipment, shipped_before, change, idempotency_key } = new;
    // Shipments of one order are written one after the other.
    let order = orders::table.find(shipment.order.uuid()).select(orders::shipped_units).for_update();
    let now: i32 = order.first(connection)?;
    if let Some(key) = idempotency_key
        && let Some(known) = sent_under(connection, shipment.order, *key)?
    {
        return Ok(ShipmentSent::Known(known));
    }
    if now != to_i32(*shipped_before)? {
        return Err(Error::RollbackTransaction);
    }
    let (once_key, once_fingerprint) = columns(*idempotency_key);
    let Tracking { carrier, number, url } = &shipment.tracking;
    diesel::insert_into(shipments::table)
        .values((
            shipments::id.eq(shipment.id.uuid()),
            shipments::order_id.eq(shipment.order.uuid()),
            shipments::units.eq(to_i32(shipment.units.get())?),
            shipments::carrier.eq(carrier.as_ref().map(ToString::to_string)),
            shipments::tracking_number.eq(number.as_ref().map(ToString::to_string)),
            shipments::tracking_url.eq(url.as_ref().map(ToString::to_string)),
            shipments::sent_at.eq(shipment.sent_at.to_diesel()),
            shipments::once_key.eq(once_key),
            shipments::once_fingerprint.eq(once_fingerprint),
        ))
        .execute(connection)
        .map_err(|error| match error {
            // Cancelled since, or more units than are left.
            Error::DatabaseError(DatabaseErrorKind::CheckViolation, _) => Error::RollbackTransaction,
            other => other,
        })?;
    // An order that is shipped now has no units left, so that its event adds no shipment.
    if try_to_change(connection, change)? { Ok(ShipmentSent::Written) } else { Err(Error::RollbackTransaction) }
}

fn sent_under(
    connection: &mut PgConnection,
    order: OrderId,
    idempotency_key: IdempotencyKey,
) -> QueryResult<Option<ShipmentId>> {
    let known: Option<(Uuid, Option<Vec<u8>>)> = shipments::table
        .filter(shipments::order_id.eq(order.uuid()))
        .filter(shipments::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((shipments::id, shipments::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((known, fingerprint)) = known else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(ShipmentId::new(known)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = shipments, check_for_backend(diesel::pg::Pg))]
struct ShipmentRow {
    id: Uuid,
    order_id: Uuid,
    units: i32,
    carrier: Option<String>,
    tracking_number: Option<String>,
    tracking_url: Option<String>,
    sent_at: SqlTimestamp,
}

impl TryFrom<ShipmentRow> for Shipment {
    type Error = Error;

    fn try_from(row: ShipmentRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "shipment", id: row.id };
        let units = u32::try_from(row.units).ok().and_then(NonZeroU32::new);
        Ok(Self {
            id: ShipmentId::new(row.id),
            order: OrderId::new(row.order_id),
            units: units.ok_or_else(|| decoder.refuse("units", &row.units))?,
            tracking: Tracking {
                carrier: decoder.maybe_text("carrier", row.carrier.as_deref())?,
                number: decoder.maybe_text("tracking_number", row.tracking_number.as_deref())?,
                url: decoder.maybe("tracking_url", row.tracking_url.as_deref())?,
            },
            sent_at: row.sent_at.to_jiff(),
        })
    }
}
