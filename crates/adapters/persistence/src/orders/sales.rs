//! What sells and who buys it, how many orders are paid, and how old the unpaid ones are.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{
    Array, BigInt, Date as SqlDay, Integer, Nullable, Text as SqlText, Timestamptz, Uuid as SqlUuid,
};
use domain::{Account, Day, Money, Product};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    AgeGroup, CategorySales, Conversion, SalesFigures, SalesPeriod, SalesRepository, StoreError, TopCustomer,
    TopProduct,
};
use uuid::Uuid;

use crate::Database;
use crate::accounts::rows::AccountRow;
use crate::catalog::rows::ProductRow;
use crate::orders::rollups::of_one_moment;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::sql_file::sql_file;
use crate::schema::{accounts, products, sales_rollups};

#[async_trait]
impl SalesRepository for Database {
    async fn top_products(&self, period: SalesPeriod, limit: u32) -> Result<Vec<TopProduct>, StoreError> {
        self.read_list(move |connection| top_products(connection, period, limit)).await
    }

    async fn top_customers(&self, period: SalesPeriod, limit: u32) -> Result<Vec<TopCustomer>, StoreError> {
        self.read_list(move |connection| top_customers(connection, period, limit)).await
    }

    async fn category_sales(&self, period: SalesPeriod) -> Result<Vec<CategorySales>, StoreError> {
        self.read_list(move |connection| category_sales(connection, period)).await
    }

    async fn conversion(&self, period: SalesPeriod) -> Result<Conversion, StoreError> {
        self.read_list(move |connection| conversion(connection, period)).await
    }

    async fn unpaid_by_age(&self, days: &[Day]) -> Result<Vec<AgeGroup>, StoreError> {
        let days = days.to_vec();
        self.read_list(move |connection| unpaid_by_age(connection, &days)).await
    }
}

#[derive(QueryableByName)]
struct TopRow {
    #[diesel(sql_type = BigInt)]
    folded_to: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    id: Option<Uuid>,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    units: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
    #[diesel(sql_type = BigInt)]
    cents_before: i64,
}

impl TopRow {
    fn figures(&self) -> SalesFigures {
        SalesFigures { orders: many(self.orders), cents: self.cents, cents_before: self.cents_before }
    }
}

fn many(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}

fn folded_to(connection: &mut PgConnection, rollup: &str) -> QueryResult<i64> {
    sales_rollups::table.find(rollup).select(sales_rollups::folded_to).first(connection)
}

#[derive(QueryableByName)]
struct CategoryRow {
    #[diesel(sql_type = BigInt)]
    folded_to: i64,
    #[diesel(sql_type = Nullable<SqlText>)]
    category: Option<String>,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    units: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
    #[diesel(sql_type = BigInt)]
    cents_before: i64,
}

/// A file's statement about a period, whose `folded_to` has to be the one that it was asked with.
macro_rules! top {
    ($row:ty, $file:literal, $connection:ident, $period:ident $(, limit: $limit:ident)?) => {
        of_one_moment($connection, |connection| {
            let sales_folded_to = folded_to(connection, "sales")?;
            let rows: Vec<$row> = sql_file!($file, {
                sales_folded_to: BigInt = sales_folded_to,
                first_day_before: SqlDay = $period.before.date().to_diesel(),
                first_day: SqlDay = $period.first.date().to_diesel(),
                last_day: SqlDay = $period.last.date().to_diesel(),
                from_time: Timestamptz = $period.before.begins().to_diesel(),
                before_time: Timestamptz = $period.last.ends().to_diesel(),
                max_cents: BigInt = Money::MAX.cents(),
                $(limit: BigInt = i64::from($limit),)?
            })
            .load(connection)?;
            Ok(rows.first().is_some_and(|row| row.folded_to == sales_folded_to).then_some(rows))
        })
    };
}

fn top_products(connection: &mut PgConnection, period: SalesPeriod, limit: u32) -> QueryResult<Vec<TopProduct>> {
    let rows = top!(TopRow, "top_products.sql", connection, period, limit: limit)?;
    let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.id).collect();
    // Archived or not.
    let named = products::table.filter(products::id.eq_any(ids)).select(ProductRow::as_select());
    let named: Vec<Product> = decode_all(named.load(connection)?)?;
    let top = |row: TopRow| {
        let product = named.iter().find(|product| Some(product.id.uuid()) == row.id)?.clone();
        Some(TopProduct { product, units: many(row.units), figures: row.figures() })
    };
    Ok(rows.into_iter().filter_map(top).collect())
}

