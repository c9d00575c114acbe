//! How many products there are behind each choice of a list.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text as SqlText};
use domain::{Category, Measure, Position};
use ports::{
    ATTRIBUTE_VALUES_MAX, AttributeFacet, FACET_VALUES_MAX, FacetValue, Facets, PRICE_BANDS, ProductQuery, price_bands,
    with_chosen,
};

use crate::catalog::conditions::{Facet, selecting};
use crate::catalog::fitting::placed;
use crate::catalog::ways;
use crate::platform::condition::{Composed, Condition};

/// What products are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Category,
    PartType,
    Brand,
    Price,
    InStock,
}

const COLUMNS: [Column; 5] = [Column::Category, Column::PartType, Column::Brand, Column::Price, Column::InStock];

impl Column {
    const fn facet(self) -> Facet<'static> {
        match self {
            Self::Category => Facet::Category,
            Self::PartType => Facet::PartType,
            Self::Brand => Facet::Brand,
            Self::Price => Facet::Price,
            Self::InStock => Facet::InStock,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::PartType => "part_type_id",
            Self::Brand => "brand_id",
            Self::Price => "band",
            Self::InStock => "stocked",
        }
    }

    const fn absent(self) -> &'static str {
        match self {
            Self::Category => "NULL::text AS category",
            Self::PartType => "NULL::integer AS part_type_id",
            Self::Brand => "NULL::integer AS brand_id",
            Self::Price => "NULL::integer AS band",
            Self::InStock => "NULL::boolean AS stocked",
        }
    }

    const fn set(self) -> &'static str {
        match self {
            Self::Category => "(category)",
            Self::PartType => "(part_type_id)",
            Self::Brand => "(brand_id)",
            Self::Price => "(band)",
            Self::InStock => "(stocked)",
        }
    }
}

/// How many products have a value in one of the columns; the others are null. Number 0 is no part type, and no brand.
#[derive(QueryableByName)]
struct Tally {
    #[diesel(sql_type = Nullable<SqlText>)]
    category: Option<String>,
    #[diesel(sql_type = Nullable<Integer>)]
    part_type_id: Option<i32>,
    #[diesel(sql_type = Nullable<Integer>)]
    brand_id: Option<i32>,
    #[diesel(sql_type = Nullable<Integer>)]
    band: Option<i32>,
    #[diesel(sql_type = Nullable<Bool>)]
    stocked: Option<bool>,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl Tally {
    /// Whether it counts all products.
    const fn is_total(&self) -> bool {
        self.category.is_none()
            && self.part_type_id.is_none()
            && self.brand_id.is_none()
            && self.band.is_none()
            && self.stocked.is_none()
    }
}

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = SqlText)]
    name_key: String,
}

#[derive(QueryableByName)]
struct AtPositions {
    #[diesel(sql_type = Integer)]
    positions: i32,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct OfAttribute {
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = Nullable<SqlText>)]
    unit: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    number: Option<i64>,
    #[diesel(sql_type = Nullable<SqlText>)]
    words: Option<String>,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Counts in one snapshot of the database, or the counts would not agree with each other.
pub(crate) fn count(connection: &mut PgConnection, query: &ProductQuery) -> QueryResult<Facets> {
    let count = |connection: &mut PgConnection| {
        let Some(found) = ways::found(connection, query)? else { return Ok(Facets::default()) };
        Counting { query, found }.all(connection)
    };
    connection.build_transaction().read_only().repeatable_read().run(count)
}

struct Counting<'a> {
    query: &'a ProductQuery,
    /// What the words or the number find.
    found: Condition,
}

