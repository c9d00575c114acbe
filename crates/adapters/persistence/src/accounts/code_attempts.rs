//! The codes of authenticator apps that were tried.

use std::time::Duration;

use diesel::prelude::*;
use domain::Timestamp;
use domain::accounts::second_factor::CODE_LIMITS;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{CodeAttempt, CodeAttemptId};
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
        .returning(code_attempts::id)
        .get_result(connection)
        .map(|attempt| CodeAttempt::Check(CodeAttemptId(attempt)))
}

/// Forgets an attempt whose code was right. Those before it stay: a guesser's must not be forgiven by the owner's.
pub(crate) fn forgive(connection: &mut PgConnection, account: Uuid, attempt: CodeAttemptId) -> QueryResult<usize> {
    diesel::delete(code_attempts::table.find(attempt.0).filter(code_attempts::account_id.eq(account)))
        .execute(connection)
}

fn before(at: Timestamp, span: Duration) -> Timestamp {
    at.checked_sub(span).unwrap_or(Timestamp::MIN)
}
