//! Finding products by words and numbers.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::ProductId;
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{
    Candidate, CatalogSearch, Facets, Hit, NumberHits, Page, ProductCursor, ProductKey, ProductQuery, ProductSort,
    SortOrder, StoreError,
};
use uuid::Uuid;

use crate::Database;
use crate::catalog::fitting::Fitting;
use crate::catalog::ways::{NumberRow, Way, count, has_trigrams, way};
use crate::catalog::{candidates, facets};
use crate::platform::condition::{Composed, Condition};
use crate::platform::decode::RowDecoder;
use crate::platform::page::cut_page;

#[async_trait]
impl CatalogSearch for Database {
    async fn search(&self, query: &ProductQuery) -> Result<Page<Hit, ProductCursor>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| find(connection, &query)).await
    }

    async fn by_number(&self, number: &str) -> Result<Option<NumberHits>, StoreError> {
        let query = ProductQuery { number: Some(number.to_owned()), ..ProductQuery::default() };
        self.read_list(move |connection| numbered(connection, &query)).await
    }

    async fn facets(&self, query: &ProductQuery) -> Result<Facets, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| facets::count(connection, &query)).await
    }

    async fn candidates(&self, query: &ProductQuery) -> Result<Option<Vec<Candidate>>, StoreError> {
        let query = query.clone();
        self.read_list(move |connection| candidates::read(connection, &query)).await
    }

    async fn placed(&self, part_types: &[String]) -> Result<Vec<Candidate>, StoreError> {
        let part_types = part_types.to_vec();
        self.read_list(move |connection| candidates::placed(connection, &part_types)).await
    }

    async fn forgives_slips(&self) -> Result<bool, StoreError> {
        self.read_list(has_trigrams).await
    }
}

/// What a page needs to know of a product: of what lists are sorted by only what this one is.
#[derive(QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Integer)]
    no: i32,
    #[diesel(sql_type = Timestamptz)]
    created_at: SqlTimestamp,
    #[diesel(sql_type = BigInt)]
    price_cents: i64,
    #[diesel(sql_type = SqlText)]
    name_key: String,
    #[diesel(sql_type = Integer)]
    rank: i32,
    /// How many match, where they are counted with the page.
    #[diesel(sql_type = Nullable<BigInt>)]
    total: Option<i64>,
}

impl FoundRow {
    fn cursor(&self, sort: ProductSort) -> QueryResult<ProductCursor> {
        let key = match sort {
            ProductSort::Newest => ProductKey::Added(self.created_at.to_jiff()),
            ProductSort::Price(_) => {
                let decoder = RowDecoder { what: "product", id: self.id };
                ProductKey::Price(decoder.unit_price("price_cents", self.price_cents)?)
            }
            ProductSort::Name => ProductKey::Name(self.name_key.clone()),
        };
        let rank = u8::try_from(self.rank).unwrap_or(u8::MAX);
        Ok(ProductCursor { key, id: ProductId::new(self.id), rank })
    }
}

fn find(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Page<Hit, ProductCursor>> {
    let Some(way) = way(connection, query)? else { return Ok(Page::empty(0)) };
    let matching = way.condition(query);
    let rank = Fitting::of(query, true).and_then(|fitting| fitting.rank());
    let is_counting = query.fit.is_some() && query.page.after.is_none() && !query.page.uncounted;
    let mut page = with_rank(rank.clone(), query.sort, is_counting).then(matching.clone());
    if let Some(after) = &query.page.after {
        let Some(mut beyond) = beyond(&way, query.sort, after) else { return Ok(Page::empty(0)) };
        if let Some(rank) = rank.clone() {
            let is = |sql| rank.clone().sql(sql).long(i64::from(after.rank));
            beyond = Condition::any([is(" > "), Condition::all([is(" = "), beyond])]);
        }
        page = page.sql(" AND ").then(beyond);
    }
    page = page.sql(if rank.is_some() { " ORDER BY rank, " } else { " ORDER BY " });
    if !way.first.is_empty() {
        page = page.then(way.is_first()).sql(" DESC, ");
    }
    page = page.sql(order(query.sort));
    if let Some(limit) = query.page.limit {
        page = page.sql(" LIMIT ").long(i64::from(limit) + 1);
    }
    let rows: Vec<FoundRow> = Composed(page).load(connection)?;
    let with_cursor = |row: FoundRow| Ok((row.cursor(query.sort)?, row));
    let rows = rows.into_iter().map(with_cursor).collect::<QueryResult<Vec<_>>>()?;
    let counted = rows.first().and_then(|(_, row)| row.total);
    let count = || counted.map_or_else(|| count(connection, &matching), Ok);
    let page = cut_page(rows, &query.page, |(cursor, _)| cursor.clone(), count)?;
    let items = with_reasons(connection, &way, page.items.into_iter().map(|(_, row)| row).collect())?;
    Ok(Page { items, total: page.total, next: page.next })
}

/// The beginning of a statement that reads products; without a rank all have the same. By age they are read from an index that has
/// nothing else. All that fit a vehicle are sorted for any page of them, and counted at the same time.
fn with_rank(rank: Option<Condition>, sort: ProductSort, is_counting: bool) -> Condition {
    let [price, name] = match sort {
        ProductSort::Newest => ["0::bigint", "''"],
        ProductSort::Price(_) => ["products.price_cents", "''"],
        ProductSort::Name => ["0::bigint", "products.name_key"],
    };
    Condition::new()
        .sql("SELECT products.id, products.no, products.created_at, ")
        .sql(price)
        .sql(" AS price_cents, ")
        .sql(name)
        .sql(" AS name_key, ")
        .then(rank.unwrap_or_else(|| Condition::new().sql("0")))
        .sql(" AS rank, ")
        .sql(if is_counting { "count(*) OVER ()" } else { "NULL::bigint" })
        .sql(" AS total FROM products WHERE ")
}

const fn order(sort: ProductSort) -> &'static str {
    match sort {
        ProductSort::Newest => "products.created_at DESC, products.id DESC",
        ProductSort::Price(SortOrder::Ascending) => "products.price_cents, products.id",
        ProductSort::Price(SortOrder::Descending) => "products.price_cents DESC, products.id DESC",
        ProductSort::Name => "products.name_key, products.id",
    }
}

