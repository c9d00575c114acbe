//! Limits on requests that all copies of the shop count together.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::ClientNetwork;
use ports::{Limited, RateLimit, SharedRateLimits, StoreError};

use crate::Database;
use crate::platform::sql_file::sql_file;

#[async_trait]
impl SharedRateLimits for Database {
    async fn count(
        &self,
        limited: Limited,
        limit: RateLimit,
        client: ClientNetwork,
    ) -> Result<Option<Duration>, StoreError> {
        let interval = limit.interval();
        // The first request of a burst leaves nothing ahead of it.
        let ahead = interval * limit.burst.saturating_sub(1);
        self.count(move |connection| {
            let wait: Option<i64> = sql_file!("count_request.sql" => BigInt, {
                client: Text = client.to_string(),
                limited: Text = limited.name(),
                interval_micros: BigInt = micros(interval),
                ahead_micros: BigInt = micros(ahead),
            })
            .get_result(connection)
            .optional()?;
            Ok(match wait {
                Some(0) => None,
                Some(wait) => Some(Duration::from_micros(wait.unsigned_abs())),
                None => Some(interval),
            })
        })
        .await
    }

    async fn forget(&self, max: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let deleted = diesel::sql_query(
                "DELETE FROM rate_limits WHERE (client, limited) IN (
                    SELECT client, limited FROM rate_limits WHERE spent_until < now()
                    ORDER BY spent_until LIMIT $1 FOR UPDATE SKIP LOCKED)",
            )
            .bind::<BigInt, _>(i64::from(max))
            .execute(connection)?;
            Ok(u32::try_from(deleted).unwrap_or(max))
        })
        .await
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
