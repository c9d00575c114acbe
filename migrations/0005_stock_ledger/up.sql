-- Deliveries and new prices, as they were entered. A table of its own, because a delivery of no units is a repricing:
-- it leaves the ledger alone, and its idempotency key has to be remembered all the same.
CREATE TABLE restockings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id uuid NOT NULL REFERENCES products (id),
    arriving integer NOT NULL CHECK (arriving BETWEEN 0 AND 1000000000),
    price_cents bigint NOT NULL CHECK (price_cents BETWEEN 1 AND 999999999),
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    at timestamptz NOT NULL,
    once_key bytea UNIQUE CHECK (octet_length(once_key) = 32),

    CONSTRAINT restockings_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL))
);

CREATE INDEX restockings_of_product ON restockings (product_id, at);

CREATE TRIGGER restockings_append_only BEFORE UPDATE OR DELETE ON restockings
    FOR EACH ROW EXECUTE FUNCTION refuse('what arrived is append-only');
CREATE TRIGGER restockings_append_only_all BEFORE TRUNCATE ON restockings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what arrived is append-only');

-- Every unit that came to a shelf or left it. What a product has available is the sum of its entries.
CREATE TABLE stock_ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id uuid NOT NULL REFERENCES products (id),
    delta integer NOT NULL,
    kind text NOT NULL,
    order_id uuid REFERENCES orders (id),
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    at timestamptz NOT NULL,

    CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            ELSE false
        END
    ),
    -- An order takes its units once and returns them at most once.
    CONSTRAINT stock_ledger_once_per_order UNIQUE (order_id, kind),
    CONSTRAINT stock_ledger_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL))
);

CREATE INDEX stock_ledger_of_product ON stock_ledger (product_id, id);

CREATE TRIGGER stock_ledger_append_only BEFORE UPDATE OR DELETE ON stock_ledger
    FOR EACH ROW EXECUTE FUNCTION refuse('the ledger is append-only');
CREATE TRIGGER stock_ledger_append_only_all BEFORE TRUNCATE ON stock_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('the ledger is append-only');

-- The products whose shelf and ledger disagree. Anything in here is a defect.
CREATE VIEW stock_drift AS
SELECT products.id AS product_id, products.available, coalesce(sum(stock_ledger.delta), 0) AS ledger
FROM products
LEFT JOIN stock_ledger ON stock_ledger.product_id = products.id
GROUP BY products.id
HAVING products.available <> coalesce(sum(stock_ledger.delta), 0);
