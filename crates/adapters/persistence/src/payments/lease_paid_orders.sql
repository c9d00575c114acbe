-- Leases paid orders whose payment is to be compared with the provider's: the older a payment, the more rarely. With an order
-- of a checkout all others that the same payment settled, because they are compared together.

WITH due AS MATERIALIZED (
    SELECT id, transaction_id, checkout_id FROM orders
    WHERE payment_state = 'paid' AND cancelled_at IS NULL AND next_audit_at <= (SELECT clock_timestamp())
    ORDER BY next_audit_at, id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
),
leased AS MATERIALIZED (
    SELECT id FROM due
    UNION
    SELECT orders.id FROM due JOIN orders
        ON orders.transaction_id = due.transaction_id AND orders.checkout_id IS NOT NULL
    WHERE due.checkout_id IS NOT NULL
)
UPDATE orders SET next_audit_at = clock_timestamp() + least(
    greatest((clock_timestamp() - paid_at) / :share, make_interval(secs => :min_seconds)),
    make_interval(secs => :max_seconds))
FROM leased WHERE orders.id = leased.id AND payment_state = 'paid'
RETURNING transaction_id AS id, orders.id AS order_id;
