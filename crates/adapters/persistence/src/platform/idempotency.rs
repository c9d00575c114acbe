//! Idempotency keys, stored beside what was created under them.

use diesel::prelude::*;
use diesel::result::Error;
use ports::IdempotencyKey;
use thiserror::Error as ThisError;

/// A key that belongs to another request. It is returned as a query error, so that the transaction is rolled back.
#[derive(Debug, ThisError)]
#[error("the idempotency key belongs to another request")]
pub(crate) struct KeyReused;

/// The key and fingerprint columns.
pub(crate) fn columns(key: Option<IdempotencyKey>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    (key.map(|key| key.key.0.to_vec()), key.map(|key| key.fingerprint.0.to_vec()))
}

/// The error for a key that belongs to another request.
pub(crate) fn reused() -> Error {
    Error::QueryBuilderError(Box::new(KeyReused))
}

/// Refuses a key under which another request created something. Rows from before fingerprints were stored have none and
/// count as the same request: this cannot be checked, and it was the documented behaviour then.
pub(crate) fn same_request(key: IdempotencyKey, stored: Option<&[u8]>) -> QueryResult<()> {
    if stored.is_none_or(|stored| stored == key.fingerprint.0) { Ok(()) } else { Err(reused()) }
}
