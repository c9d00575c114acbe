DROP TRIGGER order_events_reach_refunds ON order_events;
DROP FUNCTION order_event_to_refunds();
DROP TABLE disputes;
DROP TABLE refunds;
ALTER TABLE orders
    DROP CONSTRAINT orders_refunded_only_if_over,
    ADD CONSTRAINT orders_refunded_only_if_cancelled CHECK (payment_state <> 'refunded' OR cancelled_at IS NOT NULL);
DROP INDEX order_events_once;
ALTER TABLE order_events
    DROP CONSTRAINT order_events_kind_check,
    ADD CONSTRAINT order_events_kind_check CHECK (kind IN ('ordered', 'paid', 'shipped', 'cancelled', 'refunded')),
    ADD CONSTRAINT order_events_order_id_kind_key UNIQUE (order_id, kind);