impl Counting<'_> {
    /// What no choice narrows is counted in one pass; each facet that has a choice of its own in another one, without it.
    fn all(&self, connection: &mut PgConnection) -> QueryResult<Facets> {
        let (chosen, free): (Vec<_>, Vec<_>) = COLUMNS.into_iter().partition(|column| self.is_chosen(*column));
        let mut tallies = self.tally(connection, None, &free)?;
        for column in chosen {
            tallies.extend(self.tally(connection, Some(&column.facet()), &[column])?);
        }
        let total = tallies.iter().find(|tally| tally.is_total()).map_or(0, |tally| unsigned(tally.count));
        let in_stock = tallies.iter().find(|tally| tally.stocked == Some(true));
        Ok(Facets {
            total,
            categories: categories(&tallies),
            part_types: named(connection, "part_types", counts_of(&tallies, |tally| tally.part_type_id))?,
            brands: named(connection, "brands", counts_of(&tallies, |tally| tally.brand_id))?,
            in_stock: in_stock.map_or(0, |tally| unsigned(tally.count)),
            prices: price_bands(|place| in_band(&tallies, place)),
            attributes: self.attributes(connection)?,
            positions: self.positions(connection)?,
        })
    }

    fn products(&self, without: Option<&Facet<'_>>) -> Condition {
        Condition::all([selecting(self.query, without), self.found.clone()])
    }

    /// Whether the query chooses among what is in a column.
    fn is_chosen(&self, column: Column) -> bool {
        let query = self.query;
        match column {
            Column::Category => query.category.is_some(),
            Column::PartType => !query.part_types.is_empty(),
            Column::Brand => !query.brands.is_empty(),
            Column::Price => query.min_price.is_some() || query.max_price.is_some(),
            Column::InStock => query.in_stock,
        }
    }

    /// Reads the products once and counts them by each of these columns; and all of them, unless a facet's choice is left out.
    fn tally(
        &self,
        connection: &mut PgConnection,
        without: Option<&Facet<'_>>,
        columns: &[Column],
    ) -> QueryResult<Vec<Tally>> {
        let selected = COLUMNS.into_iter().fold(Condition::new().sql("SELECT "), |asked, column| {
            asked.sql(if columns.contains(&column) { column.name() } else { column.absent() }).sql(", ")
        });
        let grouped = selected
            .sql(
                "count(*) AS count FROM (SELECT products.category, coalesce(products.part_type_id, 0) AS part_type_id, \
                coalesce(products.brand_id, 0) AS brand_id, products.available >= products.min_order AS stocked, \
                width_bucket(products.price_cents, ",
            )
            .longs(PRICE_BANDS.to_vec())
            .sql(") AS band FROM products WHERE ")
            .then(self.products(without))
            .sql(") AS found GROUP BY GROUPING SETS (");
        let sets = columns.iter().map(|column| column.set()).chain(without.is_none().then_some("()"));
        let asked = sets.enumerate().fold(grouped, |asked, (place, set)| {
            let asked = if place > 0 { asked.sql(", ") } else { asked };
            asked.sql(set)
        });
        Composed(asked.sql(")")).load(connection)
    }

    /// Without a vehicle, part types or positions, the positions of every part would have to be read, and tell nothing.
    fn positions(&self, connection: &mut PgConnection) -> QueryResult<Vec<(Position, u64)>> {
        let query = self.query;
        if query.fit.is_none() && query.part_types.is_empty() && query.positions.is_empty() {
            return Ok(Vec::new());
        }
        let asked = Condition::new()
            .sql("SELECT placed.positions, count(*) AS count FROM products JOIN (")
            .then(placed(query, true))
            .sql(") AS placed ON placed.product_no = products.no WHERE ")
            .then(self.products(Some(&Facet::Position)))
            .sql(" GROUP BY placed.positions");
        let rows: Vec<AtPositions> = Composed(asked).load(connection)?;
        let count = |position: Position| {
            let there = rows.iter().filter(|row| row.positions.cast_unsigned() & position.bit() != 0);
            (position, there.map(|row| unsigned(row.count)).sum())
        };
        Ok(Position::ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect())
    }

    /// Attributes that are not chosen are counted together, each that is chosen without its own choice.
    fn attributes(&self, connection: &mut PgConnection) -> QueryResult<Vec<AttributeFacet>> {
        let facets = self.values_of(connection, None)?;
        let chosen = self.query.attributes.iter().map(|filter| self.values_of(connection, Some(&filter.name)));
        Ok(with_chosen(facets, chosen.collect::<QueryResult<Vec<_>>>()?))
    }

    fn values_of(&self, connection: &mut PgConnection, name: Option<&str>) -> QueryResult<Vec<AttributeFacet>> {
        let facet = name.map(Facet::Attribute);
        let mut asked = Condition::new()
            .sql(
                "SELECT attribute.name, attribute.unit, value.number, \
                coalesce(min(value.words), CASE value.flag WHEN true THEN 'yes' WHEN false THEN 'no' END) AS words, \
                count(*) AS count, sum(count(*)) OVER (PARTITION BY attribute.id) AS products \
                FROM product_attributes AS value JOIN attributes AS attribute ON attribute.id = value.attribute_id \
                JOIN products ON products.no = value.product_no WHERE ",
            )
            .then(self.products(facet.as_ref()));
        if let Some(name) = name {
            asked = asked.sql(" AND attribute.name_key = ").text(domain::fold(name));
        }
        asked = asked.sql(
            " GROUP BY attribute.id, value.number, value.words_key, value.flag \
            ORDER BY products DESC, attribute.name_key, value.number, count(*) DESC, words LIMIT ",
        );
        asked = asked.long(i64::try_from(ATTRIBUTE_VALUES_MAX).unwrap_or(i64::MAX));
        let rows: Vec<OfAttribute> = Composed(asked).load(connection)?;
        let mut facets: Vec<AttributeFacet> = Vec::new();
        for OfAttribute { name, unit, number, words, count } in rows {
            if facets.last().is_none_or(|last| last.name != name) {
                facets.push(AttributeFacet { name, unit, values: Vec::new() });
            }
            let number =
                number.and_then(|number| Measure::from_thousandths(number).ok()).map(|number| number.to_string());
            let (Some(value), Some(facet)) = (number.or(words), facets.last_mut()) else { continue };
            facet.values.push(FacetValue { value: value.clone(), name: value, count: unsigned(count) });
        }
        Ok(facets)
    }
}

