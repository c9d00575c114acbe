-- Leases open payments that are to be checked at the provider: the older a payment, the more rarely.

-- MATERIALIZED, so that the rows are picked only once, whatever plan the update gets. The time comes from a subquery, so
-- that an index can be used.
WITH due AS MATERIALIZED (
    SELECT id FROM payment_intents
    WHERE closed_at IS NULL AND next_look_at <= (SELECT clock_timestamp())
    ORDER BY next_look_at, id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
UPDATE payment_intents SET
    looked_at = clock_timestamp(),
    next_look_at = clock_timestamp() + least(
        greatest((clock_timestamp() - asked_at) / :share, make_interval(secs => :min_seconds)),
        make_interval(secs => :max_seconds))
FROM due WHERE payment_intents.id = due.id
RETURNING payment_intents.id, order_id, checkout_id, amount_cents;
