//! Placing one order by itself.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{BigInt, Bool, Bytea, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::payments::payment::{CARD_MAX, is_chargeable};
use domain::{AccountId, OrderId, PartKey, Stock};
use jiff_diesel::ToDiesel;
use ports::{IdempotencyKey, NewOrder};
use uuid::Uuid;

use crate::orders::rows::EventColumns;
use crate::platform::decode::{RowDecoder, to_i32};
use crate::platform::idempotency::{self, not_of_a_feed, same_request, unclaimed};
use crate::platform::search;
use crate::platform::sql_file::sql_file;
use crate::schema::{accounts, checkouts, orders, price_epoch, products};

/// How often to try to place an order when the reason that stopped it is gone by the time it is looked up.
const TRIES: u32 = 5;

/// What became of an order.
pub(crate) enum Placed {
    As(OrderId),
    Refused(PlaceRefused),
    Contended,
}

/// Places an order and returns its id; [`diesel::NotFound`] if nothing was done.
///
/// With a limit, no other order of the customer may be placed at the same time: the caller has to ensure that.
fn place_order(connection: &mut PgConnection, new: &NewOrder, unpaid_limit: Option<u32>) -> QueryResult<Uuid> {
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
        list_price_cents: BigInt = new.basis.list.money().cents(),
        price_epoch: BigInt = new.basis.epoch.0,
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
pub(crate) fn search_key(new: &NewOrder) -> String {
    let (item, contact, id) = (&new.order.item, &new.order.contact, new.order.id.to_string());
    let mut texts = vec![contact.name.as_str(), contact.email.as_str(), contact.phone.as_str(), item.name.as_str()];
    let po_number = item.purchase.as_ref().and_then(|purchase| purchase.po_number.as_ref());
    texts.extend(po_number.map(domain::Text::as_str));
    let part_number = item.part_number.as_ref().map(domain::Text::as_str);
    let part_key = part_number.and_then(|number| PartKey::new(number).ok());
    texts.extend(part_number);
    // However the number is written.
    texts.extend(part_key.as_ref().map(PartKey::as_str));
    texts.extend([id.as_str(), "DL-"]);
    search::key(&texts)
}

/// Whether the limit of unpaid orders allows this one.
fn is_within_unpaid_limit(
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

/// Places an order by itself, waiting for the rows that it needs.
pub(crate) fn place(connection: &mut PgConnection, new: &NewOrder) -> QueryResult<Placed> {
    if let Some(key) = new.idempotency_key.filter(|_| !new.holds_claim) {
        unclaimed(connection, key)?;
    }
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

pub(crate) fn placed_under(
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

/// Whether a checkout was placed under a key. Its orders have no key of their own.
fn is_of_checkout(connection: &mut PgConnection, customer: AccountId, key: IdempotencyKey) -> QueryResult<bool> {
    let placed = checkouts::table
        .filter(checkouts::buyer_id.eq(customer.uuid()))
        .filter(checkouts::once_key.eq(key.key.0.to_vec()));
    diesel::select(diesel::dsl::exists(placed)).get_result(connection)
}

/// Why no order was placed, or that it was placed before; `None` if nothing stands in the way any more.
fn obstacle(connection: &mut PgConnection, new: &NewOrder, most: Option<u32>) -> QueryResult<Option<Placed>> {
    let item = &new.order.item;
    if let Some(key) = new.idempotency_key {
        if let Some(first) = placed_under(connection, new.order.customer, key)? {
            return Ok(Some(Placed::As(first)));
        }
        if is_of_checkout(connection, new.order.customer, key)? {
            return Err(idempotency::reused());
        }
        not_of_a_feed(connection, key)?;
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
    let epoch: i64 = price_epoch::table.select(price_epoch::epoch).first(connection)?;
    Ok(if now != new.basis.list || epoch != new.basis.epoch.0 {
        Some(Placed::Refused(item.price_changed(now)))
    } else if left < Stock::from(item.quantity) {
        Some(Placed::Refused(TakeRefused::NotEnough { left }.into()))
    } else if !is_within_unpaid_limit(connection, new, most)? {
        Some(Placed::Refused(PlaceRefused::TooManyUnpaid { most: most.unwrap_or_default() }))
    } else {
        None
    })
}
