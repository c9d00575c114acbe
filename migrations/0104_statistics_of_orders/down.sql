DO $$
DECLARE
    of text;
    changes text;
BEGIN
    FOREACH of IN ARRAY ARRAY['orders', 'order_events', 'outbox', 'stock_ledger'] LOOP
        SELECT string_agg(format('ALTER COLUMN %I SET STATISTICS -1', attname), ', ')
            INTO changes
            FROM pg_attribute
            WHERE attrelid = of::regclass AND attnum > 0 AND NOT attisdropped;
        EXECUTE format('ALTER TABLE %I %s', of, changes);
    END LOOP;
END $$;
