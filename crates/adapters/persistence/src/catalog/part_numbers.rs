//! The numbers of products, and which product replaces which.

use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::sql_types::{Integer, Uuid as SqlUuid};
use domain::catalog::part_number::MOST_STEPS;
use domain::{NumberKind, PartNumber, PartRefused, ProductId, Text};
use jiff_diesel::Timestamp as SqlTimestamp;
use uuid::Uuid;

use crate::catalog::facts::brand_id;
use crate::platform::decode::RowDecoder;
use crate::platform::search;
use crate::platform::sql_file::sql_file;
use crate::schema::{brands, part_numbers, products};

/// The result of a write that a brand's other part with the same number may refuse.
pub(crate) fn number_taken<T>(written: QueryResult<T>, brand: Option<&str>) -> QueryResult<Result<T, PartRefused>> {
    match written {
        Ok(written) => Ok(Ok(written)),
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, info))
            if info.constraint_name() == Some("part_numbers_own") =>
        {
            Ok(Err(PartRefused::NumberTaken { brand: brand.unwrap_or_default().to_owned() }))
        }
        Err(error) => Err(error),
    }
}

enum Broken<R> {
    Refused(R),
    Failed(Error),
}

impl<R> From<Error> for Broken<R> {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A transaction of which nothing stays if it is refused.
pub(crate) fn refusable<T, R>(
    connection: &mut PgConnection,
    work: impl FnOnce(&mut PgConnection) -> QueryResult<Result<T, R>>,
) -> QueryResult<Result<T, R>> {
    match connection.transaction(|connection| work(connection)?.map_err(Broken::Refused)) {
        Ok(done) => Ok(Ok(done)),
        Err(Broken::Refused(refused)) => Ok(Err(refused)),
        Err(Broken::Failed(error)) => Err(error),
    }
}

type NumberRow = (i16, String, Option<String>, Option<String>, SqlTimestamp);

/// `None` if there is no such product for sale.
pub(crate) fn of_product(connection: &mut PgConnection, id: ProductId) -> QueryResult<Option<Vec<PartNumber>>> {
    let product: Option<i32> = products::table
        .find(id.uuid())
        .filter(products::archived_at.is_null())
        .select(products::no)
        .first(connection)
        .optional()?;
    let Some(no) = product else { return Ok(None) };
    let rows: Vec<NumberRow> = part_numbers::table
        .left_join(brands::table)
        .filter(part_numbers::product_no.eq(no))
        .order((part_numbers::kind, part_numbers::id))
        .select((
            part_numbers::kind,
            part_numbers::shown,
            brands::name.nullable(),
            part_numbers::note,
            part_numbers::since,
        ))
        .load(connection)?;
    let decoder = RowDecoder { what: "product", id: id.uuid() };
    let decode = |(kind, shown, brand, note, since): NumberRow| {
        Ok(PartNumber {
            kind: NumberKind::from_code(kind).ok_or_else(|| decoder.refuse("kind of a number", "it is not known"))?,
            shown: decoder.text("number", &shown)?,
            brand: decoder.maybe_text("brand", brand.as_deref())?,
            note: decoder.maybe_text("note", note.as_deref())?,
            since: Some(since.to_jiff()),
        })
    };
    rows.into_iter().map(decode).collect::<QueryResult<Vec<_>>>().map(Some)
}

/// Replaces a product's numbers; `None` if there is no such product for sale.
pub(crate) fn set(
    connection: &mut PgConnection,
    id: ProductId,
    numbers: &[PartNumber],
) -> QueryResult<Result<Option<()>, PartRefused>> {
    let product: Option<(i32, Option<i32>, String, String)> = products::table
        .find(id.uuid())
        .filter(products::archived_at.is_null())
        .select((products::no, products::brand_id, products::name, products::category))
        .for_no_key_update()
        .first(connection)
        .optional()?;
    let Some((no, brand, name, category)) = product else { return Ok(Ok(None)) };
    let others: Vec<&PartNumber> = numbers.iter().filter(|number| number.kind != NumberKind::Own).collect();
    write_others(connection, no, &others)?;
    if let Some(own) = numbers.iter().find(|number| number.kind == NumberKind::Own) {
        let shown = own.shown.as_str();
        // Read before, because the transaction is void if the number is taken.
        let brand: Option<String> = match brand {
            Some(id) => brands::table.find(id).select(brands::name).first(connection).optional()?,
            None => None,
        };
        let written = diesel::update(products::table.find(id.uuid()))
            .set((products::part_number.eq(shown), products::search_key.eq(search::key(&[&name, &category, shown]))))
            .execute(connection);
        if let Err(refused) = number_taken(written, brand.as_deref())? {
            return Ok(Err(refused));
        }
    }
    let superseded = others.into_iter().filter(|number| number.kind == NumberKind::Superseded);
    Ok(replace(connection, id, brand, superseded)?.map(Some))
}

/// Numbers that stay keep the day on which they were entered, and those of feeds stay.
fn write_others(connection: &mut PgConnection, product_no: i32, numbers: &[&PartNumber]) -> QueryResult<()> {
    let mut kept: Vec<i64> = Vec::with_capacity(numbers.len());
    for number in numbers {
        // Whoever parsed the number has checked that it has a key.
        let Ok(key) = number.key() else { continue };
        let brand = number.brand.as_ref().map(|brand| brand_id(connection, brand)).transpose()?;
        let (shown, note) = (number.shown.as_str(), number.note.as_ref().map(Text::as_str));
        let known: Option<i64> = part_numbers::table
            .filter(part_numbers::product_no.eq(product_no))
            .filter(part_numbers::kind.eq(number.kind.code()))
            .filter(part_numbers::key.eq(key.as_str()))
            .filter(part_numbers::brand_id.is_not_distinct_from(brand))
            .select(part_numbers::id)
            .first(connection)
            .optional()?;
        let id = match known {
            Some(id) => diesel::update(part_numbers::table.find(id))
                .set((part_numbers::shown.eq(shown), part_numbers::note.eq(note)))
                .returning(part_numbers::id)
                .get_result(connection)?,
            None => diesel::insert_into(part_numbers::table)
                .values((
                    part_numbers::product_no.eq(product_no),
                    part_numbers::kind.eq(number.kind.code()),
                    part_numbers::key.eq(key.as_str()),
                    part_numbers::shown.eq(shown),
                    part_numbers::brand_id.eq(brand),
                    part_numbers::note.eq(note),
                ))
                .returning(part_numbers::id)
                .get_result(connection)?,
        };
        kept.push(id);
    }
    diesel::delete(part_numbers::table)
        .filter(part_numbers::product_no.eq(product_no))
        .filter(part_numbers::kind.ne(NumberKind::Own.code()))
        .filter(part_numbers::feed_id.is_null())
        .filter(part_numbers::id.ne_all(kept))
        .execute(connection)?;
    Ok(())
}

/// Lets a product replace those of its brand that have one of these numbers, and no others any more.
fn replace<'a>(
    connection: &mut PgConnection,
    id: ProductId,
    brand: Option<i32>,
    superseded: impl Iterator<Item = &'a PartNumber>,
) -> QueryResult<Result<(), PartRefused>> {
    let keys: Vec<String> =
        superseded.filter_map(|number| number.key().ok()).map(|key| key.as_str().to_owned()).collect();
    let replaced: Vec<Uuid> = part_numbers::table
        .inner_join(products::table.on(products::no.eq(part_numbers::product_no)))
        .filter(part_numbers::kind.eq(NumberKind::Own.code()))
        .filter(part_numbers::key.eq_any(keys))
        .filter(part_numbers::brand_id.is_not_distinct_from(brand))
        .order(products::id)
        .select(products::id)
        .load(connection)?;
    if replaced.contains(&id.uuid()) {
        return Ok(Err(PartRefused::ChainTooLong));
    }
    diesel::update(products::table)
        .filter(products::replaced_by.eq(id.uuid()))
        .filter(products::id.ne_all(&replaced))
        .set(products::replaced_by.eq(None::<Uuid>))
        .execute(connection)?;
    diesel::update(products::table)
        .filter(products::id.eq_any(&replaced))
        .set(products::replaced_by.eq(id.uuid()))
        .execute(connection)?;
    let steps: i32 = sql_file!("longest_chain.sql" => Integer, { id: SqlUuid = id.uuid() }).get_result(connection)?;
    Ok(if steps > i32::from(MOST_STEPS) { Err(PartRefused::ChainTooLong) } else { Ok(()) })
}

pub(crate) fn successor(connection: &mut PgConnection, id: ProductId) -> QueryResult<Option<ProductId>> {
    let found: Option<Uuid> =
        sql_file!("successor.sql" => SqlUuid, { id: SqlUuid = id.uuid() }).get_result(connection).optional()?;
    Ok(found.map(ProductId::new))
}
