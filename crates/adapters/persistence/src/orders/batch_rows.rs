//! The rows of a batch of orders.

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Bool, Bytea, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
};
use domain::Item;
use domain::payments::payment::is_chargeable;
use jiff_diesel::ToDiesel;
use ports::NewOrder;

use crate::orders::placing::search_key;
use crate::orders::rows::EventColumns;
use crate::platform::decode::to_i32;
use crate::platform::idempotency;
use crate::platform::sql_file::sql_file;

/// An order of a batch, and its first event.
pub(crate) struct Row<'a> {
    new: &'a NewOrder,
    quantity: i32,
    event: EventColumns,
}

impl<'a> Row<'a> {
    pub(crate) fn of(new: &'a NewOrder) -> QueryResult<Self> {
        let quantity = to_i32(new.order.item.quantity.get())?;
        Ok(Self { new, quantity, event: EventColumns::new(&new.event)? })
    }
}

/// A column: the value of each order.
fn each<'a, T>(rows: &'a [Row<'a>], value: impl Fn(&'a Row<'a>) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

fn of_items<'a, T>(rows: &'a [Row<'a>], value: impl Fn(&'a Item) -> T) -> Vec<T> {
    each(rows, |row| value(&row.new.order.item))
}

/// Places those orders that nothing stands in the way of: all of them, if they have been judged in this transaction.
/// Returns of each whether it was placed.
pub(crate) fn place_orders(
    connection: &mut PgConnection,
    rows: &[Row<'_>],
    are_judged: bool,
) -> QueryResult<Vec<bool>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<_> = each(rows, |row| idempotency::columns(row.new.idempotency_key));
    let (keys, fingerprints): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
    let found: Vec<i64> = sql_file!("place_orders.sql" => BigInt, {
        are_judged: Bool = are_judged,
        ids: Array<SqlUuid> = each(rows, |row| row.new.order.id.uuid()),
        customers: Array<SqlUuid> = each(rows, |row| row.new.order.customer.uuid()),
        contact_names: Array<Text> = each(rows, |row| row.new.order.contact.name.as_str()),
        contact_emails: Array<Text> = each(rows, |row| row.new.order.contact.email.as_str()),
        contact_phones: Array<Text> = each(rows, |row| row.new.order.contact.phone.as_str()),
        contact_addresses: Array<Text> = each(rows, |row| row.new.order.contact.address.as_str()),
        products: Array<SqlUuid> = of_items(rows, |item| item.product.uuid()),
        product_names: Array<Text> = of_items(rows, |item| item.name.as_str()),
        categories: Array<Text> = of_items(rows, |item| item.category.as_str()),
        details_of: Array<Text> = of_items(rows, |item| item.details.as_str()),
        imgs: Array<Text> = of_items(rows, |item| item.img.as_str()),
        part_numbers: Array<Nullable<Text>> = of_items(rows, |item| item.part_number.as_ref().map(domain::Text::as_str)),
        unit_prices_cents: Array<BigInt> = of_items(rows, |item| item.unit_price.money().cents()),
        list_prices_cents: Array<BigInt> = each(rows, |row| row.new.basis.list.money().cents()),
        price_epochs: Array<BigInt> = each(rows, |row| row.new.basis.epoch.0),
        quantities: Array<Integer> = each(rows, |row| row.quantity),
        totals_cents: Array<BigInt> = of_items(rows, |item| item.total.cents()),
        times_placed: Array<Timestamptz> = each(rows, |row| row.new.order.placed_at.to_diesel()),
        are_limited: Array<Bool> = each(rows, |row| row.new.reservations.most_new.is_some()),
        are_above_card_max: Array<Bool> = of_items(rows, |item| !is_chargeable(item.total)),
        ttls_seconds: Array<Double> = each(rows, |row| row.new.reservations.usual.as_secs_f64()),
        new_account_ttls_seconds: Array<Double> = each(rows, |row| row.new.reservations.new.as_secs_f64()),
        idempotency_keys: Array<Nullable<Bytea>> = keys,
        request_fingerprints: Array<Nullable<Bytea>> = fingerprints,
        are_claimed: Array<Bool> = each(rows, |row| row.new.holds_claim),
        search_keys: Array<Text> = each(rows, |row| search_key(row.new)),
        events: Array<SqlUuid> = each(rows, |row| row.event.id),
        events_data: Array<Jsonb> = each(rows, |row| &row.event.data),
        events_at: Array<Timestamptz> = each(rows, |row| row.event.at),
        actor_ids: Array<Nullable<SqlUuid>> = each(rows, |row| row.event.actor_id),
        actor_emails: Array<Nullable<Text>> = each(rows, |row| row.event.actor_email.as_deref()),
    })
    .load(connection)?;
    let mut placed = vec![false; rows.len()];
    for place in found {
        let index = usize::try_from(place - 1).ok();
        let one = index.and_then(|index| placed.get_mut(index)).ok_or(diesel::result::Error::RollbackTransaction)?;
        *one = true;
    }
    Ok(placed)
}
