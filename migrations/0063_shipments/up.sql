-- Orders are shipped in parts.
SET LOCAL lock_timeout = '500ms';

-- Not validated: nothing has been shipped in part. Orders that were shipped before there were shipments keep 0.
ALTER TABLE orders
    ADD COLUMN shipped_units integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT orders_shipped_units_fit CHECK (shipped_units BETWEEN 0 AND quantity) NOT VALID,
    ADD CONSTRAINT orders_shipped_in_part_stand CHECK (shipped_units = 0 OR cancelled_at IS NULL) NOT VALID;

CREATE TABLE shipments (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    units integer NOT NULL CONSTRAINT shipments_have_units CHECK (units > 0),
    carrier text CONSTRAINT shipments_carrier_is_short CHECK (length(carrier) BETWEEN 1 AND 60),
    tracking_number text CONSTRAINT shipments_tracking_number_is_short CHECK (length(tracking_number) BETWEEN 1 AND 60),
    tracking_url text CONSTRAINT shipments_tracking_url_is_a_link CHECK (
        tracking_url ~* '^https?://' AND length(tracking_url) <= 500
    ),
    sent_at timestamptz NOT NULL,
    once_key bytea CONSTRAINT shipments_once_key_is_a_hash CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CONSTRAINT shipments_once_fingerprint_is_a_hash CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT shipments_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL)),
    CONSTRAINT shipments_once UNIQUE (order_id, once_key)
);
CREATE INDEX shipments_of_order ON shipments (order_id, sent_at, id);

-- The order's row is locked by this, and its constraint refuses more units than there are.
CREATE FUNCTION shipment_to_order() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders SET shipped_units = shipped_units + NEW.units WHERE id = NEW.order_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER shipments_count AFTER INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION shipment_to_order();

-- An order that is shipped at once, by this program or the previous one, is shipped with all that is left.
CREATE FUNCTION shipped_order_to_shipments() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shipments (id, order_id, units, sent_at)
    SELECT gen_random_uuid(), id, quantity - shipped_units, NEW.at FROM orders
    WHERE id = NEW.order_id AND shipped_units < quantity;
    RETURN NULL;
END
$$;
CREATE TRIGGER shipped_orders_have_shipments AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind = 'shipped') EXECUTE FUNCTION shipped_order_to_shipments();

CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (
        NOT NEW.in_outbox AND NEW.kind IN (
            'ordered', 'paid', 'shipped', 'part_shipped', 'refunded', 'return_accepted', 'return_declined'
        )
    )
    EXECUTE FUNCTION order_event_to_outbox();
