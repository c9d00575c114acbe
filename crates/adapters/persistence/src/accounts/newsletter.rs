//! Newsletter subscriptions.

use async_trait::async_trait;
use diesel::prelude::*;
use domain::{Email, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{NewsletterRepository, StoreError};

use crate::Database;
use crate::schema::newsletter;

#[async_trait]
impl NewsletterRepository for Database {
    async fn subscribe(&self, email: &Email, at: Timestamp) -> Result<(), StoreError> {
        let email = email.as_str().to_owned();
        self.run(move |connection| {
            diesel::insert_into(newsletter::table)
                .values((newsletter::email.eq(email), newsletter::subscribed_at.eq(at.to_diesel())))
                .on_conflict_do_nothing()
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn unsubscribe(&self, email: &Email) -> Result<(), StoreError> {
        let email = email.as_str().to_owned();
        self.run(move |connection| diesel::delete(newsletter::table.find(email)).execute(connection).map(drop)).await
    }
}
