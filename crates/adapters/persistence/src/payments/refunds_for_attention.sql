-- Refunds that need an admin's attention: the same conditions as in count_attention.sql.

SELECT refunds.id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, tries, failure, note,
    actor_id, actor_email, created_at, changed_at
FROM refunds JOIN orders ON orders.id = order_id
WHERE (state = 'failed' AND cause <> 'elsewhere')
    OR (state = 'due' AND created_at < clock_timestamp() - make_interval(secs => :overdue_seconds))
    OR (cause = 'elsewhere' AND state <> 'failed' AND acknowledged_at IS NULL
        AND payment_state = 'paid' AND cancelled_at IS NULL)
ORDER BY changed_at, refunds.id
LIMIT :limit;
