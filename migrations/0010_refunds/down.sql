DROP INDEX payment_intents_drifted;
DROP INDEX payment_intents_settled;
ALTER TABLE payment_intents DROP COLUMN drifted;
DROP TABLE payment_events;
DROP INDEX orders_holding_units;
DROP INDEX orders_owing;
-- Fails while an order owes its money: what the old rule cannot say must be paid back first.
ALTER TABLE orders
    DROP CONSTRAINT orders_cancelled_not_shipped,
    ADD CONSTRAINT orders_cancelled_neither_paid_nor_shipped CHECK (
        cancelled_at IS NULL OR (payment_state <> 'paid' AND fulfilment <> 'shipped')
    );
