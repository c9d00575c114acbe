-- When it was first proved that mail to the address reaches its owner: by a letter's link, or by Google's word.
ALTER TABLE accounts ADD COLUMN email_verified_at timestamptz;

-- What the links in letters about an account hold.
CREATE TABLE account_tokens (
    -- SHA-256 of it; nobody can make a link from that.
    hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    account_id uuid NOT NULL REFERENCES accounts (id),
    purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
    -- A letter that is sent again holds another token, and the first stays good: nobody knows which of the two arrived.
    letter_id bigint NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    made_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL CHECK (expires_at > made_at),
    used_at timestamptz CHECK (used_at < expires_at)
);

CREATE INDEX account_tokens_of ON account_tokens (account_id, purpose, made_at);
CREATE INDEX account_tokens_of_letter ON account_tokens (letter_id);
CREATE INDEX account_tokens_aging ON account_tokens (expires_at);
