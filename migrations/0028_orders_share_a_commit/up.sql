-- What an order costs the database. The tables in the order in which placing an order uses them: the other way round, each
-- would wait for the other.
SET LOCAL lock_timeout = '500ms';
-- lint: for as long as the catalogue of the database is changed; nothing below reads a row.
LOCK TABLE accounts, orders, order_events, stock_ledger, outbox IN ACCESS EXCLUSIVE MODE;

-- Whether the statement that wrote an entry has filled the outbox too: it does so for many entries at once, a trigger for
-- one. What the previous program writes is left to the triggers.
ALTER TABLE order_events ADD COLUMN in_outbox boolean NOT NULL DEFAULT false;

CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NOT NEW.in_outbox AND NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded'))
    EXECUTE FUNCTION order_event_to_outbox();
CREATE OR REPLACE TRIGGER order_events_are_told_to_endpoints AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NOT NEW.in_outbox) EXECUTE FUNCTION order_event_to_endpoints();

-- Accounts are never deleted, and an actor is the caller, whose account was read a moment before; the customer of the order
-- is still checked. A delivery's event has an order, which is the delivery's.
ALTER TABLE order_events DROP CONSTRAINT order_events_actor_id_fkey;
ALTER TABLE stock_ledger DROP CONSTRAINT stock_ledger_actor_id_fkey;
ALTER TABLE outbox DROP CONSTRAINT outbox_order_id_fkey;

-- Read by nobody since orders_lapsing and outbox_due_by_topic are there.
DROP INDEX orders_holding_units;
DROP INDEX outbox_due;

-- An answer is added to a row that was inserted without it, on the same page.
ALTER TABLE answers SET (fillfactor = 50);
