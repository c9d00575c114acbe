-- Leases paid orders whose payment is to be compared with the provider's: the older a payment, the more rarely.

WITH due AS MATERIALIZED (
    SELECT id FROM orders
    WHERE payment_state = 'paid' AND cancelled_at IS NULL AND next_audit_at <= (SELECT clock_timestamp())
    ORDER BY next_audit_at, id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
UPDATE orders SET next_audit_at = clock_timestamp() + least(
    greatest((clock_timestamp() - paid_at) / :share, make_interval(secs => :min_seconds)),
    make_interval(secs => :max_seconds))
FROM due WHERE orders.id = due.id
RETURNING transaction_id AS id, orders.id AS order_id, total_cents AS amount_cents;
