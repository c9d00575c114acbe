//! Whether the stock of products is what their ledgers add up to.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Uuid as SqlUuid};
use ports::StoreError;
use uuid::Uuid;

use crate::Database;
use crate::platform::sql_file::sql_file;

/// What was found in a part of the products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, QueryableByName)]
pub struct Drift {
    /// How many of them have another stock than their ledger.
    #[diesel(sql_type = BigInt)]
    pub drifted: i64,
    /// The last of them, to go on after; `None` if there were no more.
    #[diesel(sql_type = Nullable<SqlUuid>)]
    pub last: Option<Uuid>,
}

impl Database {
    /// Compares up to `limit` products after one with their ledgers: all of them at once would be a scan of every entry
    /// that there ever was.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn stock_drift(&self, after: Option<Uuid>, limit: u32) -> Result<Drift, StoreError> {
        self.read_many(move |connection| {
            sql_file!("drifted.sql", {
                after: SqlUuid = after.unwrap_or_default(),
                limit: BigInt = i64::from(limit),
            })
            .get_result(connection)
        })
        .await
    }
}
