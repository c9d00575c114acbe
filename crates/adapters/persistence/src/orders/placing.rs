//! Placing an order.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Bytea, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::payments::payment::{CARD_MAX, is_chargeable};
use jiff_diesel::ToDiesel;
use ports::NewOrder;
use uuid::Uuid;

use crate::orders::rows::EventColumns;
use crate::platform::decode::to_i32;
use crate::platform::idempotency;
use crate::platform::search;
use crate::platform::sql_file::sql_file;

/// Places an order and returns its id; [`diesel::NotFound`] if nothing was done.
///
/// With a limit, no other order of the customer may be placed at the same time: the caller has to ensure that.
pub(crate) fn place_order(
    connection: &mut PgConnection,
    new: &NewOrder,
    unpaid_limit: Option<u32>,
) -> QueryResult<Uuid> {
    let (order, contact, item) = (&new.order, &new.order.contact, &new.order.item);
    let (idempotency_key, request_fingerprint) = idempotency::columns(new.idempotency_key);
    let event = EventColumns::new(&new.event)?;
    sql_file!("place_order.sql" => SqlUuid, {
        id: SqlUuid = order.id.uuid(),
        customer: SqlUuid = order.customer.uuid(),
        contact_name: Text = contact.name.as_str(),
        contact_email: Text = contact.email.as_str(),
        contact_phone: Text = contact.phone.as_str(),
        contact_address: Text = contact.address.as_str(),
        product: SqlUuid = item.product.uuid(),
        product_name: Text = item.name.as_str(),
        category: Text = item.category.as_str(),
        details: Text = item.details.as_str(),
        img: Text = item.img.as_str(),
        part_number: Nullable<Text> = item.part_number.as_ref().map(domain::Text::as_str),
        unit_price_cents: BigInt = item.unit_price.money().cents(),
        quantity: Integer = to_i32(item.quantity.get())?,
        total_cents: BigInt = item.total.cents(),
        placed_at: Timestamptz = order.placed_at.to_diesel(),
        usual_ttl_seconds: Double = new.reservations.usual.as_secs_f64(),
        new_account_ttl_seconds: Double = new.reservations.new.as_secs_f64(),
        unpaid_limit: Nullable<BigInt> = unpaid_limit.map(i64::from),
        is_above_card_max: Bool = !is_chargeable(item.total),
        card_max_cents: BigInt = CARD_MAX.cents(),
        idempotency_key: Nullable<Bytea> = idempotency_key,
        request_fingerprint: Nullable<Bytea> = request_fingerprint,
        search_key: Text = search_key(new),
        event: SqlUuid = event.id,
        event_kind: Text = event.kind,
        event_data: Jsonb = event.data,
        event_at: Timestamptz = event.at,
        actor_id: Nullable<SqlUuid> = event.actor_id,
        actor_email: Nullable<Text> = event.actor_email,
    })
    .get_result(connection)
}

/// All of the search key but the order number, which the statement appends.
fn search_key(new: &NewOrder) -> String {
    let (order, contact) = (&new.order, &new.order.contact);
    let (name, id) = (order.item.name.as_str(), order.id.to_string());
    search::key(&[contact.name.as_str(), contact.email.as_str(), contact.phone.as_str(), name, &id, "DL-"])
}

/// Whether the limit of unpaid orders allows this one.
pub(crate) fn is_within_unpaid_limit(
    connection: &mut PgConnection,
    new: &NewOrder,
    unpaid_limit: Option<u32>,
) -> QueryResult<bool> {
    sql_file!("within_unpaid_limit.sql" => Bool, {
        customer: SqlUuid = new.order.customer.uuid(),
        unpaid_limit: Nullable<BigInt> = unpaid_limit.map(i64::from),
        is_above_card_max: Bool = !is_chargeable(new.order.item.total),
        card_max_cents: BigInt = CARD_MAX.cents(),
    })
    .get_result(connection)
}
