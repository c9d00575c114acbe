//! The rows of a batch of orders.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bytea, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use domain::Item;
use jiff_diesel::ToDiesel;
use ports::NewOrder;

use crate::orders::placing::search_key;
use crate::orders::rows::EventColumns;
use crate::platform::decode::to_i32;
use crate::platform::idempotency;
use crate::platform::sql_file::sql_file;

/// An order that was accepted, and its first event.
pub(crate) struct Accepted<'a> {
    new: &'a NewOrder,
    ttl: Duration,
    quantity: i32,
    event: EventColumns,
}

impl<'a> Accepted<'a> {
    pub(crate) fn new(new: &'a NewOrder, ttl: Duration) -> QueryResult<Self> {
        let quantity = to_i32(new.order.item.quantity.get())?;
        Ok(Self { new, ttl, quantity, event: EventColumns::new(&new.event)? })
    }
}

/// A column: the value of each order.
fn each<'a, T>(accepted: &'a [Accepted<'a>], value: impl Fn(&'a Accepted<'a>) -> T) -> Vec<T> {
    accepted.iter().map(value).collect()
}

fn of_items<'a, T>(accepted: &'a [Accepted<'a>], value: impl Fn(&'a Item) -> T) -> Vec<T> {
    each(accepted, |one| value(&one.new.order.item))
}

/// Places orders that were judged in the same transaction.
pub(crate) fn place_orders(connection: &mut PgConnection, accepted: &[Accepted<'_>]) -> QueryResult<()> {
    if accepted.is_empty() {
        return Ok(());
    }
    let keys: Vec<_> = each(accepted, |one| idempotency::columns(one.new.idempotency_key));
    let (keys, fingerprints): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
    let mut sold = BTreeMap::<_, i32>::new();
    for one in accepted {
        let units = sold.entry(one.new.order.item.product.uuid()).or_default();
        *units = units.saturating_add(one.quantity);
    }
    let (products_sold, units_sold): (Vec<_>, Vec<_>) = sold.into_iter().unzip();
    let placed: i64 = sql_file!("place_orders.sql" => BigInt, {
        ids: Array<SqlUuid> = each(accepted, |one| one.new.order.id.uuid()),
        customers: Array<SqlUuid> = each(accepted, |one| one.new.order.customer.uuid()),
        contact_names: Array<Text> = each(accepted, |one| one.new.order.contact.name.as_str()),
        contact_emails: Array<Text> = each(accepted, |one| one.new.order.contact.email.as_str()),
        contact_phones: Array<Text> = each(accepted, |one| one.new.order.contact.phone.as_str()),
        contact_addresses: Array<Text> = each(accepted, |one| one.new.order.contact.address.as_str()),
        products: Array<SqlUuid> = of_items(accepted, |item| item.product.uuid()),
        product_names: Array<Text> = of_items(accepted, |item| item.name.as_str()),
        categories: Array<Text> = of_items(accepted, |item| item.category.as_str()),
        details_of: Array<Text> = of_items(accepted, |item| item.details.as_str()),
        imgs: Array<Text> = of_items(accepted, |item| item.img.as_str()),
        part_numbers: Array<Nullable<Text>> =
            of_items(accepted, |item| item.part_number.as_ref().map(domain::Text::as_str)),
        unit_prices_cents: Array<BigInt> = of_items(accepted, |item| item.unit_price.money().cents()),
        quantities: Array<Integer> = each(accepted, |one| one.quantity),
        totals_cents: Array<BigInt> = of_items(accepted, |item| item.total.cents()),
        times_placed: Array<Timestamptz> = each(accepted, |one| one.new.order.placed_at.to_diesel()),
        ttls_seconds: Array<Double> = each(accepted, |one| one.ttl.as_secs_f64()),
        idempotency_keys: Array<Nullable<Bytea>> = keys,
        request_fingerprints: Array<Nullable<Bytea>> = fingerprints,
        search_keys: Array<Text> = each(accepted, |one| search_key(one.new)),
        events: Array<SqlUuid> = each(accepted, |one| one.event.id),
        events_data: Array<Jsonb> = each(accepted, |one| &one.event.data),
        events_at: Array<Timestamptz> = each(accepted, |one| one.event.at),
        actor_ids: Array<Nullable<SqlUuid>> = each(accepted, |one| one.event.actor_id),
        products_sold: Array<SqlUuid> = products_sold,
        units_sold: Array<Integer> = units_sold,
        actor_emails: Array<Nullable<Text>> = each(accepted, |one| one.event.actor_email.as_deref()),
    })
    .get_result(connection)?;
    let expected = i64::try_from(accepted.len()).unwrap_or(i64::MAX);
    if placed == expected { Ok(()) } else { Err(diesel::result::Error::RollbackTransaction) }
}
