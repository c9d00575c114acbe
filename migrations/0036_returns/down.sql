CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NOT NEW.in_outbox AND NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded'))
    EXECUTE FUNCTION order_event_to_outbox();
ALTER TABLE stock_ledger
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    DROP CONSTRAINT stock_ledger_return_id_fkey,
    DROP COLUMN return_id,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            WHEN 'corrected' THEN delta <> 0 AND order_id IS NULL
            ELSE false
        END
    ) NOT VALID;
DROP TABLE returns;
