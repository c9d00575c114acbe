-- Corrects a product's units, records the reason and enters the change into the ledger: all of it, or nothing and no
-- row. Returns the units that are left.

WITH corrected AS (
    UPDATE products SET available = available + :delta
    WHERE id = :product AND archived_at IS NULL AND available + :delta >= 0
        AND NOT EXISTS (SELECT FROM stock_corrections WHERE once_key = :idempotency_key)
    RETURNING id, available
),
recorded AS (
    INSERT INTO stock_corrections (product_id, delta, reason, note, actor_id, actor_email, at, once_key)
    SELECT id, :delta, :reason, :note, :actor_id, :actor_email, :at, :idempotency_key FROM corrected
),
entered AS (
    INSERT INTO stock_ledger (product_id, delta, kind, actor_id, actor_email, at)
    SELECT id, :delta, 'corrected', :actor_id, :actor_email, :at FROM corrected
)
SELECT available FROM corrected;
