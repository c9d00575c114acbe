//! How a search is answered: by those that have the number, by words, by words with slips.

use diesel::connection::SimpleConnection;
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

pub(crate) fn has_trigrams(connection: &mut PgConnection) -> QueryResult<bool> {
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
pub(super) fn exactly(connection: &mut PgConnection, written: &str, archived: bool) -> QueryResult<Vec<NumberRow>> {
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
        7 if whole.len() >= 4 => {
            Some(Condition::new().sql("similarity(number.key, ").text(whole).sql(") >= ").sql(CLOSE))
        }
        _ => None,
    }
}

/// How similar a number has to be that is close to another one, and how many products are.
const CLOSE: &str = "0.5";
const MOST_CLOSE: i64 = 1_000;

/// A statement that reads the products of the closest numbers. They are looked up once, under a threshold of the transaction's
/// own: under that of the session, 0.3, the index finds a hundred thousand numbers of the same make, which are then compared one
/// by one.
fn close_to(connection: &mut PgConnection, key: &PartKey) -> QueryResult<Condition> {
    let numbers = connection.transaction(|connection| {
        connection.batch_execute(&format!("SET LOCAL pg_trgm.similarity_threshold = {CLOSE}"))?;
        let asked = Condition::new()
            .sql("SELECT number.product_no FROM part_numbers AS number WHERE number.kind <> 6 AND number.key % ")
            .text(key.as_str())
            .sql(" ORDER BY similarity(number.key, ")
            .text(key.as_str())
            .sql(") DESC, number.product_no LIMIT ")
            .long(MOST_CLOSE);
        Composed(asked).load(connection)
    })?;
    Ok(of_numbers(numbers))
}

/// Up to how many products are remembered by their numbers, and how many are read to know whether they are more.
const FEW: usize = 1_000;
const MOST_READ: i64 = 1_001;

/// A statement as it is if it finds many products, and what it finds if those are few: whether there are any, how many, and which
/// come on a page is asked one after the other, and the statement may take longer than all of that. `MATERIALIZED`, or Postgres may
/// read the table from its beginning for as long as it takes to meet as many.
fn once(connection: &mut PgConnection, statement: Condition) -> QueryResult<Condition> {
    let asked = Condition::new()
        .sql("WITH found (product_no) AS MATERIALIZED (")
        .then(statement.clone())
        .sql(") SELECT product_no FROM found LIMIT ")
        .long(MOST_READ);
    let numbers: Vec<Numbered> = Composed(asked).load(connection)?;
    Ok(if numbers.len() > FEW { statement } else { of_numbers(numbers) })
}

fn of_numbers(numbers: Vec<Numbered>) -> Condition {
    let numbers = numbers.into_iter().map(|row| row.product_no).collect();
    Condition::new().sql("SELECT unnest(").integers(numbers).sql(")")
}

#[derive(QueryableByName)]
struct Numbered {
    #[diesel(sql_type = Integer)]
    product_no: i32,
}

fn having(nearly: &Condition) -> Condition {
    let numbers = "SELECT number.product_no FROM part_numbers AS number WHERE number.kind <> 6 AND ";
    Condition::new().sql(numbers).then(nearly.clone())
}

/// The products whose numbers a statement reads.
fn of_statement(statement: Condition) -> Condition {
    Condition::new().sql("products.no IN (").then(statement).sql(")")
}

/// What a query's words or number find beside those that come first.
enum Rest {
    Everything,
    Nothing,
    /// A statement that reads the numbers of the products.
    Of(Condition),
}

/// How a query is answered.
pub(super) struct Way {
    /// Products that come first, and why.
    pub(super) first: Vec<NumberRow>,
    rest: Rest,
    /// What all of them have to meet as well.
    also: Condition,
    /// How other products were found by a number.
    pub(super) nearly: Option<(i32, Condition)>,
}

impl Way {
    /// What it finds, before the query's filters. Always one set of numbers: of one or another set Postgres asks every product
    /// of the shop whether it is in either.
    fn found(&self) -> Condition {
        let any = match &self.rest {
            Rest::Everything => Condition::all([]),
            Rest::Nothing => self.is_first(),
            Rest::Of(rest) if self.first.is_empty() => of_statement(rest.clone()),
            Rest::Of(rest) => {
                let first = Condition::new().sql("SELECT unnest(").integers(self.first_numbers()).sql(")");
                of_statement(first.sql(" UNION ALL ").then(rest.clone()))
            }
        };
        Condition::all([self.also.clone(), any])
    }

    fn first_numbers(&self) -> Vec<i32> {
        self.first.iter().map(|row| row.no).collect()
    }

    pub(super) fn condition(&self, query: &ProductQuery) -> Condition {
        Condition::all([selecting(query, None), self.found()])
    }

    pub(super) fn is_first(&self) -> Condition {
        Condition::new().sql("products.no = ANY (").integers(self.first_numbers()).sql(")")
    }
}

/// How a query is answered, if it has words or a number: by those that have the number, by words, by words with slips; or if only a
/// number is asked for, by the first way that finds any.
pub(super) fn way(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Option<Way>> {
    if !query.has_words() {
        let whole = Way { first: Vec::new(), rest: Rest::Everything, also: Condition::all([]), nearly: None };
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
    let rest = Rest::Of(once(connection, words::having(&words, false))?);
    let strict = Way { first, rest, also: Condition::all([]), nearly: None };
    if strict.first.is_empty()
        && words.may_have_slips()
        && !any(connection, &strict.condition(query))?
        && has_trigrams(connection)?
    {
        let rest = Rest::Of(once(connection, words::having(&words, true))?);
        return Ok(Some(Way { rest, ..strict }));
    }
    Ok(Some(strict))
}

fn way_of_number(connection: &mut PgConnection, query: &ProductQuery, number: &str) -> QueryResult<Option<Way>> {
    let words = match &query.search {
        Some(search) if search::words(Some(search)).is_none() => return Ok(None),
        Some(search) => of_statement(words::having(&words::read(connection, search)?, false)),
        None => Condition::all([]),
    };
    let Ok(key) = PartKey::new(number) else { return Ok(None) };
    let first = exactly(connection, number, query.archived)?;
    let exact = Way { first, rest: Rest::Nothing, also: words.clone(), nearly: None };
    if !exact.first.is_empty() && any(connection, &exact.condition(query))? {
        return Ok(Some(exact));
    }
    for tier in NEARLY {
        let Some(nearly) = nearly(tier, &key) else { continue };
        let rest = match tier {
            7 if !has_trigrams(connection)? => continue,
            7 => close_to(connection, &key)?,
            _ => once(connection, having(&nearly))?,
        };
        let way = Way { first: Vec::new(), rest: Rest::Of(rest), also: words.clone(), nearly: Some((tier, nearly)) };
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
