//! Idempotency keys, stored beside what was created under them.

use diesel::prelude::*;
use diesel::result::Error;
use ports::IdempotencyKey;
use thiserror::Error as ThisError;

use crate::schema::{answers, feeds};

/// A key that belongs to another request. It is returned as a query error, so that the transaction is rolled back.
#[derive(Debug, ThisError)]
#[error("the idempotency key belongs to another request")]
struct KeyReused;

/// A key that the same request has claimed, or has a response under.
#[derive(Debug, ThisError)]
#[error("the idempotency key is claimed")]
pub(crate) struct KeyClaimed;

/// The key and fingerprint columns.
pub(crate) fn columns(key: Option<IdempotencyKey>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    (key.map(|key| key.key.0.to_vec()), key.map(|key| key.fingerprint.0.to_vec()))
}

/// The error for a key that belongs to another request.
pub(crate) fn reused() -> Error {
    Error::QueryBuilderError(Box::new(KeyReused))
}

/// Whether the key of a request belongs to another one.
pub(crate) fn is_key_reused(error: &Error) -> bool {
    matches!(error, Error::QueryBuilderError(cause) if cause.is::<KeyReused>())
}

/// Refuses a request that holds no claim on its key, if there is a claim or a response of it or of another.
pub(crate) fn unclaimed(connection: &mut PgConnection, key: IdempotencyKey) -> QueryResult<()> {
    let claimed_for = answers::table.find(key.key.0.to_vec()).select(answers::fingerprint);
    match claimed_for.first::<Vec<u8>>(connection).optional()? {
        None => Ok(()),
        Some(fingerprint) if fingerprint == key.fingerprint.0 => Err(Error::QueryBuilderError(Box::new(KeyClaimed))),
        Some(_) => Err(reused()),
    }
}

/// Refuses the key of a feed, which claims none.
pub(crate) fn not_of_a_feed(connection: &mut PgConnection, key: IdempotencyKey) -> QueryResult<()> {
    let begun = feeds::table.filter(feeds::once_key.eq(key.key.0.to_vec()));
    let is_a_feeds: bool = diesel::select(diesel::dsl::exists(begun)).get_result(connection)?;
    if is_a_feeds { Err(reused()) } else { Ok(()) }
}

/// Refuses a key under which another request created something. Rows from before fingerprints were stored have none and
/// count as the same request: this cannot be checked, and it was the documented behaviour then.
pub(crate) fn same_request(key: IdempotencyKey, stored: Option<&[u8]>) -> QueryResult<()> {
    if stored.is_none_or(|stored| stored == key.fingerprint.0) { Ok(()) } else { Err(reused()) }
}
