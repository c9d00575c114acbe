ALTER TABLE answers RESET (fillfactor);

CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE state = 'waiting';
CREATE INDEX orders_holding_units ON orders (placed_at, id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL;

ALTER TABLE outbox ADD CONSTRAINT outbox_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders (id);
ALTER TABLE stock_ledger ADD CONSTRAINT stock_ledger_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES accounts (id);
ALTER TABLE order_events ADD CONSTRAINT order_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES accounts (id);

CREATE OR REPLACE TRIGGER order_events_are_told_to_endpoints AFTER INSERT ON order_events
    FOR EACH ROW EXECUTE FUNCTION order_event_to_endpoints();
CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded')) EXECUTE FUNCTION order_event_to_outbox();

ALTER TABLE order_events DROP COLUMN in_outbox;
