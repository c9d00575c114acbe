//! Idempotency keys beside what was made under them.

use diesel::prelude::*;
use diesel::result::Error;
use ports::IdempotencyKey;
use thiserror::Error as ThisError;

/// A key that belongs to another request. It travels as a query's error, so that whatever its transaction did is undone.
#[derive(Debug, ThisError)]
#[error("the idempotency key belongs to another request")]
pub(crate) struct KeyReused;

/// The two columns of a key.
pub(crate) fn columns(key: Option<IdempotencyKey>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    (key.map(|key| key.key.0.to_vec()), key.map(|key| key.fingerprint.0.to_vec()))
}

/// That a key belongs to another request.
pub(crate) fn reused() -> Error {
    Error::QueryBuilderError(Box::new(KeyReused))
}

/// Refuses a key under which another request made something. What was made before fingerprints were kept has none, and is
/// taken for the same request's: nobody can tell, and that is what its callers were promised then.
pub(crate) fn same_request(key: IdempotencyKey, stored: Option<&[u8]>) -> QueryResult<()> {
    if stored.is_none_or(|stored| stored == key.fingerprint.0) { Ok(()) } else { Err(reused()) }
}
