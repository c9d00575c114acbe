//! Parts by many numbers at once.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Integer, Nullable, SmallInt, Text as SqlText, Timestamptz, Uuid as SqlUuid};
use domain::{AskedNumber, NumberKind, PartKey, ProductId, Via};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{NumberMatch, OrderedParts, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::catalog::ways::has_trigrams;
use crate::platform::sql_file::sql_file;

/// How similar a number has to be that is close to another one, as in searches.
const CLOSE: &str = "SET LOCAL pg_trgm.similarity_threshold = 0.5";

#[async_trait]
impl OrderedParts for Database {
    async fn by_numbers(&self, asked: &[AskedNumber]) -> Result<Vec<Vec<NumberMatch>>, StoreError> {
        let asked = asked.to_vec();
        self.read_many(move |connection| by_numbers(connection, asked)).await
    }

    async fn close_to(&self, keys: &[PartKey]) -> Result<Vec<Vec<ProductId>>, StoreError> {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        self.read_many(move |connection| close_to(connection, keys)).await
    }

    async fn successors(&self, products: &[ProductId]) -> Result<HashMap<ProductId, ProductId>, StoreError> {
        let ids: Vec<Uuid> = products.iter().map(|id| id.uuid()).collect();
        self.read(move |connection| {
            let rows: Vec<(Uuid, Uuid)> =
                sql_file!("successors.sql" => (SqlUuid, SqlUuid), { ids: Array<SqlUuid> = ids }).load(connection)?;
            Ok(rows.into_iter().map(|(former, id)| (ProductId::new(former), ProductId::new(id))).collect())
        })
        .await
    }
}

#[derive(QueryableByName)]
struct MatchRow {
    #[diesel(sql_type = Integer)]
    place: i32,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    #[diesel(sql_type = SqlText)]
    shown: String,
    #[diesel(sql_type = Nullable<SqlText>)]
    brand: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    since: Option<SqlTimestamp>,
    #[diesel(sql_type = Integer)]
    tier: i32,
    #[diesel(sql_type = Bool)]
    is_archived: bool,
}

impl From<MatchRow> for NumberMatch {
    fn from(row: MatchRow) -> Self {
        let tier = u8::try_from(row.tier).unwrap_or(u8::MAX);
        let since = row.since.map(SqlTimestamp::to_jiff);
        let via = NumberKind::from_code(row.kind)
            .and_then(|kind| Via::of(tier, kind, &row.shown, row.brand.as_deref(), since));
        Self { product: ProductId::new(row.id), tier, via, is_archived: row.is_archived }
    }
}

fn by_numbers(connection: &mut PgConnection, asked: Vec<AskedNumber>) -> QueryResult<Vec<Vec<NumberMatch>>> {
    let mut matches: Vec<Vec<NumberMatch>> = asked.iter().map(|_| Vec::new()).collect();
    let (mut places, mut part_keys) = (Vec::new(), Vec::new());
    let (mut branded_places, mut brand_keys, mut branded_keys) = (Vec::new(), Vec::new(), Vec::new());
    for (place, asked) in (0_i32..).zip(asked) {
        for key in asked.keys {
            places.push(place);
            part_keys.push(key);
        }
        // Postgres knows no text with a NUL in it, and no brand has one.
        for (brand, key) in asked.branded.into_iter().filter(|(brand, _)| !brand.contains('\0')) {
            branded_places.push(place);
            brand_keys.push(brand);
            branded_keys.push(key);
        }
    }
    let rows: Vec<MatchRow> = sql_file!("by_numbers.sql", {
        places: Array<Integer> = places,
        part_keys: Array<SqlText> = part_keys,
        branded_places: Array<Integer> = branded_places,
        brand_keys: Array<SqlText> = brand_keys,
        branded_keys: Array<SqlText> = branded_keys,
    })
    .load(connection)?;
    for row in rows {
        if let Some(of_number) = usize::try_from(row.place).ok().and_then(|place| matches.get_mut(place)) {
            of_number.push(row.into());
        }
    }
    Ok(matches)
}

fn close_to(connection: &mut PgConnection, keys: Vec<String>) -> QueryResult<Vec<Vec<ProductId>>> {
    let mut close: Vec<Vec<ProductId>> = keys.iter().map(|_| Vec::new()).collect();
    let places: Vec<i32> = (0..).take(keys.len()).collect();
    let rows: Vec<(i32, Uuid)> = if has_trigrams(connection)? {
        connection.transaction(|connection| {
            connection.batch_execute(CLOSE)?;
            sql_file!("close_numbers.sql" => (Integer, SqlUuid), {
                places: Array<Integer> = places,
                part_keys: Array<SqlText> = keys,
            })
            .load(connection)
        })?
    } else {
        sql_file!("misread_numbers.sql" => (Integer, SqlUuid), {
            places: Array<Integer> = places,
            part_keys: Array<SqlText> = keys,
        })
        .load(connection)?
    };
    for (place, id) in rows {
        if let Some(of_number) = usize::try_from(place).ok().and_then(|place| close.get_mut(place)) {
            of_number.push(ProductId::new(id));
        }
    }
    Ok(close)
}
