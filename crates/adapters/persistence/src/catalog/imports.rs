//! Imports of many products.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Product;
use jiff_diesel::ToDiesel;
use ports::{Imported, NewProducts};

use crate::accounts::rows::actor_columns;
use crate::catalog::arrivals::{Arrival, receive};
use crate::catalog::rows::NewRow;
use crate::platform::idempotency::{self, same_request};
use crate::schema::{imports, products};

/// Products per INSERT statement: Postgres accepts 65,535 parameters in one statement, and a product has fewer than 65.
const AT_ONCE: usize = 1_000;

/// Of an earlier import: how many products it added, the positions it left out, and its request fingerprint.
type ImportRow = (i32, Vec<Option<i32>>, Option<Vec<u8>>);

/// Advisory lock that serialises imports, so that none misses what another is about to add. The number is arbitrary.
const IMPORT_LOCK: i64 = 6_275_309_417;

/// Adds many products, or the response of an earlier import with the same key.
pub(crate) fn add_all(connection: &mut PgConnection, new: &NewProducts) -> QueryResult<Imported> {
    diesel::sql_query("SELECT pg_advisory_xact_lock($1)").bind::<BigInt, _>(IMPORT_LOCK).execute(connection)?;
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    if let Some(idempotency_key) = new.idempotency_key {
        let before: Option<ImportRow> = imports::table
            .filter(imports::once_key.eq(&once_key))
            .select((imports::added, imports::left_out, imports::once_fingerprint))
            .first(connection)
            .optional()?;
        if let Some((added, left_out, fingerprint)) = before {
            same_request(idempotency_key, fingerprint.as_deref())?;
            let added = usize::try_from(added).unwrap_or_default();
            let duplicates = left_out.into_iter().flatten().filter_map(|place| usize::try_from(place).ok()).collect();
            return Ok(Imported { added, duplicates });
        }
    }
    let duplicates = duplicates(connection, &new.products)?;
    if !duplicates.is_empty() && !new.partial {
        return Ok(Imported { added: 0, duplicates });
    }
    let adding: Vec<&Product> = new
        .products
        .iter()
        .enumerate()
        .filter(|(place, _)| duplicates.binary_search(place).is_err())
        .map(|(_, product)| product)
        .collect();
    for some in adding.chunks(AT_ONCE) {
        let fresh: Vec<NewRow> = some.iter().map(|product| NewRow::new(product, None)).collect::<QueryResult<_>>()?;
        diesel::insert_into(products::table).values(&fresh).execute(connection)?;
        let arrivals: Vec<Arrival> = some.iter().map(|product| Arrival::of(product)).collect::<QueryResult<_>>()?;
        receive(connection, &arrivals, &new.by, new.at)?;
    }
    let (actor_id, actor_email) = actor_columns(&new.by);
    let left_out: Vec<i32> = duplicates.iter().filter_map(|place| i32::try_from(*place).ok()).collect();
    diesel::insert_into(imports::table)
        .values((
            imports::added.eq(i32::try_from(adding.len()).unwrap_or(i32::MAX)),
            imports::left_out.eq(left_out),
            imports::actor_id.eq(actor_id),
            imports::actor_email.eq(actor_email),
            imports::at.eq(new.at.to_diesel()),
            imports::once_key.eq(once_key),
            imports::once_fingerprint.eq(once_fingerprint),
        ))
        .execute(connection)?;
    Ok(Imported { added: adding.len(), duplicates })
}

/// The positions of the products that have a duplicate for sale.
pub(crate) fn duplicates(connection: &mut PgConnection, wanted: &[Product]) -> QueryResult<Vec<usize>> {
    let names: Vec<&str> = wanted.iter().map(|product| product.details.name.as_str()).collect();
    let there: Vec<(String, String, String)> = products::table
        .filter(products::archived_at.is_null())
        .filter(products::name.eq_any(names))
        .select((products::name, products::category, products::img))
        .load(connection)?;
    let there: HashSet<(&str, &str, &str)> =
        there.iter().map(|(name, category, img)| (name.as_str(), category.as_str(), img.as_str())).collect();
    let is_there = |product: &Product| {
        let (name, category, img) = product.details.selector();
        there.contains(&(name, category.as_str(), img))
    };
    Ok(wanted.iter().enumerate().filter(|(_, product)| is_there(product)).map(|(place, _)| place).collect())
}
