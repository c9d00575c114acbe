//! Failed logins.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Bytea, Nullable, Text, Timestamptz};
use domain::accounts::login_limits::{BEYOND, DAY, OF_ACCOUNT, OF_DEVICE, OF_NETWORK, Verdict, WINDOW};
use domain::{AttemptSource, DeviceId, FailedLogins, LoginAttempt, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{Counted, LoginAttemptId, LoginAttempts, StoreError};

use crate::Database;
use crate::platform::sql_file::sql_file;
use crate::schema::login_guesses;

/// Each counted attempt also deletes up to this many attempts that no longer count.
const FORGOTTEN_AT_ONCE: i64 = 100;

#[derive(QueryableByName)]
struct OfUnknownDevices {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    of_account: Option<SqlTimestamp>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    of_network: Option<SqlTimestamp>,
    #[diesel(sql_type = Bool)]
    from_here: bool,
    #[diesel(sql_type = BigInt)]
    beyond: i64,
}

#[async_trait]
impl LoginAttempts for Database {
    async fn retry_after(&self, login_attempt: &LoginAttempt) -> Result<Option<Duration>, StoreError> {
        let login_attempt = login_attempt.clone();
        self.read(move |connection| {
            Ok(match before(connection, &login_attempt)?.verdict(login_attempt.at) {
                Verdict::Wait(wait) => Some(wait),
                Verdict::Check { .. } => None,
            })
        })
        .await
    }

    async fn count(&self, login_attempt: &LoginAttempt) -> Result<Counted, StoreError> {
        let login_attempt = login_attempt.clone();
        self.run(move |connection| {
            connection.transaction(|connection| {
                lock_buckets(connection, &login_attempt)?;
                // A separate statement: its snapshot has to include what the previous holder of the locks wrote.
                let beyond = match before(connection, &login_attempt)?.verdict(login_attempt.at) {
                    Verdict::Wait(wait) => return Ok(Counted::Wait(wait)),
                    Verdict::Check { beyond } => beyond,
                };
                let id = diesel::insert_into(login_guesses::table)
                    .values((
                        login_guesses::email.eq(login_attempt.email.as_str()),
                        login_guesses::from_address.eq(login_attempt.from.to_string()),
                        login_guesses::at.eq(login_attempt.at.to_diesel()),
                        login_guesses::device.eq(device_of(&login_attempt).map(|device| device.0.to_vec())),
                        login_guesses::beyond.eq(beyond),
                    ))
                    .returning(login_guesses::id)
                    .get_result(connection)?;
                forget_some(connection, earlier(login_attempt.at, DAY))?;
                Ok(Counted::Check(LoginAttemptId::new(id)))
            })
        })
        .await
    }

    async fn forgive(&self, login_attempt: LoginAttemptId) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::delete(login_guesses::table.find(login_attempt.get())).execute(connection).map(drop)
        })
        .await
    }
}

const fn device_of(login_attempt: &LoginAttempt) -> Option<DeviceId> {
    match login_attempt.by {
        AttemptSource::Known(device) => Some(device),
        AttemptSource::Stranger => None,
    }
}

/// Locks the attempt's buckets until the transaction ends, so that concurrent attempts are counted one after the other.
/// The order is always network, then account, which prevents deadlocks.
fn lock_buckets(connection: &mut PgConnection, login_attempt: &LoginAttempt) -> QueryResult<()> {
    let buckets = match login_attempt.by {
        AttemptSource::Known(DeviceId(device)) => vec![format!("device {}", u128::from_be_bytes(device))],
        AttemptSource::Stranger => {
            vec![format!("network {}", login_attempt.from), format!("account {}", login_attempt.email)]
        }
    };
    for bucket in buckets {
        diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended('login guesses of ' || $1, 0))")
            .bind::<Text, _>(bucket)
            .execute(connection)?;
    }
    Ok(())
}

/// The failed logins that count against this attempt.
fn before(connection: &mut PgConnection, login_attempt: &LoginAttempt) -> QueryResult<FailedLogins> {
    let window = earlier(login_attempt.at, WINDOW).to_diesel();
    match login_attempt.by {
        AttemptSource::Known(device) => {
            let last: Option<SqlTimestamp> = sql_file!("failed_logins_of_device.sql" => Nullable<Timestamptz>, {
                device: Bytea = device.0.to_vec(),
                window_start: Timestamptz = window,
                device_limit: BigInt = i64::from(OF_DEVICE),
            })
            .get_result(connection)?;
            Ok(FailedLogins::OfDevice { last: last.map(SqlTimestamp::to_jiff) })
        }
        AttemptSource::Stranger => {
            let found: OfUnknownDevices = sql_file!("failed_logins_of_unknown_devices.sql", {
                email: Text = login_attempt.email.as_str(),
                from_address: Text = login_attempt.from.to_string(),
                window_start: Timestamptz = window,
                day_start: Timestamptz = earlier(login_attempt.at, DAY).to_diesel(),
                account_limit: BigInt = i64::from(OF_ACCOUNT),
                network_limit: BigInt = i64::from(OF_NETWORK),
                beyond_limit: BigInt = i64::from(BEYOND),
            })
            .get_result(connection)?;
            Ok(FailedLogins::OfUnknownDevices {
                of_account: found.of_account.map(SqlTimestamp::to_jiff),
                of_network: found.of_network.map(SqlTimestamp::to_jiff),
                from_here: found.from_here,
                beyond: u32::try_from(found.beyond).unwrap_or(u32::MAX),
            })
        }
    }
}

/// Deletes the failed logins of an address.
pub(crate) fn forget_of(connection: &mut PgConnection, email: &str) -> QueryResult<()> {
    diesel::delete(login_guesses::table.filter(login_guesses::email.eq(email))).execute(connection).map(drop)
}

fn forget_some(connection: &mut PgConnection, before: Timestamp) -> QueryResult<()> {
    // SKIP LOCKED: there is no need to wait for a concurrent call that deletes the same rows.
    diesel::sql_query(
        "DELETE FROM login_guesses WHERE id IN
            (SELECT id FROM login_guesses WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)",
    )
    .bind::<Timestamptz, SqlTimestamp>(before.to_diesel())
    .bind::<BigInt, _>(FORGOTTEN_AT_ONCE)
    .execute(connection)
    .map(drop)
}

fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}
