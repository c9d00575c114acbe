//! Payment provider events that have been handled.

use async_trait::async_trait;
use diesel::prelude::*;
use domain::Timestamp;
use domain::orders::order::Change;
use jiff_diesel::ToDiesel;
use ports::{Applied, PaymentEvents, StoreError};

use crate::Database;
use crate::orders::changing::{change_order, is_known_event, is_seq_conflict};
use crate::platform::delete_batch::delete_batch;
use crate::schema::payment_events;

#[async_trait]
impl PaymentEvents for Database {
    async fn is_known(&self, event: &str) -> Result<bool, StoreError> {
        let event = event.to_owned();
        self.read(move |connection| {
            diesel::select(diesel::dsl::exists(payment_events::table.find(event))).get_result(connection)
        })
        .await
    }

    async fn apply(&self, event: &str, change: &Change, at: Timestamp) -> Result<Applied, StoreError> {
        let (event, change) = (event.to_owned(), change.clone());
        self.run(move |connection| {
            let written = connection.transaction(|connection| {
                let changed = change_order(connection, &change)?;
                if changed {
                    // Not "on conflict do nothing": two copies of an event that arrive together must not both count.
                    diesel::insert_into(payment_events::table)
                        .values((payment_events::id.eq(&event), payment_events::heard_at.eq(at.to_diesel())))
                        .execute(connection)?;
                }
                Ok(changed)
            });
            match written {
                Ok(true) => Ok(Applied::Written),
                Ok(false) => Ok(Applied::Conflict),
                Err(error) if is_seq_conflict(&error) => Ok(Applied::Conflict),
                // Another copy of the event was handled after this one was read; nothing was written.
                Err(error) if is_known_event(&error) => Ok(Applied::Conflict),
                Err(error) => Err(error),
            }
        })
        .await
    }

    async fn remember(&self, event: &str, at: Timestamp) -> Result<(), StoreError> {
        let event = event.to_owned();
        // An event that settled an order was recorded by `apply`; without the conflict clause the server would log an
        // error for each.
        self.run(move |connection| {
            diesel::insert_into(payment_events::table)
                .values((payment_events::id.eq(event), payment_events::heard_at.eq(at.to_diesel())))
                .on_conflict_do_nothing()
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            delete_batch(
                connection,
                "DELETE FROM payment_events WHERE id = ANY (ARRAY (
                    SELECT id FROM payment_events WHERE heard_at < $1 ORDER BY heard_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
                before,
                limit,
)
        })
        .await
    }
}
