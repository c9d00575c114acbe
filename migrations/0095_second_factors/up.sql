-- What people prove themselves with beside a password or Google: passkeys, authenticator apps and recovery codes.
SET LOCAL lock_timeout = '500ms';

-- Since when the account has one; NULL if it has none. Kept beside the factors, so that a session is judged by one row.
ALTER TABLE accounts ADD COLUMN second_factor_since timestamptz;
-- When the session last proved one.
ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz;

CREATE TABLE authenticator_apps (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    -- What the codes are made of: the key that opens it is not in the database.
    secret_sealed bytea NOT NULL CHECK (octet_length(secret_sealed) BETWEEN 1 AND 200),
    -- The half minute, counted from 1970, of the latest code that was accepted: no code is accepted twice.
    last_step bigint NOT NULL,
    added_at timestamptz NOT NULL
);

CREATE TABLE passkeys (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    -- The public key and the counter of signatures; nobody can sign with it.
    credential text NOT NULL CHECK (length(credential) BETWEEN 1 AND 8000),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    added_at timestamptz NOT NULL,
    last_used_at timestamptz
);
CREATE INDEX passkeys_of_account ON passkeys (account_id, added_at, id);

CREATE TABLE recovery_codes (
    account_id uuid NOT NULL REFERENCES accounts (id),
    -- SHA-256 of the code, which has 80 random bits.
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    used_at timestamptz,

    PRIMARY KEY (account_id, hash)
);

-- What a browser was asked to sign or to confirm, until it answers. One at a time per session and purpose.
CREATE TABLE second_factor_challenges (
    session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    purpose text NOT NULL CHECK (purpose IN ('add_app', 'add_passkey', 'prove_passkey')),
    state bytea NOT NULL CHECK (octet_length(state) BETWEEN 1 AND 16000),
    expires_at timestamptz NOT NULL,

    PRIMARY KEY (session_id, purpose)
);

-- Codes of an app that were tried; those of the last day count.
CREATE TABLE code_attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    at timestamptz NOT NULL
);
CREATE INDEX code_attempts_of_account ON code_attempts (account_id, at);

-- An account is kept for its orders when it is removed; what proves its owner is not.
CREATE FUNCTION forget_second_factors() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM authenticator_apps WHERE account_id = NEW.id;
    DELETE FROM passkeys WHERE account_id = NEW.id;
    DELETE FROM recovery_codes WHERE account_id = NEW.id;
    DELETE FROM code_attempts WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER second_factors_go_with_account AFTER UPDATE OF removed_at ON accounts
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
    EXECUTE FUNCTION forget_second_factors();
