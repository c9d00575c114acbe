-- Orders from before there were numbers, in the order in which they were placed. First, and apart from the step that adds the
-- column: only these rows are locked while it takes its time, and orders go on being placed.
UPDATE orders SET number = numbered.number, search_key = search_key || chr(1) || 'dl-' || numbered.number
FROM (
    SELECT id, nextval('order_numbers') AS number
    FROM (SELECT id FROM orders WHERE number IS NULL ORDER BY placed_at, id) AS unnumbered
) AS numbered
WHERE orders.id = numbered.id;

-- Stock that was counted anew: breakage, a miscount. A table of its own beside the ledger, for the reason and the key.
CREATE TABLE stock_corrections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id uuid NOT NULL REFERENCES products (id),
    delta integer NOT NULL CHECK (delta <> 0),
    reason text NOT NULL CHECK (reason IN ('breakage', 'miscount', 'loss', 'found', 'other')),
    note text CHECK (length(note) BETWEEN 1 AND 200),
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    at timestamptz NOT NULL,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),

    CONSTRAINT stock_corrections_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL))
);
CREATE INDEX stock_corrections_of_product ON stock_corrections (product_id, at);

CREATE TRIGGER stock_corrections_append_only BEFORE UPDATE OR DELETE ON stock_corrections
    FOR EACH ROW EXECUTE FUNCTION refuse('what was corrected is append-only');
CREATE TRIGGER stock_corrections_append_only_all BEFORE TRUNCATE ON stock_corrections
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what was corrected is append-only');

-- Not validated: what is there satisfied a stricter one, and the ledger is long.
ALTER TABLE stock_ledger
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            WHEN 'corrected' THEN delta <> 0 AND order_id IS NULL
            ELSE false
        END
    ) NOT VALID;

-- Who took a product out of the shop; null for what the previous program archived.
ALTER TABLE products
    ADD COLUMN archived_by uuid,
    ADD COLUMN archived_by_email text,
    ADD CONSTRAINT products_archived_by_fkey FOREIGN KEY (archived_by) REFERENCES accounts (id) NOT VALID,
    ADD CONSTRAINT products_archived_by_is_whole CHECK (
        (archived_by IS NULL) = (archived_by_email IS NULL) AND (archived_by IS NULL OR archived_at IS NOT NULL)
    ) NOT VALID;
ALTER TABLE products VALIDATE CONSTRAINT products_archived_by_fkey;
ALTER TABLE products VALIDATE CONSTRAINT products_archived_by_is_whole;
