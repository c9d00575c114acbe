-- Entries of the new kind stay, as long as nobody validates the constraint.
ALTER TABLE stock_ledger
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        (kind = 'returned') = (return_id IS NOT NULL) AND CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            WHEN 'corrected' THEN delta <> 0 AND order_id IS NULL
            WHEN 'returned' THEN delta > 0 AND order_id IS NULL
            ELSE false
        END
    ) NOT VALID;
ALTER TABLE part_numbers DROP COLUMN feed_id;
DROP TABLE feed_brands, feed_findings, feed_chunks, feeds;
