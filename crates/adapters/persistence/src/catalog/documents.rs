//! What products are found by, as a search engine gets it.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Bool, Integer, Jsonb, Nullable, SmallInt, Text as SqlText, Timestamptz, Uuid as SqlUuid,
};
use domain::{Category, NumberKind, ProductId};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{DocumentAttribute, DocumentNumber, DocumentValue, Documents, Named, SearchDocument};
use serde::Deserialize;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::platform::sql_file::sql_file;

#[derive(QueryableByName)]
struct DocumentRow {
    #[diesel(sql_type = Integer)]
    no: i32,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Bool)]
    archived: bool,
    #[diesel(sql_type = SqlText)]
    category: String,
    #[diesel(sql_type = BigInt)]
    price_cents: i64,
    #[diesel(sql_type = Bool)]
    in_stock: bool,
    #[diesel(sql_type = Timestamptz)]
    created_at: SqlTimestamp,
    #[diesel(sql_type = SqlText)]
    name_key: String,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand: Option<String>,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand_key: Option<String>,
    #[diesel(sql_type = Nullable<Integer>)]
    part_type_id: Option<i32>,
    #[diesel(sql_type = Nullable<SqlText>)]
    part_type: Option<String>,
    #[diesel(sql_type = Nullable<SqlText>)]
    part_type_key: Option<String>,
    #[diesel(sql_type = SqlText)]
    document: String,
    #[diesel(sql_type = Jsonb)]
    attributes: serde_json::Value,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = Integer)]
    product_no: i32,
    #[diesel(sql_type = Integer)]
    steps: i32,
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    #[diesel(sql_type = SqlText)]
    key: String,
    #[diesel(sql_type = SqlText)]
    shown: String,
    #[diesel(sql_type = Timestamptz)]
    since: SqlTimestamp,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand: Option<String>,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand_key: Option<String>,
}

#[derive(Deserialize)]
struct AttributeRow {
    name: String,
    key: String,
    unit: Option<String>,
    number: Option<i64>,
    words: Option<String>,
    words_key: Option<String>,
    flag: Option<bool>,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = BigInt)]
    version: i64,
}

/// The documents of products, all of one moment.
pub(crate) fn read(connection: &mut PgConnection, products: &[i32]) -> QueryResult<Documents> {
    connection.build_transaction().read_only().repeatable_read().run(|connection| {
        let version: Version =
            diesel::sql_query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS version")
                .get_result(connection)?;
        let rows: Vec<DocumentRow> =
            sql_file!("search_documents.sql", { product_nos: Array<Integer> = products.to_vec() }).load(connection)?;
        let numbers: Vec<NumberRow> =
            sql_file!("search_numbers.sql", { product_nos: Array<Integer> = products.to_vec() }).load(connection)?;
        let mut of: HashMap<i32, Vec<DocumentNumber>> = HashMap::new();
        for row in numbers {
            let (no, number) = (row.product_no, row.decode()?);
            of.entry(no).or_default().push(number);
        }
        let document = |row: DocumentRow| {
            let numbers = of.remove(&row.no).unwrap_or_default();
            row.decode(numbers)
        };
        let found = rows.into_iter().map(document).collect::<QueryResult<_>>()?;
        Ok(Documents { version: version.version, found })
    })
}

fn named(name: Option<String>, key: Option<String>) -> Option<Named> {
    name.zip(key).map(|(name, key)| Named { name, key })
}

impl NumberRow {
    fn decode(self) -> QueryResult<DocumentNumber> {
        let decoder = RowDecoder { what: "number of product", id: self.product_no };
        let kind = NumberKind::from_code(self.kind);
        Ok(DocumentNumber {
            kind: kind.ok_or_else(|| decoder.refuse("kind of a number", "it is not known"))?,
            key: self.key,
            shown: self.shown,
            brand: named(self.brand, self.brand_key),
            since: self.since.to_jiff(),
            steps: u8::try_from(self.steps).unwrap_or(u8::MAX),
        })
    }
}

impl DocumentRow {
    fn decode(self, numbers: Vec<DocumentNumber>) -> QueryResult<SearchDocument> {
        let decoder = RowDecoder { what: "product", id: self.id };
        let attributes = Vec::<AttributeRow>::deserialize(self.attributes);
        let attributes = attributes.map_err(|why| decoder.refuse("attributes", &why))?;
        Ok(SearchDocument {
            no: self.no,
            id: ProductId::new(self.id),
            archived: self.archived,
            category: decoder.parse::<Category>("category", &self.category)?,
            brand: named(self.brand, self.brand_key),
            part_type: self.part_type_id.zip(named(self.part_type, self.part_type_key)),
            price: self.price_cents,
            in_stock: self.in_stock,
            added: self.created_at.to_jiff(),
            name_key: self.name_key,
            words: self.document,
            numbers,
            attributes: attributes.into_iter().map(DocumentAttribute::from).collect(),
        })
    }
}

impl From<AttributeRow> for DocumentAttribute {
    fn from(row: AttributeRow) -> Self {
        let value = match (row.number, named(row.words, row.words_key)) {
            (Some(number), _) => DocumentValue::Number(number),
            (None, Some(words)) => DocumentValue::Words(words),
            (None, None) => DocumentValue::Flag(row.flag.unwrap_or_default()),
        };
        Self { name: Named { name: row.name, key: row.key }, unit: row.unit, value }
    }
}
