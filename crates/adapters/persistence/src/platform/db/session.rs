//! What every session of the pool is set to.

/// Nothing runs or holds a lock without end; a default that somebody set for the database does not change what a transaction
/// or a commit means here; and errors are said in English, where we may choose, because they are told apart by their words.
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

/// The same as settings of a role, for sessions that are a pooler's.
pub(crate) const ROLE_SETTINGS: [(&str, &str); 4] = [
    ("statement_timeout", "5s"),
    ("lock_timeout", "3s"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("default_transaction_isolation", "read committed"),
];
