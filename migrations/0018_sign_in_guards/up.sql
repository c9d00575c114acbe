-- Wrong passwords are counted per known device, per account for all strangers together, and per client address over all
-- accounts. The program before this one writes neither column, and its rows count as strangers' guesses.
ALTER TABLE login_guesses
    -- The device whose cookie came with it; NULL is a stranger's.
    ADD COLUMN device bytea CHECK (octet_length(device) = 16),
    -- A stranger's that was looked at although the account's ten had been.
    ADD COLUMN beyond boolean NOT NULL DEFAULT false;

CREATE INDEX login_guesses_from ON login_guesses (from_address, at) WHERE device IS NULL;
CREATE INDEX login_guesses_of_device ON login_guesses (device, at) WHERE device IS NOT NULL;

-- When a session was last used, to within a minute or so. Those that are open now count as used now, and so does each that
-- the program before this one opens.
ALTER TABLE sessions
    ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
    -- What its owner recognises it by, such as "Firefox on Linux".
    ADD COLUMN device text CHECK (length(device) BETWEEN 1 AND 80);

CREATE INDEX sessions_closed ON sessions (closed_at) WHERE closed_at IS NOT NULL;

-- Whether the picture was uploaded to this shop. Only those are shown to others: a foreign address would tell its owner
-- who looks.
ALTER TABLE accounts ADD COLUMN photo_uploaded boolean NOT NULL DEFAULT false;
