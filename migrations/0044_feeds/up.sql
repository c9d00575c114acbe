-- Files of suppliers and of the shop's own people, worked off by a job.

CREATE TABLE feeds (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('products', 'stock', 'prices', 'numbers', 'fitment')),
    mode text NOT NULL CHECK (mode IN ('update', 'upsert', 'replace')),
    name text CHECK (length(name) BETWEEN 1 AND 200),
    -- 'uploading' is seen by nobody but whoever sends the file.
    state text NOT NULL CHECK (state IN (
        'uploading', 'waiting', 'reading', 'checked', 'applying', 'applied', 'failed', 'cancelled'
    )),
    -- Whether it stops after the check, until somebody has it applied; and what they agreed to.
    dry_run boolean NOT NULL,
    partial boolean NOT NULL DEFAULT false,
    confirm_archived bigint CHECK (confirm_archived >= 0),
    bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    sha256 bytea CHECK (octet_length(sha256) = 32),
    -- Told by the bytes while they came; else it is Latin-1.
    is_utf8 boolean NOT NULL DEFAULT true,
    row_count bigint NOT NULL DEFAULT 0,
    added bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    same bigint NOT NULL DEFAULT 0,
    refused bigint NOT NULL DEFAULT 0,
    archived bigint NOT NULL DEFAULT 0,
    -- Whether more of a brand would be archived than happens unasked.
    archives_much boolean NOT NULL DEFAULT false,
    finding_count bigint NOT NULL DEFAULT 0,
    -- The first changes, each with its old and its new values.
    changes jsonb NOT NULL DEFAULT '[]',
    -- Hundredths of the step that runs.
    progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
    -- How often a run began and did not end.
    attempts smallint NOT NULL DEFAULT 0,
    error text,
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- When its state or its progress last changed.
    changed_at timestamptz NOT NULL DEFAULT now(),
    applied_at timestamptz,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),

    CONSTRAINT feeds_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL)),
    CONSTRAINT feeds_applied_has_a_time CHECK ((state = 'applied') = (applied_at IS NOT NULL))
);
CREATE INDEX feeds_to_work ON feeds (id) WHERE state IN ('waiting', 'reading', 'applying');
CREATE INDEX feeds_with_files ON feeds (changed_at) WHERE state IN ('uploading', 'checked');

-- The file, until it is applied or given up. Here and not on a disk, so that whichever copy of the shop is there can work it.
CREATE TABLE feed_chunks (
    feed_id integer NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    no integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (feed_id, no)
);

CREATE TABLE feed_findings (
    feed_id integer NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    no integer NOT NULL,
    line bigint NOT NULL,
    field text NOT NULL,
    reason text NOT NULL,
    message text NOT NULL,
    PRIMARY KEY (feed_id, no)
);

-- The brands of a feed that are applied: a run that goes on after a crash leaves them out, so that nothing is added twice.
CREATE TABLE feed_brands (
    feed_id integer NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    brand_key text COLLATE "C" NOT NULL,
    PRIMARY KEY (feed_id, brand_key)
);

-- The feed that brought a number; null for those entered by hand. No foreign key: numbers come by the million.
ALTER TABLE part_numbers ADD COLUMN feed_id integer;

-- Stock that a feed sets is an entry of the difference. Not validated: what is there satisfied a stricter one, and the ledger
-- is long.
ALTER TABLE stock_ledger
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        (kind = 'returned') = (return_id IS NOT NULL) AND CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            WHEN 'corrected' THEN delta <> 0 AND order_id IS NULL
            WHEN 'returned' THEN delta > 0 AND order_id IS NULL
            WHEN 'counted' THEN delta <> 0 AND order_id IS NULL
            ELSE false
        END
    ) NOT VALID;
