//! Voiding the tokens of an account.

use diesel::prelude::*;
use domain::Timestamp;
use jiff_diesel::ToDiesel;
use ports::TokenPurpose;
use uuid::Uuid;

use crate::schema::account_tokens;

/// Marks the account's valid tokens as used: those of one purpose, or all.
pub(crate) fn void(
    connection: &mut PgConnection,
    account: Uuid,
    purpose: Option<TokenPurpose>,
    at: Timestamp,
) -> QueryResult<()> {
    let mut voiding = diesel::update(account_tokens::table)
        .set(account_tokens::used_at.eq(at.to_diesel()))
        .filter(account_tokens::account_id.eq(account))
        .filter(account_tokens::used_at.is_null())
        .filter(account_tokens::expires_at.gt(at.to_diesel()))
        .into_boxed();
    if let Some(purpose) = purpose {
        voiding = voiding.filter(account_tokens::purpose.eq(purpose.as_str()));
    }
    voiding.execute(connection).map(drop)
}
