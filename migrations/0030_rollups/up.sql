-- First, and at once: the trigger and the constraint below take it in two steps, and a transaction that has read the table
-- and then writes to it would come between.
SET LOCAL lock_timeout = '500ms';
-- lint: for as long as the catalogue of the database is changed; nothing below reads a row.
LOCK TABLE orders IN ACCESS EXCLUSIVE MODE;

-- How many orders there are, by state and by day, and what came in by day: without reading them all. A job folds them in
-- by their numbers; what it has not come to yet is counted where it stands. So placing an order writes nothing here.
CREATE TABLE rollups (
    name text PRIMARY KEY CHECK (name IN ('orders', 'revenue')),
    -- Everything with a number up to this is folded in.
    folded_to bigint NOT NULL DEFAULT 0,
    -- What comes next, once every transaction before this one has ended: from then on, nothing with a number up to
    -- next_to can appear any more. Numbers are taken in another order than that of the commits.
    next_to bigint,
    horizon bigint,

    CONSTRAINT rollups_target_is_whole CHECK ((next_to IS NULL) = (horizon IS NULL))
);
INSERT INTO rollups (name) VALUES ('orders'), ('revenue');

-- Of the orders that are folded in: how many are in which state, and how many of a day stand.
CREATE TABLE order_totals (
    payment_state text NOT NULL,
    fulfilment text NOT NULL,
    is_cancelled boolean NOT NULL,
    orders bigint NOT NULL,
    PRIMARY KEY (payment_state, fulfilment, is_cancelled)
);
CREATE TABLE order_days (
    day date PRIMARY KEY,
    orders bigint NOT NULL
);

-- Of the revenue ledger's entries that are folded in; numeric, because a sum may exceed what one amount can.
CREATE TABLE revenue_days (
    day date PRIMARY KEY,
    paid numeric NOT NULL,
    returned numeric NOT NULL
);

-- What became of an order: a row for each change, and none that all changes would have to wait for. The job folds in those
-- of orders that are folded in, and drops the others with their order.
CREATE TABLE order_changes (
    number bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    day date NOT NULL,
    payment_state_before text NOT NULL,
    fulfilment_before text NOT NULL,
    was_cancelled boolean NOT NULL,
    payment_state text NOT NULL,
    fulfilment text NOT NULL,
    is_cancelled boolean NOT NULL,
    PRIMARY KEY (number, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A trigger and not the program: changes that a copy of the previous program makes count too.
CREATE FUNCTION order_change_to_rollup() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO order_changes (number, day, payment_state_before, fulfilment_before, was_cancelled,
        payment_state, fulfilment, is_cancelled)
    VALUES (NEW.number, (NEW.placed_at AT TIME ZONE 'UTC')::date,
        OLD.payment_state, OLD.fulfilment, OLD.cancelled_at IS NOT NULL,
        NEW.payment_state, NEW.fulfilment, NEW.cancelled_at IS NOT NULL);
    RETURN NULL;
END
$$;

CREATE TRIGGER order_changes_reach_rollups AFTER UPDATE OF payment_state, fulfilment, cancelled_at ON orders
    FOR EACH ROW WHEN (
        OLD.payment_state <> NEW.payment_state
        OR OLD.fulfilment <> NEW.fulfilment
        OR (OLD.cancelled_at IS NULL) <> (NEW.cancelled_at IS NULL)
    ) EXECUTE FUNCTION order_change_to_rollup();

-- Folding goes by numbers. Rows from before there were any have had theirs since 0024.
ALTER TABLE orders ADD CONSTRAINT orders_are_numbered CHECK (number IS NOT NULL) NOT VALID;