/// Only what comes after a cursor: of those that come first the rest of them, and then all others. `None` if the cursor belongs
/// to another order.
fn beyond(way: &Way, sort: ProductSort, after: &ProductCursor) -> Option<Condition> {
    let later = match (sort, &after.key) {
        (ProductSort::Newest, ProductKey::Added(at)) => {
            Condition::new().sql("(products.created_at, products.id) < (").text(at.to_string()).sql("::timestamptz")
        }
        (ProductSort::Price(SortOrder::Ascending), ProductKey::Price(price)) => {
            Condition::new().sql("(products.price_cents, products.id) > (").long(price.money().cents())
        }
        (ProductSort::Price(SortOrder::Descending), ProductKey::Price(price)) => {
            Condition::new().sql("(products.price_cents, products.id) < (").long(price.money().cents())
        }
        (ProductSort::Name, ProductKey::Name(name)) => {
            Condition::new().sql("(products.name_key, products.id) > (").text(name.clone())
        }
        _ => return None,
    };
    let id = after.id.uuid();
    let later = later.sql(", ").text(id.to_string()).sql("::uuid)");
    let others = Condition::new().sql("NOT ").then(way.is_first());
    Some(if way.first.iter().any(|row| row.id == id) {
        Condition::any([others, Condition::all([way.is_first(), later])])
    } else {
        Condition::all([others, later])
    })
}

/// The products of a page, each with why it was found.
fn with_reasons(connection: &mut PgConnection, way: &Way, rows: Vec<FoundRow>) -> QueryResult<Vec<Hit>> {
    let near = match &way.nearly {
        Some((tier, nearly)) => reasons(connection, *tier, nearly, rows.iter().map(|row| row.no).collect())?,
        None => Vec::new(),
    };
    let via = |id: Uuid| way.first.iter().chain(&near).find(|row| row.id == id).and_then(NumberRow::via);
    Ok(rows.into_iter().map(|row| Hit { id: ProductId::new(row.id), via: via(row.id) }).collect())
}

fn reasons(connection: &mut PgConnection, tier: i32, nearly: &Condition, nos: Vec<i32>) -> QueryResult<Vec<NumberRow>> {
    let asked = Condition::new()
        .sql("SELECT DISTINCT ON (number.product_no) product.id, product.no, number.kind, number.shown, brand.name AS brand, \
            NULL::timestamptz AS since, ")
        .long(i64::from(tier))
        .sql("::integer AS tier FROM part_numbers AS number JOIN products AS product ON product.no = number.product_no \
            LEFT JOIN brands AS brand ON brand.id = number.brand_id WHERE number.kind <> 6 AND number.product_no = ANY (")
        .integers(nos)
        .sql(") AND ")
        .then(nearly.clone())
        .sql(" ORDER BY number.product_no, number.kind, number.shown");
    Composed(asked).load(connection)
}

/// The products that a number leads to, best first, at most a hundred.
fn numbered(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Option<NumberHits>> {
    let Some(way) = way(connection, query)? else { return Ok(None) };
    let Some((tier, nearly)) = &way.nearly else {
        let tier = way.first.first().map_or(1, |row| row.tier);
        let hits = way.first.iter().map(|row| Hit { id: ProductId::new(row.id), via: row.via() }).collect();
        return Ok(Some(NumberHits { tier: u8::try_from(tier).unwrap_or_default(), hits }));
    };
    let asked = with_rank(None, ProductSort::Newest, false)
        .then(way.condition(query))
        .sql(" ORDER BY products.no DESC LIMIT 100");
    let rows: Vec<FoundRow> = Composed(asked).load(connection)?;
    let near = reasons(connection, *tier, nearly, rows.iter().map(|row| row.no).collect())?;
    let hits = rows.iter().map(|row| {
        let via = near.iter().find(|near| near.id == row.id).and_then(NumberRow::via);
        Hit { id: ProductId::new(row.id), via }
    });
    Ok(Some(NumberHits { tier: u8::try_from(*tier).unwrap_or_default(), hits: hits.collect() }))
}
