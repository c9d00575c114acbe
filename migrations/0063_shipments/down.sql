CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (
        NOT NEW.in_outbox
        AND NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded', 'return_accepted', 'return_declined')
    )
    EXECUTE FUNCTION order_event_to_outbox();
DROP TRIGGER shipped_orders_have_shipments ON order_events;
DROP TABLE shipments;
DROP FUNCTION shipped_order_to_shipments(), shipment_to_order();
ALTER TABLE orders DROP COLUMN shipped_units;
