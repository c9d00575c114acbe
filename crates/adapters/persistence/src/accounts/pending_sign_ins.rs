//! Google sign-ins that wait for confirmation through the link in an e-mail.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bytea, Timestamptz};
use domain::Timestamp;
use domain::notifications::delivery::{DeliveryId, Topic};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{GoogleIdentity, PendingSignIn, PendingSignInLimit, SecretHash};

use crate::notifications::outbox as outbox_store;
use crate::platform::decode::RowDecoder;
use crate::platform::delete_batch::delete_batch;
use crate::schema::google_sign_ins;

/// Stores a pending sign-in and queues its e-mail, unless the address has reached its limit for the window.
pub(crate) fn store(
    connection: &mut PgConnection,
    sign_in: &PendingSignIn,
    browser: &SecretHash,
    window: PendingSignInLimit,
) -> QueryResult<()> {
    let identity = &sign_in.identity;
    crate::notifications::unconfirmed_email::one_at_a_time(connection, &identity.email)?;
    let many: i64 = google_sign_ins::table
        .filter(google_sign_ins::email.eq(identity.email.as_str()))
        .filter(google_sign_ins::made_at.gt(window.since.to_diesel()))
        .count()
        .get_result(connection)?;
    if many >= i64::from(window.most) {
        return Ok(());
    }
    let email = outbox_store::queue_email(connection, Topic::AccountGoogleConfirm, &identity.email, window.now)?;
    let Some(email) = email else { return Ok(()) };
    let clean = |text: &Option<String>| text.as_deref().map(|text| text.replace('\0', ""));
    diesel::insert_into(google_sign_ins::table)
        .values((
            google_sign_ins::outbox_id.eq(email),
            google_sign_ins::email.eq(identity.email.as_str()),
            google_sign_ins::issuer.eq(&identity.google.issuer),
            google_sign_ins::subject.eq(identity.google.subject.replace('\0', "")),
            google_sign_ins::display_name.eq(clean(&identity.name)),
            google_sign_ins::photo_url.eq(clean(&identity.picture)),
            google_sign_ins::destination.eq(sign_in.destination.replace('\0', "")),
            google_sign_ins::browser_hash.eq(browser.0.to_vec()),
            google_sign_ins::made_at.eq(window.now.to_diesel()),
            google_sign_ins::expires_at.eq(window.until.to_diesel()),
        ))
        .execute(connection)
        .map(drop)
}

/// Adds the token of another delivery attempt of the e-mail.
pub(crate) fn add_token(
    connection: &mut PgConnection,
    email: DeliveryId,
    token: &SecretHash,
    now: Timestamp,
) -> QueryResult<bool> {
    let added = diesel::sql_query(
        "UPDATE google_sign_ins SET token_hashes = token_hashes || $2
        WHERE outbox_id = $1 AND used_at IS NULL AND expires_at > $3",
    )
    .bind::<BigInt, _>(email.get())
    .bind::<Bytea, _>(token.0.to_vec())
    .bind::<Timestamptz, SqlTimestamp>(now.to_diesel())
    .execute(connection)?;
    Ok(added > 0)
}

/// Completes a pending sign-in if the browser and the link match. Of two concurrent calls, one succeeds.
pub(crate) fn finish(
    connection: &mut PgConnection,
    browser: &SecretHash,
    token: &SecretHash,
    now: Timestamp,
) -> QueryResult<Option<PendingSignIn>> {
    let row: Option<PendingSignInRow> = diesel::sql_query(
        "UPDATE google_sign_ins SET used_at = $3
        WHERE browser_hash = $1 AND $2 = ANY (token_hashes) AND used_at IS NULL AND expires_at > $3
        RETURNING outbox_id, email, issuer, subject, display_name, photo_url, destination",
    )
    .bind::<Bytea, _>(browser.0.to_vec())
    .bind::<Bytea, _>(token.0.to_vec())
    .bind::<Timestamptz, SqlTimestamp>(now.to_diesel())
    .get_result(connection)
    .optional()?;
    row.map(PendingSignInRow::read).transpose()
}

#[derive(QueryableByName)]
#[diesel(table_name = google_sign_ins)]
struct PendingSignInRow {
    outbox_id: i64,
    email: String,
    issuer: String,
    subject: String,
    display_name: Option<String>,
    photo_url: Option<String>,
    destination: String,
}

impl PendingSignInRow {
    fn read(self) -> QueryResult<PendingSignIn> {
        Ok(PendingSignIn {
            identity: GoogleIdentity {
                google: ports::GoogleSubject { issuer: self.issuer, subject: self.subject },
                email: RowDecoder { what: "pending sign-in", id: self.outbox_id }.parse("email", &self.email)?,
                email_is_authoritative: false,
                name: self.display_name,
                picture: self.photo_url,
            },
            destination: self.destination,
        })
    }
}

/// Deletes at most `limit` pending sign-ins that expired before a moment.
pub(crate) fn forget(connection: &mut PgConnection, before: Timestamp, limit: u32) -> QueryResult<u32> {
    delete_batch(
        connection,
        "DELETE FROM google_sign_ins WHERE outbox_id = ANY (ARRAY (
            SELECT outbox_id FROM google_sign_ins WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
            FOR UPDATE SKIP LOCKED))",
        before,
        limit,
    )
}
