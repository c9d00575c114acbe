//! Wrong passwords.

use std::net::IpAddr;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};
use domain::{Email, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{GuessStore, Guesses, StoreError};

use crate::Database;
use crate::schema::login_guesses;

#[derive(QueryableByName)]
struct Tally {
    #[diesel(sql_type = BigInt)]
    wrong: i64,
    #[diesel(sql_type = Bool)]
    from_here: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    oldest: Option<SqlTimestamp>,
}

#[async_trait]
impl GuessStore for Database {
    async fn since(&self, email: &Email, from: IpAddr, since: Timestamp) -> Result<Guesses, StoreError> {
        let (email, from) = (email.as_str().to_owned(), written(from));
        self.run(move |connection| {
            let tally: Tally = diesel::sql_query(
                "SELECT count(*) AS wrong, coalesce(bool_or(from_address = $2), false) AS from_here, min(at) AS oldest
                FROM login_guesses WHERE email = $1 AND at >= $3",
            )
            .bind::<Text, _>(email)
            .bind::<Text, _>(from)
            .bind::<Timestamptz, SqlTimestamp>(since.to_diesel())
            .get_result(connection)?;
            Ok(Guesses {
                wrong: u32::try_from(tally.wrong).unwrap_or(u32::MAX),
                from_here: tally.from_here,
                oldest: tally.oldest.map(SqlTimestamp::to_jiff),
            })
        })
        .await
    }

    async fn note(
        &self,
        email: &Email,
        from: IpAddr,
        at: Timestamp,
        forget_before: Timestamp,
    ) -> Result<(), StoreError> {
        let (email, from) = (email.as_str().to_owned(), written(from));
        self.run(move |connection| {
            connection.transaction(|connection| {
                diesel::insert_into(login_guesses::table)
                    .values((
                        login_guesses::email.eq(email),
                        login_guesses::from_address.eq(from),
                        login_guesses::at.eq(at.to_diesel()),
                    ))
                    .execute(connection)?;
                // SKIP LOCKED: whoever forgets the same ones at this moment need not be waited for.
                diesel::sql_query(
                    "DELETE FROM login_guesses WHERE id IN
                        (SELECT id FROM login_guesses WHERE at < $1 ORDER BY at LIMIT 1000 FOR UPDATE SKIP LOCKED)",
                )
                .bind::<Timestamptz, SqlTimestamp>(forget_before.to_diesel())
                .execute(connection)
                .map(drop)
            })
        })
        .await
    }
}

/// An address as it is compared: one that was mapped into IPv6 on its way is the IPv4 address that it is.
fn written(address: IpAddr) -> String {
    address.to_canonical().to_string()
}
