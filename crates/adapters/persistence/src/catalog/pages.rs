//! Parts as they are addressed on pages, and lists of all of them.

use async_trait::async_trait;
use diesel::dsl::{LeftJoin, Select};
use diesel::prelude::*;
use diesel::sql_types::{Array, Integer};
use domain::{Gtin, NumberKind, PartKey, ProductId, VehicleNo};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{ListedPart, PartPages, PartsBlock, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::RowDecoder;
use crate::platform::sql_file::sql_file;
use crate::schema::{brands, part_numbers, products};

type Listed = (
    products::id,
    products::no,
    products::name,
    diesel::dsl::Nullable<brands::name>,
    products::part_number,
    products::created_at,
    products::changed_at,
    products::archived_at,
);

type ListedRow =
    (Uuid, i32, String, Option<String>, Option<String>, SqlTimestamp, Option<SqlTimestamp>, Option<SqlTimestamp>);

fn all() -> Select<LeftJoin<products::table, brands::table>, Listed> {
    products::table.left_join(brands::table).select((
        products::id,
        products::no,
        products::name,
        brands::name.nullable(),
        products::part_number,
        products::created_at,
        products::changed_at,
        products::archived_at,
    ))
}

fn decode(
    (id, no, name, brand, part_number, created_at, changed_at, archived_at): ListedRow,
) -> QueryResult<ListedPart> {
    let decoder = RowDecoder { what: "product", id };
    Ok(ListedPart {
        id: ProductId::new(id),
        no,
        name: decoder.text("name", &name)?,
        brand: decoder.maybe_text("brand", brand.as_deref())?,
        part_number: decoder.maybe_text("part_number", part_number.as_deref())?,
        changed_at: changed_at.unwrap_or(created_at).to_jiff(),
        is_archived: archived_at.is_some(),
    })
}

#[async_trait]
impl PartPages for Database {
    async fn listed(&self, ids: &[ProductId]) -> Result<Vec<ListedPart>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        self.read(move |connection| {
            let rows: Vec<ListedRow> = all().filter(products::id.eq_any(&ids)).load(connection)?;
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn listed_by_no(&self, no: i32) -> Result<Option<ListedPart>, StoreError> {
        self.read(move |connection| {
            let row: Option<ListedRow> = all().filter(products::no.eq(no)).first(connection).optional()?;
            row.map(decode).transpose()
        })
        .await
    }

    async fn listed_by_number(&self, brands: &[i32], numbers: &[PartKey]) -> Result<Vec<ListedPart>, StoreError> {
        let brands = brands.to_vec();
        let keys: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        self.read(move |connection| {
            let named = part_numbers::table
                .filter(part_numbers::kind.eq(NumberKind::Own.code()))
                .filter(part_numbers::brand_id.eq_any(brands))
                .filter(part_numbers::key.eq_any(keys))
                .select(part_numbers::product_no);
            let named: Vec<i32> = named.load(connection)?;
            let rows: Vec<ListedRow> = all().filter(products::no.eq_any(named)).load(connection)?;
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn listed_after(&self, after: i32, up_to: Option<i32>, limit: u32) -> Result<Vec<ListedPart>, StoreError> {
        self.read_list(move |connection| {
            let rows: Vec<ListedRow> = all()
                .filter(products::archived_at.is_null())
                .filter(products::no.gt(after).and(products::no.le(up_to.unwrap_or(i32::MAX))))
                .order(products::no)
                .limit(i64::from(limit))
                .load(connection)?;
            rows.into_iter().map(decode).collect()
        })
        .await
    }

    async fn blocks(&self, size: i32) -> Result<Vec<PartsBlock>, StoreError> {
        self.read_list(move |connection| {
            let rows: Vec<BlockRow> = sql_file!("part_blocks.sql", { block_size: Integer = size }).load(connection)?;
            let block = |BlockRow { nth, changed_at }| PartsBlock { nth, changed_at: changed_at.to_jiff() };
            Ok(rows.into_iter().map(block).collect())
        })
        .await
    }

    async fn vehicles_with_parts(&self, vehicles: &[VehicleNo]) -> Result<Vec<VehicleNo>, StoreError> {
        let vehicles: Vec<i32> = vehicles.iter().map(|vehicle| vehicle.get()).collect();
        self.read_list(move |connection| {
            let found: Vec<i32> =
                sql_file!("vehicles_with_parts.sql" => Integer, { vehicles: Array<Integer> = &vehicles })
                    .load(connection)?;
            Ok(found.into_iter().map(VehicleNo::new).collect())
        })
        .await
    }

    async fn gtins(&self, ids: &[ProductId]) -> Result<Vec<(ProductId, Gtin)>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        self.read_list(move |connection| {
            let rows: Vec<(Uuid, String)> = part_numbers::table
                .inner_join(products::table.on(products::no.eq(part_numbers::product_no)))
                .filter(products::id.eq_any(&ids))
                .filter(part_numbers::kind.eq(NumberKind::Gtin.code()))
                .order(part_numbers::id)
                .select((products::id, part_numbers::key))
                .load(connection)?;
            // What is no GTIN was entered as one all the same, and is none here.
            let gtin = |(id, key): (Uuid, String)| Some((ProductId::new(id), key.parse().ok()?));
            Ok(rows.into_iter().filter_map(gtin).collect())
        })
        .await
    }
}

#[derive(QueryableByName)]
struct BlockRow {
    #[diesel(sql_type = Integer)]
    nth: i32,
    #[diesel(sql_type = diesel::sql_types::Timestamptz)]
    changed_at: SqlTimestamp,
}
