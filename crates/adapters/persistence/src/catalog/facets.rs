//! How many products there are behind each choice of a list.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, SmallInt, Text as SqlText};
use domain::{Category, Measure, Position};
use ports::{AttributeFacet, FacetValue, Facets, PRICE_BANDS, PriceBand, ProductQuery};

use crate::catalog::conditions::{Facet, selecting};
use crate::catalog::fitting::with_position;
use crate::catalog::ways;
use crate::platform::condition::{Composed, Condition};

/// How many values of a facet are sent, and how many attributes.
const MOST: i64 = 100;
const MOST_ATTRIBUTES: usize = 20;

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = SqlText)]
    value: String,
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct InBand {
    #[diesel(sql_type = Integer)]
    band: i32,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct AtPosition {
    #[diesel(sql_type = SmallInt)]
    position: i16,
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
    fn all(&self, connection: &mut PgConnection) -> QueryResult<Facets> {
        let total = ways::count(connection, &self.products(None))?;
        let stocked = Condition::new().sql("products.available >= products.min_order");
        let orderable = Condition::all([self.products(Some(&Facet::InStock)), stocked]);
        Ok(Facets {
            total: unsigned(total),
            categories: self.categories(connection)?,
            part_types: self.named(
                connection,
                &Facet::PartType,
                "part_types AS named ON named.id = products.part_type_id",
            )?,
            brands: self.named(connection, &Facet::Brand, "brands AS named ON named.id = products.brand_id")?,
            in_stock: unsigned(ways::count(connection, &orderable)?),
            prices: self.prices(connection)?,
            attributes: self.attributes(connection)?,
            positions: self.positions(connection)?,
        })
    }

    fn products(&self, without: Option<&Facet<'_>>) -> Condition {
        Condition::all([selecting(self.query, without), self.found.clone()])
    }

    fn categories(&self, connection: &mut PgConnection) -> QueryResult<Vec<(Category, u64)>> {
        let asked = Condition::new()
            .sql("SELECT products.category AS value, products.category AS name, count(*) AS count FROM products WHERE ")
            .then(self.products(Some(&Facet::Category)))
            .sql(" GROUP BY products.category");
        let rows: Vec<Counted> = Composed(asked).load(connection)?;
        let count = |category: Category| {
            let row = rows.iter().find(|row| row.value == category.as_str())?;
            Some((category, unsigned(row.count)))
        };
        Ok(Category::ALL.into_iter().filter_map(count).collect())
    }

    fn named(
        &self,
        connection: &mut PgConnection,
        facet: &Facet<'_>,
        names: &'static str,
    ) -> QueryResult<Vec<FacetValue>> {
        let asked = Condition::new()
            .sql("SELECT named.name AS value, named.name, count(*) AS count FROM products JOIN ")
            .sql(names)
            .sql(" WHERE ")
            .then(self.products(Some(facet)))
            .sql(" GROUP BY named.id ORDER BY count(*) DESC, named.name_key LIMIT ")
            .long(MOST);
        let rows: Vec<Counted> = Composed(asked).load(connection)?;
        Ok(rows.into_iter().map(facet_value).collect())
    }

    fn prices(&self, connection: &mut PgConnection) -> QueryResult<Vec<PriceBand>> {
        let asked = Condition::new()
            .sql("SELECT width_bucket(products.price_cents, ")
            .longs(PRICE_BANDS.to_vec())
            .sql(") AS band, count(*) AS count FROM products WHERE ")
            .then(self.products(Some(&Facet::Price)))
            .sql(" GROUP BY 1");
        let rows: Vec<InBand> = Composed(asked).load(connection)?;
        let band = |(place, from): (usize, &i64)| {
            // The first band is number one.
            let number = i32::try_from(place + 1).ok()?;
            let row = rows.iter().find(|row| row.band == number)?;
            let to = PRICE_BANDS.get(place + 1).map(|next| next - 1);
            Some(PriceBand { from: *from, to, count: unsigned(row.count) })
        };
        Ok(PRICE_BANDS.iter().enumerate().filter_map(band).collect())
    }

    /// Without a vehicle, part types or positions, the positions of every part would have to be read, and tell nothing.
    fn positions(&self, connection: &mut PgConnection) -> QueryResult<Vec<(Position, u64)>> {
        let query = self.query;
        if query.fit.is_none() && query.part_types.is_empty() && query.positions.is_empty() {
            return Ok(Vec::new());
        }
        let asked = Condition::new()
            .sql(
                "SELECT position, count(*) AS count FROM (SELECT DISTINCT products.no, fitments.position \
                FROM products JOIN fitments ON fitments.product_no = products.no WHERE ",
            )
            .then(Condition::all([with_position(query, true), self.products(Some(&Facet::Position))]))
            .sql(") AS placed GROUP BY position");
        let rows: Vec<AtPosition> = Composed(asked).load(connection)?;
        let count = |position: Position| {
            let row = rows.iter().find(|row| row.position == position.code())?;
            Some((position, unsigned(row.count)))
        };
        Ok(Position::ALL.into_iter().filter_map(count).collect())
    }

    /// Attributes that are not chosen are counted together, each that is chosen without its own choice.
    fn attributes(&self, connection: &mut PgConnection) -> QueryResult<Vec<AttributeFacet>> {
        let mut facets = self.values_of(connection, None)?;
        facets.truncate(MOST_ATTRIBUTES);
        for filter in &self.query.attributes {
            let own = self.values_of(connection, Some(&filter.name))?;
            facets.retain(|facet| !own.iter().any(|one| one.name == facet.name));
            facets.splice(0..0, own);
        }
        Ok(facets)
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
            ORDER BY products DESC, attribute.name_key, value.number, count(*) DESC, words LIMIT 2000",
        );
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

fn facet_value(row: Counted) -> FacetValue {
    FacetValue { value: row.value, name: row.name, count: unsigned(row.count) }
}

fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
