//! Deleting old rows in batches.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Timestamptz};
use domain::Timestamp;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};

/// Deletes at most `limit` rows of before a moment, and returns how many there were. `$1` of the statement is the moment,
/// `$2` the limit.
pub(crate) fn delete_batch(
    connection: &mut PgConnection,
    statement: &'static str,
    before: Timestamp,
    limit: u32,
) -> QueryResult<u32> {
    let deleted = diesel::sql_query(statement)
        .bind::<Timestamptz, SqlTimestamp>(before.to_diesel())
        .bind::<BigInt, _>(i64::from(limit))
        .execute(connection)?;
    Ok(u32::try_from(deleted).unwrap_or(limit))
}
