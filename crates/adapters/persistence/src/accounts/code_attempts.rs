//! The codes of authenticator apps that were tried.

use std::time::Duration;

use diesel::prelude::*;
use domain::Timestamp;
use domain::accounts::second_factor::CODE_LIMITS;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::CodeAttempt;
use uuid::Uuid;

use crate::schema::code_attempts;

/// Counts a code before it is looked at; the caller has locked the account.
pub(crate) fn count_attempt(connection: &mut PgConnection, account: Uuid, at: Timestamp) -> QueryResult<CodeAttempt> {
    let longest = CODE_LIMITS.iter().map(|limit| limit.within).max().unwrap_or_default();
    let own = code_attempts::table.filter(code_attempts::account_id.eq(account));
    diesel::delete(own.filter(code_attempts::at.le(before(at, longest).to_diesel()))).execute(connection)?;
    for limit in CODE_LIMITS {
        let since = before(at, limit.within);
        // The attempt that has to leave the time before there is room for another.
        let blocking: Option<SqlTimestamp> = own
            .filter(code_attempts::at.gt(since.to_diesel()))
            .order(code_attempts::at.desc())
            .offset(i64::from(limit.most) - 1)
            .select(code_attempts::at)
            .first(connection)
            .optional()?;
        if let Some(blocking) = blocking {
            let wait = Duration::try_from(blocking.to_jiff().duration_since(since)).unwrap_or_default();
            return Ok(CodeAttempt::Wait(wait.max(Duration::from_secs(1))));
        }
    }
    diesel::insert_into(code_attempts::table)
        .values((code_attempts::account_id.eq(account), code_attempts::at.eq(at.to_diesel())))
        .execute(connection)?;
    Ok(CodeAttempt::Check)
}

fn before(at: Timestamp, span: Duration) -> Timestamp {
    at.checked_sub(span).unwrap_or(Timestamp::MIN)
}
