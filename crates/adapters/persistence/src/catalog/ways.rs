//! How a search is answered: by those that have the number, by words, by words with slips.

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Bool, Integer, Nullable, SmallInt, Text as SqlText, Timestamptz, Uuid as SqlUuid,
};
use domain::{AskedNumber, NumberKind, PartKey, Via};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::ProductQuery;
use uuid::Uuid;

use crate::catalog::conditions::selecting;
use crate::catalog::words;
use crate::platform::condition::{Composed, Condition, escaped};
use crate::platform::search;
use crate::platform::sql_file::sql_file;

pub(super) fn has_trigrams(connection: &mut PgConnection) -> QueryResult<bool> {
    Ok(diesel::sql_query("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS yes")
        .get_result::<Yes>(connection)?
        .yes)
}

#[derive(QueryableByName)]
struct Yes {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// A product that a number leads to.
#[derive(QueryableByName)]
pub(super) struct NumberRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = Integer)]
    no: i32,
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    #[diesel(sql_type = SqlText)]
    shown: String,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    since: Option<SqlTimestamp>,
    #[diesel(sql_type = Integer)]
    pub(super) tier: i32,
}

impl NumberRow {
    pub(super) fn via(&self) -> Option<Via> {
        let kind = NumberKind::from_code(self.kind)?;
        let since = self.since.map(SqlTimestamp::to_jiff);
        Via::of(u8::try_from(self.tier).ok()?, kind, &self.shown, self.brand.as_deref(), since)
    }
}

/// The products that have a number, as somebody wrote it, perhaps after the brand's name.
fn exactly(connection: &mut PgConnection, written: &str, archived: bool) -> QueryResult<Vec<NumberRow>> {
    let Some(asked) = AskedNumber::new(written) else { return Ok(Vec::new()) };
    let (brand_keys, branded_keys): (Vec<String>, Vec<String>) = asked.branded.into_iter().unzip();
    sql_file!("by_number.sql", {
        part_keys: Array<SqlText> = asked.keys,
        brand_keys: Array<SqlText> = brand_keys,
        branded_keys: Array<SqlText> = branded_keys,
        archived: Bool = archived,
    })
    .load(connection)
}

/// How a number may match that none has exactly, best first.
const NEARLY: [i32; 3] = [5, 6, 7];

/// The condition on `part_numbers AS number`; `None` if nothing can match so.
fn nearly(tier: i32, key: &PartKey) -> Option<Condition> {
    let whole = key.as_str();
    match tier {
        5 if whole.len() >= 3 => Some(Condition::new().sql("number.key LIKE ").text(format!("{}%", escaped(whole)))),
        6 if !key.loose().is_empty() && whole.len() >= 3 => {
            Some(Condition::new().sql("number.loose = ").text(key.loose()))
        }
        7 if whole.len() >= 4 => Some(
            Condition::new()
                .sql("(number.key % ")
                .text(whole)
                .sql(" AND similarity(number.key, ")
                .text(whole)
                .sql(") >= 0.5)"),
        ),
        _ => None,
    }
}

fn having(nearly: &Condition) -> Condition {
    let numbers = "products.no IN (SELECT number.product_no FROM part_numbers AS number WHERE number.kind <> 6 AND ";
    Condition::new().sql(numbers).then(nearly.clone()).sql(")")
}

/// How a query is answered.
pub(super) struct Way {
    /// Products that come first, and why.
    pub(super) first: Vec<NumberRow>,
    /// All that match, beside those that come first.
    rest: Condition,
    /// What all of them have to meet as well.
    also: Condition,
    /// How other products were found by a number.
    pub(super) nearly: Option<(i32, Condition)>,
}

impl Way {
    /// What it finds, before the query's filters.
    fn found(&self) -> Condition {
        Condition::all([self.also.clone(), Condition::any([self.is_first(), self.rest.clone()])])
    }

    pub(super) fn condition(&self, query: &ProductQuery) -> Condition {
        Condition::all([selecting(query, None), self.found()])
    }

    pub(super) fn is_first(&self) -> Condition {
        let nos = self.first.iter().map(|row| row.no).collect();
        Condition::new().sql("products.no = ANY (").integers(nos).sql(")")
    }
}

/// How a query is answered, if it has words or a number: by those that have the number, by words, by words with slips; or if only a
/// number is asked for, by the first way that finds any.
pub(super) fn way(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Option<Way>> {
    if !query.has_words() {
        let whole = Way { first: Vec::new(), rest: Condition::all([]), also: Condition::all([]), nearly: None };
        return Ok(Some(whole));
    }
    if let Some(number) = &query.number {
        return way_of_number(connection, query, number);
    }
    let search = query.search.as_deref().unwrap_or_default();
    if search::words(Some(search)).is_none() {
        return Ok(None);
    }
    let is_number = PartKey::new(search).is_ok_and(|key| key.is_number());
    let first = if is_number { exactly(connection, search, query.archived)? } else { Vec::new() };
    let words = words::read(connection, search)?;
    let strict = Way { first, rest: words::condition(&words, false), also: Condition::all([]), nearly: None };
    if strict.first.is_empty()
        && words.may_have_slips()
        && !any(connection, &strict.condition(query))?
        && has_trigrams(connection)?
    {
        return Ok(Some(Way { rest: words::condition(&words, true), ..strict }));
    }
    Ok(Some(strict))
}

fn way_of_number(connection: &mut PgConnection, query: &ProductQuery, number: &str) -> QueryResult<Option<Way>> {
    let words = match &query.search {
        Some(search) if search::words(Some(search)).is_none() => return Ok(None),
        Some(search) => words::condition(&words::read(connection, search)?, false),
        None => Condition::all([]),
    };
    let Ok(key) = PartKey::new(number) else { return Ok(None) };
    let first = exactly(connection, number, query.archived)?;
    let exact = Way { first, rest: Condition::any([]), also: words.clone(), nearly: None };
    if !exact.first.is_empty() && any(connection, &exact.condition(query))? {
        return Ok(Some(exact));
    }
    for tier in NEARLY {
        let Some(nearly) = nearly(tier, &key) else { continue };
        if tier == 7 && !has_trigrams(connection)? {
            continue;
        }
        let (rest, also) = (having(&nearly), words.clone());
        let way = Way { first: Vec::new(), rest, also, nearly: Some((tier, nearly)) };
        if any(connection, &way.condition(query))? {
            return Ok(Some(way));
        }
    }
    Ok(None)
}

/// What a query's words or number find, before its filters. `None` if nothing can match.
pub(super) fn found(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Option<Condition>> {
    Ok(way(connection, query)?.map(|way| way.found()))
}

fn any(connection: &mut PgConnection, condition: &Condition) -> QueryResult<bool> {
    let asked =
        Condition::new().sql("SELECT EXISTS (SELECT FROM products WHERE ").then(condition.clone()).sql(") AS yes");
    Ok(Composed(asked).get_result::<Yes>(connection)?.yes)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

pub(super) fn count(connection: &mut PgConnection, condition: &Condition) -> QueryResult<i64> {
    let asked = Condition::new().sql("SELECT count(*) AS count FROM products WHERE ").then(condition.clone());
    Ok(Composed(asked).get_result::<Count>(connection)?.count)
}
