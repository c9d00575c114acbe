//! How many copies the database has.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use ports::StoreError;

use crate::Database;

impl Database {
    /// How many standbys the writer streams its log to. A role that may not see their state (`pg_read_all_stats`) counts
    /// all that are connected.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not answer.
    pub async fn streaming_standbys(&self) -> Result<u64, StoreError> {
        #[derive(QueryableByName)]
        struct Standbys {
            #[diesel(sql_type = BigInt)]
            many: i64,
        }
        self.health(|connection| {
            diesel::sql_query(
                "SELECT count(*) AS many FROM pg_stat_replication WHERE coalesce(state, 'streaming') = 'streaming'",
            )
            .get_result::<Standbys>(connection)
        })
        .await
        .map(|standbys| standbys.many.unsigned_abs())
    }
}
