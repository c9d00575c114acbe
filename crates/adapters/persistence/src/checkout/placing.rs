//! Placing a checkout: its row and all its orders, or nothing.
//!
//! Locks are taken as everywhere: the account, then the products by id. The statement that places a batch of orders then
//! places these, judged.

use std::collections::HashMap;

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Timestamptz, Uuid as SqlUuid};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{CheckoutId, CheckoutNumber, PartKey, Stock};
use jiff_diesel::ToDiesel;
use ports::{CheckoutPlaced, IdempotencyKey, NewCheckout};
use uuid::Uuid;

use crate::checkout::rows::{address_json, taxes_json};
use crate::orders::batch_rows::{Row, place_orders};
use crate::platform::decode::RowDecoder;
use crate::platform::idempotency::{self, not_of_a_feed, same_request, unclaimed};
use crate::platform::search;
use crate::schema::{accounts, checkouts, orders, price_epoch, products};

/// What became of a checkout.
pub(super) enum Outcome {
    Placed(CheckoutPlaced),
    Lines(Vec<(u16, PlaceRefused)>),
    OneUnpaid,
}

pub(super) fn placed_under(
    connection: &mut PgConnection,
    customer: Uuid,
    key: IdempotencyKey,
) -> QueryResult<Option<CheckoutId>> {
    let first: Option<(Uuid, Option<Vec<u8>>)> = checkouts::table
        .filter(checkouts::buyer_id.eq(customer))
        .filter(checkouts::once_key.eq(key.key.0.to_vec()))
        .select((checkouts::id, checkouts::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = first else { return Ok(None) };
    same_request(key, fingerprint.as_deref())?;
    Ok(Some(CheckoutId::new(first)))
}

/// Places a checkout, or says what stands in the way of which line.
pub(super) fn place(connection: &mut PgConnection, new: &NewCheckout) -> QueryResult<Outcome> {
    let customer = new.checkout.customer.uuid();
    if let Some(key) = new.idempotency_key {
        if !new.holds_claim {
            unclaimed(connection, key)?;
        }
        if let Some(first) = placed_under(connection, customer, key)? {
            return Ok(Outcome::Placed(CheckoutPlaced::Before(first)));
        }
        not_of_a_feed(connection, key)?;
    }
    let mut refused = Outcome::OneUnpaid;
    let placed = connection.transaction(|connection| {
        if new.reservations.most_new.is_some() && !may_have_another(connection, customer)? {
            return Err(Error::RollbackTransaction);
        }
        let refusals = judge(connection, new)?;
        if !refusals.is_empty() {
            refused = Outcome::Lines(refusals);
            return Err(Error::RollbackTransaction);
        }
        let number = insert(connection, new)?;
        let rows = new.orders.iter().map(Row::of).collect::<QueryResult<Vec<_>>>()?;
        // All of them pass: they are judged, and their products locked.
        if place_orders(connection, &rows, true)?.contains(&false) {
            return Err(Error::NotFound);
        }
        announce(connection, new)?;
        Ok(number)
    });
    match (placed, new.idempotency_key) {
        (Ok(number), _) => {
            let number = CheckoutNumber::new(number).map_err(|why| Error::DeserializationError(Box::new(why)))?;
            Ok(Outcome::Placed(CheckoutPlaced::Now { id: new.checkout.id, number }))
        }
        // The same request was committed after this one looked for it.
        (Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info)), Some(key))
            if info.constraint_name() == Some("checkouts_once") =>
        {
            let first = placed_under(connection, customer, key)?.ok_or(Error::NotFound)?;
            Ok(Outcome::Placed(CheckoutPlaced::Before(first)))
        }
        // The first request may be the very reason for the refusal: it has the units that are missing now.
        (Err(Error::RollbackTransaction), Some(key)) => match placed_under(connection, customer, key)? {
            Some(first) => Ok(Outcome::Placed(CheckoutPlaced::Before(first))),
            None => Ok(refused),
        },
        (Err(Error::RollbackTransaction), None) => Ok(refused),
        (Err(error), _) => Err(error),
    }
}

/// Whether an account may place another checkout: it has paid before, or none of its checkouts is unpaid. The account is
/// locked, so that two requests do not both find none.
fn may_have_another(connection: &mut PgConnection, customer: Uuid) -> QueryResult<bool> {
    let paid = orders::table.filter(orders::buyer_id.eq(customer)).filter(orders::transaction_id.is_not_null());
    let locked = accounts::table
        .find(customer)
        .filter(not(exists(paid)))
        .select(accounts::id)
        .for_no_key_update()
        .first::<Uuid>(connection)
        .optional()?;
    if locked.is_none() {
        return Ok(true);
    }
    let unpaid = orders::table
        .filter(orders::buyer_id.eq(customer))
        .filter(orders::checkout_id.is_not_null())
        .filter(orders::payment_state.eq("unpaid"))
        .filter(orders::fulfilment.eq("pending"))
        .filter(orders::cancelled_at.is_null());
    diesel::select(not(exists(unpaid))).get_result(connection)
}

