-- Leases unpaid orders whose reservation has expired, so that they can be cancelled. Every time comes from the
-- database's clock, so that an instance whose clock is wrong expires nothing too early.

-- MATERIALIZED, so that the rows are picked only once, whatever plan the update gets.
WITH due AS MATERIALIZED (
    SELECT id AS due_id FROM orders
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND shipped_units = 0 AND cancelled_at IS NULL
        AND lapse_at <= now() AND reserved_until <= now()
    ORDER BY lapse_at, id
    LIMIT :limit
    FOR NO KEY UPDATE SKIP LOCKED
)
-- lapse_at moves on first: no other instance takes the order meanwhile, and one that cannot be cancelled does not block
-- the others.
UPDATE orders SET
    lapse_attempts = lapse_attempts + 1,
    lapse_at = now() + least(interval '1 minute' * power(2, least(lapse_attempts, 10)), interval '6 hours')
FROM due WHERE id = due_id
RETURNING id;
