-- Opens a session, unless the account was removed or its password is no longer the one that was checked.

INSERT INTO sessions (id, account_id, secret_hash, opened_at, last_seen_at, expires_at)
SELECT :id, accounts.id, :secret_hash, :opened_at, :opened_at, :expires_at FROM accounts
WHERE accounts.id = :account AND removed_at IS NULL AND (:password_hash IS NULL OR password_hash = :password_hash)
-- The account's row is locked: a concurrent removal or password change either waits and then closes this session too,
-- or has committed and is seen here.
FOR SHARE;
