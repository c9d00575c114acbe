//! The clock that all instances share.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::Timestamptz;
use domain::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{SharedClock, StoreError};

use crate::Database;

#[derive(QueryableByName)]
struct Now {
    #[diesel(sql_type = Timestamptz)]
    now: SqlTimestamp,
}

#[async_trait]
impl SharedClock for Database {
    async fn read(&self) -> Result<Timestamp, StoreError> {
        self.read(|connection| {
            let row: Now = diesel::sql_query("SELECT clock_timestamp() AS now").get_result(connection)?;
            Ok(row.now.to_jiff())
        })
        .await
    }
}
