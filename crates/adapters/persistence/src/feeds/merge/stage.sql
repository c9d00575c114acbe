-- The rows of one feed, as they are sent and as they are found. Gone with the connection.
DROP TABLE IF EXISTS pg_temp.feed_rows, pg_temp.feed_fitments, pg_temp.feed_spans, pg_temp.feed_problems, pg_temp.feed_notices,
    pg_temp.feed_found, pg_temp.feed_gone, pg_temp.feed_job, pg_temp.feed_conditions, pg_temp.feed_spots, pg_temp.feed_fits,
    pg_temp.feed_places;

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
    search_key text COLLATE "C",
    -- Of a price that is not the list price; 0 cents if it goes.
    price_list text,
    tier_from integer,
    tier_cents bigint
);
-- What a row says of vehicles: once as it is, and once for vehicles without the engine that it names.
CREATE TEMPORARY TABLE feed_fitments (
    line bigint NOT NULL,
    span_id integer NOT NULL,
    said text COLLATE "C" NOT NULL,
    said_with_engine text COLLATE "C" NOT NULL,
    position smallint NOT NULL,
    per_vehicle smallint NOT NULL,
    removes boolean NOT NULL
);
-- The vehicles and engines of each way of naming them.
CREATE TEMPORARY TABLE feed_spans (
    span_id integer NOT NULL,
    vehicle_id integer NOT NULL,
    engine_id integer NOT NULL,
    engine_is_said boolean NOT NULL
);
-- Findings that refuse nothing.
CREATE TEMPORARY TABLE feed_notices (reason text NOT NULL);
INSERT INTO feed_notices VALUES ('repeated'), ('overlap'), ('comment'), ('engine');
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
