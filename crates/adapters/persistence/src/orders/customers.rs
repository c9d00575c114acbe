//! What a customer has ordered and paid.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Timestamptz, Uuid as SqlUuid};
use domain::AccountId;
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{CustomerTotals, OrderStates};

use crate::platform::sql_file::sql_file;

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    waiting: i64,
    #[diesel(sql_type = BigInt)]
    ready: i64,
    #[diesel(sql_type = BigInt)]
    unpaid: i64,
    #[diesel(sql_type = BigInt)]
    reserved: i64,
    #[diesel(sql_type = BigInt)]
    paid: i64,
    #[diesel(sql_type = BigInt)]
    shipped: i64,
    #[diesel(sql_type = BigInt)]
    refunded: i64,
    #[diesel(sql_type = BigInt)]
    cancelled: i64,
    #[diesel(sql_type = BigInt)]
    all_orders: i64,
    #[diesel(sql_type = BigInt)]
    spent_cents: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    first_order_at: Option<SqlTimestamp>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_order_at: Option<SqlTimestamp>,
}

pub(crate) fn totals(connection: &mut PgConnection, customer: AccountId) -> QueryResult<CustomerTotals> {
    let row: TotalsRow =
        sql_file!("customer_totals.sql", { customer: SqlUuid = customer.uuid() }).get_result(connection)?;
    let many = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok(CustomerTotals {
        states: OrderStates {
            waiting: many(row.waiting),
            ready: many(row.ready),
            unpaid: many(row.unpaid),
            reserved: many(row.reserved),
            paid: many(row.paid),
            shipped: many(row.shipped),
            refunded: many(row.refunded),
            cancelled: many(row.cancelled),
            all: many(row.all_orders),
        },
        spent_cents: row.spent_cents,
        first_order_at: row.first_order_at.map(SqlTimestamp::to_jiff),
        last_order_at: row.last_order_at.map(SqlTimestamp::to_jiff),
    })
}
