-- What the admins' lists, the overview and imports lean on.

-- All that a search of the orders and of the accounts looks through, folded to one case by the program, as products have
-- it. What is there already is folded here, by the rules of Unicode where this server knows them.
ALTER TABLE orders ADD COLUMN search_key text COLLATE "C";
ALTER TABLE accounts ADD COLUMN search_key text COLLATE "C";

DO $$
DECLARE
    unicode text := (
        SELECT quote_ident(collname) FROM pg_collation
        WHERE collname IN ('und-x-icu', 'pg_c_utf8') ORDER BY collname DESC LIMIT 1
    );
BEGIN
    EXECUTE format(
        'UPDATE orders SET search_key = lower(concat_ws(chr(1), contact_name, contact_email, contact_phone, product_name,
            id::text) COLLATE %s)',
        coalesce(unicode, '"default"')
    );
    EXECUTE format(
        'UPDATE accounts SET search_key = lower(concat_ws(chr(1), display_name, email) COLLATE %s)',
        coalesce(unicode, '"default"')
    );
END
$$;

ALTER TABLE orders ALTER COLUMN search_key SET NOT NULL;
ALTER TABLE accounts ALTER COLUMN search_key SET NOT NULL;

-- One per part of the list that is asked for, and per order in which it comes.
CREATE INDEX orders_waiting ON orders (placed_at DESC, id DESC) WHERE cancelled_at IS NULL AND fulfilment = 'pending';
CREATE INDEX orders_unpaid ON orders (placed_at DESC, id DESC)
    WHERE cancelled_at IS NULL AND payment_state = 'unpaid';
CREATE INDEX orders_by_total ON orders (total_cents, id) WHERE cancelled_at IS NULL;
-- What came in on which day.
CREATE INDEX orders_by_payment ON orders (paid_at) INCLUDE (total_cents) WHERE paid_at IS NOT NULL;
-- What has to be bought before long: less than two of the least orders.
CREATE INDEX products_running_low ON products (available, id)
    WHERE archived_at IS NULL AND available < 2 * min_order;

-- Products that were added together, as they were entered: the idempotency key has to be remembered even if every one of
-- them was left out.
CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    added integer NOT NULL CHECK (added >= 0),
    -- The places, from 0, of those that were left out because the shop had their like.
    left_out integer[] NOT NULL,
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    at timestamptz NOT NULL,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),

    CONSTRAINT imports_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL))
);

CREATE TRIGGER imports_append_only BEFORE UPDATE OR DELETE ON imports
    FOR EACH ROW EXECUTE FUNCTION refuse('what was imported is append-only');
CREATE TRIGGER imports_append_only_all BEFORE TRUNCATE ON imports
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what was imported is append-only');
