-- Dead-letters due deliveries of subscriptions that were disabled or removed. Deliveries written by a transaction that
-- did not see the removal yet appear within seconds; a day is ample.

UPDATE outbox SET
    state = 'dead',
    last_error = CASE WHEN removed_at IS NULL
        THEN 'the endpoint is disabled' ELSE 'the endpoint was removed'
    END
FROM (
    SELECT unwanted.id AS unwanted_id, removed_at FROM webhook_endpoints, LATERAL (
        SELECT id FROM outbox
        WHERE endpoint_id = webhook_endpoints.id AND state = 'waiting' AND channel = 'webhook' AND due_at <= now()
        ORDER BY due_at, id
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
    ) AS unwanted
    WHERE disabled_at IS NOT NULL AND removed_at IS NULL OR removed_at > now() - interval '1 day'
    LIMIT :limit
) AS them
WHERE id = unwanted_id;
