ALTER TABLE products DROP COLUMN archived_by_email, DROP COLUMN archived_by;
-- The ledger is append-only, and the previous program knows no corrections: they stay, as if units had come or gone otherwise.
ALTER TABLE stock_ledger
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            ELSE false
        END
    ) NOT VALID;
DROP TABLE stock_corrections;
