-- A paid order that is called off owes its money until it went back: paid and cancelled at once.
ALTER TABLE orders
    DROP CONSTRAINT orders_cancelled_neither_paid_nor_shipped,
    ADD CONSTRAINT orders_cancelled_not_shipped CHECK (cancelled_at IS NULL OR fulfilment <> 'shipped');

CREATE INDEX orders_owing ON orders (cancelled_at, id) WHERE payment_state = 'paid' AND cancelled_at IS NOT NULL;
-- Orders that hold units and may never be paid.
CREATE INDEX orders_holding_units ON orders (placed_at, id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL;

-- The payment provider's messages that have been dealt with.
CREATE TABLE payment_events (
    id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    heard_at timestamptz NOT NULL
);

CREATE INDEX payment_events_aging ON payment_events (heard_at);

-- Whether the provider, when it was last asked about a payment that settled an order, told another story than the order.
ALTER TABLE payment_intents ADD COLUMN drifted boolean NOT NULL DEFAULT false;
CREATE INDEX payment_intents_settled ON payment_intents (looked_at NULLS FIRST, id) WHERE closed_at IS NOT NULL;
CREATE INDEX payment_intents_drifted ON payment_intents (id) WHERE drifted;
