-- First, because whoever changes an order holds this table and then writes to the outbox: the other way round, each would
-- wait for the other while copies of the previous program serve.
LOCK TABLE order_events IN SHARE ROW EXCLUSIVE MODE;

-- Other programs that are told what happens to orders.
CREATE TABLE webhook_endpoints (
    id uuid PRIMARY KEY,
    url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
    topics text[] NOT NULL,
    -- What calls are signed with, sealed; gone with the endpoint.
    secret bytea CHECK (octet_length(secret) BETWEEN 1 AND 500),
    created_at timestamptz NOT NULL,
    disabled_at timestamptz,
    -- The row stays: an order that is being written may be about to refer to it, and must not fail for that.
    removed_at timestamptz,

    CONSTRAINT webhook_endpoints_want_something_that_is_told CHECK (
        cardinality(topics) BETWEEN 1 AND 5
        AND topics <@ ARRAY['order.ordered', 'order.paid', 'order.shipped', 'order.cancelled', 'order.refunded']
    ),
    CONSTRAINT webhook_endpoints_sign_until_removed CHECK ((removed_at IS NULL) = (secret IS NOT NULL))
);
CREATE INDEX webhook_endpoints_in_use ON webhook_endpoints (created_at, id) WHERE removed_at IS NULL;

ALTER TABLE outbox
    -- Which program is called.
    ADD COLUMN endpoint_id uuid REFERENCES webhook_endpoints (id),
    -- What it answered to the latest attempt.
    ADD COLUMN status_code integer CHECK (status_code BETWEEN 100 AND 999),
    ADD CONSTRAINT outbox_webhooks_have_an_endpoint CHECK ((channel = 'webhook') = (endpoint_id IS NOT NULL));

-- One event, one call to each.
CREATE UNIQUE INDEX outbox_one_call_per_event ON outbox (event_id, endpoint_id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX outbox_of_endpoint ON outbox (endpoint_id, id) WHERE endpoint_id IS NOT NULL;

-- Beside the one for letters, so that neither has to know the other's rules.
CREATE FUNCTION order_event_to_endpoints() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at)
    SELECT 'webhook', 'order.' || NEW.kind, NEW.order_id, NEW.id, webhook_endpoints.id, NEW.at, NEW.at
    FROM webhook_endpoints
    WHERE removed_at IS NULL AND disabled_at IS NULL AND 'order.' || NEW.kind = ANY (topics);
    RETURN NULL;
END
$$;

CREATE TRIGGER order_events_are_told_to_endpoints AFTER INSERT ON order_events
    FOR EACH ROW EXECUTE FUNCTION order_event_to_endpoints();
