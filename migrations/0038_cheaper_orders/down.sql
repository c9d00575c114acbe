ALTER TABLE outbox ADD CONSTRAINT outbox_event_id_fkey FOREIGN KEY (event_id) REFERENCES order_events (id);
ALTER TABLE stock_ledger ADD CONSTRAINT stock_ledger_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id);
ALTER TABLE stock_ledger ADD CONSTRAINT stock_ledger_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders (id);
ALTER TABLE order_events ADD CONSTRAINT order_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders (id);