/// Locks the products and judges each order by what they are now. Every product is on one order only.
fn judge(connection: &mut PgConnection, new: &NewCheckout) -> QueryResult<Vec<(u16, PlaceRefused)>> {
    let ids: Vec<Uuid> = new.orders.iter().map(|new| new.order.item.product.uuid()).collect();
    let locked: Vec<(Uuid, i32, i64)> = products::table
        .filter(products::id.eq_any(ids))
        .filter(products::archived_at.is_null())
        .order(products::id)
        .select((products::id, products::available, products::price_cents))
        .for_no_key_update()
        .load(connection)?;
    let epoch: i64 = price_epoch::table.select(price_epoch::epoch).first(connection)?;
    let found: HashMap<Uuid, (i32, i64)> = locked.into_iter().map(|(id, left, price)| (id, (left, price))).collect();
    let mut refusals = Vec::new();
    for new in &new.orders {
        let item = &new.order.item;
        let line = item.line().map_or(0, |line| line.line);
        let Some((available, price)) = found.get(&item.product.uuid()) else {
            refusals.push((line, PlaceRefused::Gone));
            continue;
        };
        let decoder = RowDecoder { what: "product", id: item.product.uuid() };
        let now = decoder.unit_price("price_cents", *price)?;
        let left = decoder.stock("available", *available)?;
        if now != new.basis.list || epoch != new.basis.epoch.0 {
            refusals.push((line, item.price_changed(now)));
        } else if left < Stock::from(item.quantity) {
            refusals.push((line, TakeRefused::NotEnough { left }.into()));
        }
    }
    Ok(refusals)
}

fn insert(connection: &mut PgConnection, new: &NewCheckout) -> QueryResult<i64> {
    let checkout = &new.checkout;
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    diesel::insert_into(checkouts::table)
        .values((
            (
                checkouts::id.eq(checkout.id.uuid()),
                checkouts::buyer_id.eq(checkout.customer.uuid()),
                checkouts::contact_name.eq(checkout.contact.name.as_str()),
                checkouts::contact_email.eq(checkout.contact.email.as_str()),
                checkouts::contact_phone.eq(checkout.contact.phone.as_str()),
                checkouts::address.eq(address_json(&checkout.address)?),
                checkouts::po_number.eq(checkout.po_number.as_ref().map(domain::Text::as_str)),
                checkouts::note.eq(checkout.note.as_ref().map(domain::Text::as_str)),
                checkouts::terms.eq(checkout.terms.as_str()),
            ),
            (
                checkouts::shipping_method_id.eq(checkout.method.as_ref().map(|method| method.id.0)),
                checkouts::shipping_method.eq(checkout.method.as_ref().map(|method| method.name.as_str())),
                checkouts::goods_cents.eq(checkout.goods.cents()),
                checkouts::shipping_cents.eq(checkout.shipping.map(domain::Money::cents)),
                checkouts::tax_cents.eq(checkout.tax.map(domain::Money::cents)),
                checkouts::taxes.eq(taxes_json(&checkout.taxes)?),
                checkouts::placed_at.eq(checkout.placed_at.to_diesel()),
                checkouts::search_key.eq(search_key(new)),
                checkouts::once_key.eq(once_key),
                checkouts::once_fingerprint.eq(once_fingerprint),
            ),
        ))
        .returning(checkouts::number)
        .get_result(connection)
}

/// Queues the webhooks about it.
fn announce(connection: &mut PgConnection, new: &NewCheckout) -> QueryResult<()> {
    diesel::sql_query("SELECT checkout_to_endpoints($1, 'checkout.placed', $2)")
        .bind::<SqlUuid, _>(new.checkout.id.uuid())
        .bind::<Timestamptz, _>(new.checkout.placed_at.to_diesel())
        .execute(connection)
        .map(drop)
}

/// All that a search looks in but the number, which only the database knows: lists compare it by itself.
fn search_key(new: &NewCheckout) -> String {
    let (checkout, contact) = (&new.checkout, &new.checkout.contact);
    let numbers = new.orders.iter().filter_map(|new| new.order.item.part_number.as_ref());
    let part_keys: Vec<PartKey> = numbers.filter_map(|number| PartKey::new(number.as_str()).ok()).collect();
    let mut texts = vec![contact.name.as_str(), contact.email.as_str(), contact.phone.as_str()];
    texts.extend(checkout.po_number.as_ref().map(domain::Text::as_str));
    texts.extend(checkout.address.company());
    for new in &new.orders {
        texts.push(new.order.item.name.as_str());
        texts.extend(new.order.item.part_number.as_ref().map(domain::Text::as_str));
    }
    // However the numbers are written.
    texts.extend(part_keys.iter().map(PartKey::as_str));
    search::key(&texts)
}
