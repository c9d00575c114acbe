-- Leases webhook deliveries of one subscription, while it is neither removed nor disabled.

WITH due AS MATERIALIZED (
    SELECT id AS due_id FROM outbox
    WHERE endpoint_id = :subscription AND state = 'waiting' AND channel = 'webhook' AND topic = ANY (:topics)
        AND due_at <= now()
        AND EXISTS (
            SELECT FROM webhook_endpoints
            WHERE webhook_endpoints.id = :subscription AND removed_at IS NULL AND disabled_at IS NULL)
    ORDER BY due_at, id
    LIMIT :limit
    FOR UPDATE OF outbox SKIP LOCKED
)
UPDATE outbox SET due_at = clock_timestamp() + :lease_ms * interval '1 millisecond', attempts = attempts + 1
FROM due WHERE id = due_id
RETURNING id, channel, topic, order_id, event_id, endpoint_id, email, created_at, due_at, attempts, state, status_code,
    last_error, sent_at, checkout_id;
