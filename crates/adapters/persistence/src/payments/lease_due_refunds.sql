-- Leases refunds that are to be sent to the provider or to be checked there.

WITH due AS MATERIALIZED (
    -- The time comes from a subquery, so that an index can be used.
    SELECT id AS due_id FROM refunds WHERE next_try_at <= (SELECT clock_timestamp())
    ORDER BY next_try_at, id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
UPDATE refunds SET
    tries = least(tries + 1, 1000),
    next_try_at = CASE
        -- Not accepted yet: a delay that doubles.
        WHEN state = 'due' THEN clock_timestamp()
            + least(make_interval(secs => :wait_seconds * 2 ^ least(tries, 20)), make_interval(secs => :max_wait_seconds))
        -- Accepted: checked ever more rarely, until it can no longer fail.
        WHEN state IN ('pending', 'succeeded') THEN CASE
            WHEN changed_at > clock_timestamp() - make_interval(secs => :watch_seconds) THEN clock_timestamp()
                + least(greatest((clock_timestamp() - changed_at) / 4, interval '1 min'), interval '22 hours')
        END
        -- Finished: a few more times, because its order may not have been updated yet.
        WHEN tries < 3 THEN clock_timestamp() + interval '1 min'
    END
FROM due WHERE id = due_id
RETURNING refunds.id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, tries, failure, note,
    actor_id, actor_email, created_at, changed_at;