fn counts_of(tallies: &[Tally], id: impl Fn(&Tally) -> Option<i32>) -> Vec<(i32, i64)> {
    tallies.iter().filter_map(|tally| Some((id(tally).filter(|id| *id > 0)?, tally.count))).collect()
}

fn named(
    connection: &mut PgConnection,
    table: &'static str,
    mut counts: Vec<(i32, i64)>,
) -> QueryResult<Vec<FacetValue>> {
    let ids = counts.iter().map(|(id, _)| *id).collect();
    let asked = Condition::new()
        .sql("SELECT id, name, name_key FROM ")
        .sql(table)
        .sql(" WHERE id = ANY (")
        .integers(ids)
        .sql(")");
    let names: HashMap<i32, Named> =
        Composed(asked).load(connection)?.into_iter().map(|named: Named| (named.id, named)).collect();
    let key = |id: i32| names.get(&id).map(|named| named.name_key.as_str());
    counts.sort_by(|(id, count), (other, others)| others.cmp(count).then_with(|| key(*id).cmp(&key(*other))));
    let value = |(id, count): (i32, i64)| {
        let name = names.get(&id)?.name.clone();
        Some(FacetValue { value: name.clone(), name, count: unsigned(count) })
    };
    Ok(counts.into_iter().take(FACET_VALUES_MAX).filter_map(value).collect())
}

fn categories(tallies: &[Tally]) -> Vec<(Category, u64)> {
    let count = |category: Category| {
        let tally = tallies.iter().find(|tally| tally.category.as_deref() == Some(category.as_str()))?;
        Some((category, unsigned(tally.count)))
    };
    Category::ALL.into_iter().filter_map(count).collect()
}

/// The first band is number one.
fn in_band(tallies: &[Tally], place: usize) -> u64 {
    let number = i32::try_from(place + 1).ok();
    tallies.iter().find(|tally| number.is_some() && tally.band == number).map_or(0, |tally| unsigned(tally.count))
}

fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
