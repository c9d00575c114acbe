//! Limits how many e-mails an unconfirmed address gets.

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::notifications::delivery::DeliveryId;
use domain::{Email, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{EmailLimit, Recipient};

use crate::platform::delete_batch::delete_batch;
use crate::schema::{accounts, unconfirmed_mail};

/// Serialises the counting of e-mails to one address until the transaction ends.
pub(crate) fn one_at_a_time(connection: &mut PgConnection, to: &Email) -> QueryResult<()> {
    diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended('mail:' || $1, 0))")
        .bind::<Text, _>(to.as_str())
        .execute(connection)
        .map(drop)
}

/// Whether the address is confirmed and, if not, whether it may get another e-mail now. A retried e-mail counts once.
pub(crate) fn count(
    connection: &mut PgConnection,
    email: DeliveryId,
    to: &Email,
    bound: EmailLimit,
    now: Timestamp,
) -> QueryResult<Recipient> {
    let is_confirmed: bool = diesel::select(exists(
        accounts::table.filter(accounts::email.eq(to.as_str())).filter(accounts::email_verified_at.is_not_null()),
    ))
    .get_result(connection)?;
    if is_confirmed {
        return Ok(Recipient::Confirmed);
    }
    one_at_a_time(connection, to)?;
    let others: Vec<SqlTimestamp> = unconfirmed_mail::table
        .filter(unconfirmed_mail::email.eq(to.as_str()))
        .filter(unconfirmed_mail::at.gt(bound.since.to_diesel()))
        .filter(unconfirmed_mail::outbox_id.ne(email.get()))
        .order(unconfirmed_mail::at)
        .select(unconfirmed_mail::at)
        .load(connection)?;
    if others.len() >= usize::try_from(bound.most).unwrap_or(usize::MAX) {
        // There is room again once the oldest of the last `most` e-mails leaves the window.
        let oldest = others[others.len() - bound.most as usize].to_jiff();
        let window = now.duration_since(bound.since);
        return Ok(Recipient::Full(oldest.checked_add(window).unwrap_or(now)));
    }
    diesel::insert_into(unconfirmed_mail::table)
        .values((
            unconfirmed_mail::outbox_id.eq(email.get()),
            unconfirmed_mail::email.eq(to.as_str()),
            unconfirmed_mail::at.eq(now.to_diesel()),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    Ok(Recipient::Unconfirmed)
}

/// Deletes at most `limit` counted e-mails of before a moment.
pub(crate) fn forget(connection: &mut PgConnection, before: Timestamp, limit: u32) -> QueryResult<u32> {
    delete_batch(
        connection,
        "DELETE FROM unconfirmed_mail WHERE outbox_id = ANY (ARRAY (
            SELECT outbox_id FROM unconfirmed_mail WHERE at < $1 ORDER BY at LIMIT $2
            FOR UPDATE SKIP LOCKED))",
        before,
        limit,
    )
}
