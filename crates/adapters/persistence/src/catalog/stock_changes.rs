//! Changes to a product's stock and price: restocking, corrections, and their history.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{BigInt, Bytea, Integer, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::catalog::stock::StockDelta;
use domain::{ProductId, Quantity, Stock, UnitPrice};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{IdempotencyKey, Restocking, StockCorrection, StockEvent, StockEventKind};
use uuid::Uuid;

use crate::accounts::rows::actor_columns;
use crate::catalog::arrivals::{Arrival, receive};
use crate::platform::decode::{RowDecoder, to_i32};
use crate::platform::idempotency::{self, same_request};
use crate::platform::sql_file::sql_file;
use crate::schema::{products, restockings, stock_corrections};

pub(crate) enum Restocked {
    Done,
    Unknown,
    TooMuch,
    PriceChanged(UnitPrice),
}

pub(crate) enum Corrected {
    To(Stock),
    Unknown,
    NotEnough(Stock),
    TooMuch,
}

/// First key of the advisory lock, per product, that serialises changes that add units. The number is arbitrary.
const STOCK_LOCK: i32 = 6_275_310;

/// How many units a product has, plus those that cancelled orders could still return: these need room too, or a
/// customer could no longer cancel.
///
/// The advisory lock serialises changes that add units, so this sum can only fall until they are written: an order and
/// its cancellation move units from one part of the sum to the other. The product's own row is not locked while the
/// orders are counted, or every order for it would wait.
fn taken(connection: &mut PgConnection, product: Uuid) -> QueryResult<i64> {
    diesel::sql_query("SELECT pg_advisory_xact_lock($1, hashtext($2::text))")
        .bind::<Integer, _>(STOCK_LOCK)
        .bind::<SqlUuid, _>(product)
        .execute(connection)?;
    let taken: Option<i64> =
        sql_file!("units_taken.sql" => BigInt, { product: SqlUuid = product }).get_result(connection).optional()?;
    Ok(taken.unwrap_or(0))
}

/// Whether a product's stock can take this many more units. Until the end of the transaction no other call adds any.
pub(crate) fn has_room(connection: &mut PgConnection, product: Uuid, units: i32) -> QueryResult<bool> {
    Ok(taken(connection, product)? + i64::from(units) <= i64::from(Quantity::MAX))
}

/// Whether an earlier request with this idempotency key has restocked.
fn is_restocked(connection: &mut PgConnection, idempotency_key: Option<IdempotencyKey>) -> QueryResult<bool> {
    let Some(idempotency_key) = idempotency_key else { return Ok(false) };
    let before: Option<Option<Vec<u8>>> = restockings::table
        .filter(restockings::once_key.eq(idempotency_key.key.0.to_vec()))
        .select(restockings::once_fingerprint)
        .first(connection)
        .optional()?;
    let Some(fingerprint) = before else { return Ok(false) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(true)
}

/// Every reason for a refusal is checked before the first write.
pub(crate) fn restock(connection: &mut PgConnection, restocking: &Restocking) -> QueryResult<Restocked> {
    let id = restocking.product.uuid();
    let arriving = to_i32(restocking.arriving.get())?;
    let taken = if arriving > 0 { taken(connection, id)? } else { 0 };
    let product: Option<(i64, bool)> = products::table
        .find(id)
        .select((products::price_cents, products::archived_at.is_null()))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    if is_restocked(connection, restocking.idempotency_key)? {
        return Ok(Restocked::Done);
    }
    let (once_key, once_fingerprint) = idempotency::columns(restocking.idempotency_key);
    let Some((price_now, true)) = product else {
        return Ok(Restocked::Unknown);
    };
    if restocking.seen_price.is_some_and(|seen| seen.money().cents() != price_now) {
        let now = RowDecoder { what: "product", id }.unit_price("price_cents", price_now)?;
        return Ok(Restocked::PriceChanged(now));
    }
    if arriving > 0 && taken + i64::from(arriving) > i64::from(Quantity::MAX) {
        return Ok(Restocked::TooMuch);
    }
    let (actor_id, actor_email) = actor_columns(&restocking.by);
    let price = restocking.price.money().cents();
    let remembered = diesel::insert_into(restockings::table)
        .values((
            restockings::product_id.eq(id),
            restockings::arriving.eq(arriving),
            restockings::price_cents.eq(price),
            restockings::actor_id.eq(actor_id),
            restockings::actor_email.eq(actor_email),
            restockings::at.eq(restocking.at.to_diesel()),
            restockings::once_key.eq(once_key),
            restockings::once_fingerprint.eq(once_fingerprint),
        ))
        .on_conflict(restockings::once_key)
        .do_nothing()
        .execute(connection)?;
    if remembered == 0 {
        is_restocked(connection, restocking.idempotency_key)?;
        return Ok(Restocked::Done);
    }
    diesel::update(products::table.find(id))
        .set((products::available.eq(products::available + arriving), products::price_cents.eq(price)))
        .execute(connection)?;
    receive(connection, &[Arrival { product: id, units: arriving }], &restocking.by, restocking.at)?;
    Ok(Restocked::Done)
}

pub(crate) fn correct(connection: &mut PgConnection, correction: &StockCorrection) -> QueryResult<Corrected> {
    let id = correction.product.uuid();
    let delta = correction.delta.get();
    if delta > 0 && taken(connection, id)? + i64::from(delta) > i64::from(Quantity::MAX) {
        return Ok(if is_known(connection, correction)? { after(connection, id)? } else { Corrected::TooMuch });
    }
    let (actor_id, actor_email) = actor_columns(&correction.by);
    let note = correction.note.as_ref().map(|note| note.as_str().to_owned());
    let decoder = RowDecoder { what: "product", id };
    // A nested transaction (savepoint), so that a key that another call has just used rolls back no more than this.
    let corrected = connection.transaction(|connection| {
        sql_file!("correct_stock.sql" => Integer, {
            product: SqlUuid = id,
            delta: Integer = delta,
            reason: SqlText = correction.reason.as_str(),
            note: Nullable<SqlText> = note,
            actor_id: Nullable<SqlUuid> = actor_id,
            actor_email: Nullable<SqlText> = actor_email,
            at: Timestamptz = correction.at.to_diesel(),
            idempotency_key: Nullable<Bytea> = idempotency::columns(correction.idempotency_key).0,
        })
        .get_result::<i32>(connection)
    });
    match corrected.optional() {
        Ok(Some(left)) => Ok(Corrected::To(decoder.stock("available", left)?)),
        Ok(None) if is_known(connection, correction)? => after(connection, id),
        Ok(None) => Ok(match after(connection, id)? {
            Corrected::To(left) => Corrected::NotEnough(left),
            other => other,
        }),
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            is_known(connection, correction)?;
            after(connection, id)
        }
        Err(error) => Err(error),
    }
}