fn top_customers(connection: &mut PgConnection, period: SalesPeriod, limit: u32) -> QueryResult<Vec<TopCustomer>> {
    let rows = top!(TopRow, "top_customers.sql", connection, period, limit: limit)?;
    let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.id).collect();
    // Removed or not.
    let named = accounts::table.filter(accounts::id.eq_any(ids)).select(AccountRow::as_select());
    let named: Vec<ports::Credentials> = decode_all(named.load::<AccountRow>(connection)?)?;
    let account = |credentials: ports::Credentials| (credentials.account.id.uuid(), credentials.account);
    let mut named: HashMap<Uuid, Account> = named.into_iter().map(account).collect();
    let top = |row: TopRow| {
        let account = named.remove(&row.id?)?;
        Some(TopCustomer { account, figures: row.figures() })
    };
    Ok(rows.into_iter().filter_map(top).collect())
}

fn category_sales(connection: &mut PgConnection, period: SalesPeriod) -> QueryResult<Vec<CategorySales>> {
    let rows = top!(CategoryRow, "category_sales.sql", connection, period)?;
    let sold = |row: CategoryRow| {
        let category = row.category?;
        let decoder = RowDecoder { what: "category", id: &category };
        let parsed = decoder.parse("category", &category);
        let figures = SalesFigures { orders: many(row.orders), cents: row.cents, cents_before: row.cents_before };
        Some(parsed.map(|category| CategorySales { category, units: many(row.units), figures }))
    };
    rows.into_iter().filter_map(sold).collect()
}

#[derive(QueryableByName)]
struct ConversionRow {
    #[diesel(sql_type = BigInt)]
    placed_folded_to: i64,
    #[diesel(sql_type = BigInt)]
    sales_folded_to: i64,
    #[diesel(sql_type = BigInt)]
    placed: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    placed_before: i64,
    #[diesel(sql_type = BigInt)]
    paid_before: i64,
}

fn conversion(connection: &mut PgConnection, period: SalesPeriod) -> QueryResult<Conversion> {
    let row = of_one_moment(connection, |connection| {
        let asked = (folded_to(connection, "placed")?, folded_to(connection, "sales")?);
        let row: ConversionRow = sql_file!("count_conversion.sql", {
            placed_folded_to: BigInt = asked.0,
            sales_folded_to: BigInt = asked.1,
            first_day_before: SqlDay = period.before.date().to_diesel(),
            first_day: SqlDay = period.first.date().to_diesel(),
            last_day: SqlDay = period.last.date().to_diesel(),
            from_time: Timestamptz = period.before.begins().to_diesel(),
            before_time: Timestamptz = period.last.ends().to_diesel(),
        })
        .get_result(connection)?;
        Ok(((row.placed_folded_to, row.sales_folded_to) == asked).then_some(row))
    })?;
    Ok(Conversion {
        placed: many(row.placed),
        paid: many(row.paid),
        placed_before: many(row.placed_before),
        paid_before: many(row.paid_before),
    })
}

#[derive(QueryableByName)]
struct AgeRow {
    #[diesel(sql_type = Integer)]
    bucket: i32,
    #[diesel(sql_type = BigInt)]
    orders: i64,
    #[diesel(sql_type = BigInt)]
    cents: i64,
}

fn unpaid_by_age(connection: &mut PgConnection, days: &[Day]) -> QueryResult<Vec<AgeGroup>> {
    let bounds: Vec<SqlTimestamp> = days.iter().map(|day| day.begins().to_diesel()).collect();
    let rows: Vec<AgeRow> = sql_file!("unpaid_by_age.sql", {
        bounds: Array<Timestamptz> = bounds,
        max_cents: BigInt = Money::MAX.cents(),
    })
    .load(connection)?;
    let group = |bucket: usize| {
        let row = rows.iter().find(|row| usize::try_from(row.bucket) == Ok(bucket));
        row.map_or(AgeGroup { orders: 0, total: Money::ZERO }, |row| AgeGroup {
            orders: many(row.orders),
            total: Money::from_cents(row.cents).unwrap_or(Money::MAX),
        })
    };
    Ok((0..=days.len()).map(group).collect())
}
