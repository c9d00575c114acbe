-- Answers that are remembered by the caller's idempotency key.
CREATE TABLE answers (
    key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    -- Whose request it is that runs under this key.
    holder uuid NOT NULL,
    claimed_at timestamptz NOT NULL,
    -- Encrypted, because an answer may hold a token; null while the request runs.
    sealed bytea
);

CREATE INDEX answers_aging ON answers (claimed_at);