/// Whether this correction was already made under its idempotency key. A different one under the same key is refused;
/// the row itself shows whether it differs, so no fingerprint is stored.
fn is_known(connection: &mut PgConnection, correction: &StockCorrection) -> QueryResult<bool> {
    let Some(idempotency_key) = correction.idempotency_key else { return Ok(false) };
    let before: Option<(Uuid, i32, String, Option<String>)> = stock_corrections::table
        .filter(stock_corrections::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((
            stock_corrections::product_id,
            stock_corrections::delta,
            stock_corrections::reason,
            stock_corrections::note,
        ))
        .first(connection)
        .optional()?;
    let Some((product, delta, reason, note)) = before else { return Ok(false) };
    let same = product == correction.product.uuid()
        && delta == correction.delta.get()
        && reason == correction.reason.as_str()
        && note.as_deref() == correction.note.as_ref().map(domain::Text::as_str);
    if same { Ok(true) } else { Err(idempotency::reused()) }
}

/// A product's stock now.
fn after(connection: &mut PgConnection, id: Uuid) -> QueryResult<Corrected> {
    let left: Option<i32> = products::table
        .find(id)
        .filter(products::archived_at.is_null())
        .select(products::available)
        .first(connection)
        .optional()?;
    match left {
        Some(left) => Ok(Corrected::To(RowDecoder { what: "product", id }.stock("available", left)?)),
        None => Ok(Corrected::Unknown),
    }
}

#[derive(QueryableByName)]
struct HistoryRow {
    #[diesel(sql_type = Nullable<Integer>)]
    units: Option<i32>,
    #[diesel(sql_type = Nullable<BigInt>)]
    cents: Option<i64>,
    #[diesel(sql_type = Nullable<SqlText>)]
    reason: Option<String>,
    #[diesel(sql_type = Nullable<SqlText>)]
    note: Option<String>,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    actor_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<SqlText>)]
    actor_email: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    at: SqlTimestamp,
}

impl HistoryRow {
    fn read(self, decoder: RowDecoder) -> QueryResult<StockEvent> {
        let what = match (self.units, self.cents, self.reason.as_deref()) {
            (Some(arriving), Some(cents), _) => StockEventKind::Restocked {
                arriving: decoder.stock("arriving", arriving)?,
                price: decoder.unit_price("price_cents", cents)?,
            },
            (Some(delta), None, Some(reason)) => StockEventKind::Corrected {
                delta: StockDelta::new(i64::from(delta)).map_err(|why| decoder.refuse("delta", &why))?,
                reason: decoder.parse("reason", reason)?,
                note: decoder.maybe_text("note", self.note.as_deref())?,
            },
            _ => StockEventKind::Archived,
        };
        let by = decoder.actor(self.actor_id, self.actor_email.as_deref())?;
        Ok(StockEvent { what, by, at: self.at.to_jiff() })
    }
}

pub(crate) fn history(connection: &mut PgConnection, id: ProductId, most: u32) -> QueryResult<Option<Vec<StockEvent>>> {
    let there = products::table.find(id.uuid());
    let there: bool = diesel::select(diesel::dsl::exists(there)).get_result::<bool>(connection)?;
    if !there {
        return Ok(None);
    }
    let rows: Vec<HistoryRow> = sql_file!("stock_history.sql", {
        product: SqlUuid = id.uuid(),
        limit: BigInt = i64::from(most),
    })
    .load(connection)?;
    let decoder = RowDecoder { what: "product", id: id.uuid() };
    rows.into_iter().map(|row| row.read(decoder)).collect::<QueryResult<_>>().map(Some)
}
