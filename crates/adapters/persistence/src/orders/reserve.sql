-- Gives unpaid orders from before there were reservations one of their own.

WITH found AS MATERIALIZED (
    SELECT id AS found_id, placed_at + make_interval(secs => :ttl_seconds) AS until FROM orders
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND reserved_until IS NULL
    ORDER BY placed_at, id
    LIMIT :limit
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE orders SET
    reserved_until = until,
    lapse_at = until,
    -- The same times as in place_order.sql.
    remind_at = CASE WHEN :ttl_seconds >= 1800
        THEN until - least(make_interval(secs => :ttl_seconds) / 4, interval '4 hours')
    END
FROM found WHERE id = found_id;
