CREATE TABLE payment_intents (
    -- The provider's id.
    id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    order_id uuid NOT NULL REFERENCES orders (id),
    amount_cents bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 99999999999999),
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    looked_at timestamptz
);

CREATE INDEX payment_intents_of_order ON payment_intents (order_id);
CREATE UNIQUE INDEX payment_intents_one_open ON payment_intents (order_id) WHERE closed_at IS NULL;
CREATE INDEX payment_intents_due ON payment_intents (looked_at NULLS FIRST, id) WHERE closed_at IS NULL;
