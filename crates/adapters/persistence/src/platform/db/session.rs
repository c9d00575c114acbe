//! The session settings of every connection of the pool.

/// Nothing runs or holds a lock without a limit; a default set on the database does not change the isolation level or
/// the durability of a commit; and error messages are in English, where we may choose, because errors are best told apart
/// by them.
pub(super) const SESSION_SQL: &str = "SET statement_timeout = '5s';
    SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '10s';
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') IN ('off', 'local');
    DO $$ BEGIN
        PERFORM set_config('lc_messages', 'C', false);
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END $$;";

/// The same as settings of a role, for sessions that belong to a pooler.
pub(crate) const ROLE_SETTINGS: [(&str, &str); 4] = [
    ("statement_timeout", "5s"),
    ("lock_timeout", "3s"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("default_transaction_isolation", "read committed"),
];
