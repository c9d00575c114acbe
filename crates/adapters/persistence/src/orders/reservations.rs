//! Reservations of unpaid orders: reminders and expiry.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Double, Uuid as SqlUuid};
use domain::OrderId;
use uuid::Uuid;

use crate::platform::sql_file::sql_file;

pub(crate) fn lease_lapsed(connection: &mut PgConnection, limit: u32) -> QueryResult<Vec<OrderId>> {
    let leased: Vec<Uuid> =
        sql_file!("lease_lapsed.sql" => SqlUuid, { limit: BigInt = i64::from(limit) }).load(connection)?;
    Ok(leased.into_iter().map(OrderId::new).collect())
}

pub(crate) fn reserve(connection: &mut PgConnection, ttl: Duration, limit: u32) -> QueryResult<u32> {
    let reserved = sql_file!("reserve.sql", {
        ttl_seconds: Double = ttl.as_secs_f64(),
        limit: BigInt = i64::from(limit),
    })
    .execute(connection)?;
    Ok(u32::try_from(reserved).unwrap_or(u32::MAX))
}

pub(crate) fn remind(connection: &mut PgConnection, limit: u32) -> QueryResult<u32> {
    let reminded = sql_file!("remind.sql", { limit: BigInt = i64::from(limit) }).execute(connection)?;
    Ok(u32::try_from(reminded).unwrap_or(u32::MAX))
}

pub(crate) fn overdue(connection: &mut PgConnection) -> QueryResult<u64> {
    let overdue: i64 = sql_file!("count_overdue.sql" => BigInt, {}).get_result(connection)?;
    Ok(u64::try_from(overdue).unwrap_or(0))
}
