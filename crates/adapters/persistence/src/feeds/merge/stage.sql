-- The rows of one feed, as they are sent and as they are found. Gone with the connection.
DROP TABLE IF EXISTS pg_temp.feed_rows, pg_temp.feed_problems, pg_temp.feed_found, pg_temp.feed_gone, pg_temp.feed_job;

CREATE TEMPORARY TABLE feed_rows (
    line bigint NOT NULL,
    refused boolean NOT NULL,
    sent_id uuid,
    fresh_id uuid NOT NULL,
    brand text,
    brand_key text COLLATE "C",
    part_number text,
    part_key text COLLATE "C",
    name text,
    name_key text COLLATE "C",
    description text,
    category text,
    category_key text COLLATE "C",
    price_cents bigint,
    available integer,
    arriving integer,
    min_order integer,
    img text,
    part_type_key text COLLATE "C",
    universal boolean,
    pack_size integer,
    weight_grams integer,
    length_mm integer,
    width_mm integer,
    height_mm integer,
    number_kind smallint,
    number_shown text,
    number_key text COLLATE "C",
    number_brand text,
    number_brand_key text COLLATE "C",
    number_note text,
    search_key text COLLATE "C"
);
CREATE TEMPORARY TABLE feed_problems (
    line bigint NOT NULL,
    field text NOT NULL,
    reason text NOT NULL,
    message text NOT NULL
);
-- What a row cannot know: one row.
CREATE TEMPORARY TABLE feed_job (
    feed_id integer NOT NULL,
    kind text NOT NULL,
    mode text NOT NULL,
    archive_percent integer NOT NULL,
    actor_id uuid,
    actor_email text,
    -- The brand that is applied.
    group_key text COLLATE "C"
);
