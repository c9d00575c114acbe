-- What an order costs the database, once more. The tables in the order in which placing an order uses them.
SET LOCAL lock_timeout = '500ms';
-- lint: for as long as the catalogue of the database is changed; nothing below reads a row.
LOCK TABLE orders, order_events, stock_ledger, outbox IN ACCESS EXCLUSIVE MODE;

-- Each of them took a look-up and a row lock for every order. Orders, products and events are never deleted, so that
-- they could only refuse an id that never existed; the statement that writes such a row takes the id from the order that it
-- inserts or changes, and the order's own customer and product are still checked.
ALTER TABLE order_events DROP CONSTRAINT order_events_order_id_fkey;
ALTER TABLE stock_ledger DROP CONSTRAINT stock_ledger_order_id_fkey;
ALTER TABLE stock_ledger DROP CONSTRAINT stock_ledger_product_id_fkey;
ALTER TABLE outbox DROP CONSTRAINT outbox_event_id_fkey;
