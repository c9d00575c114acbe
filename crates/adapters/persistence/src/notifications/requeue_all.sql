-- Requeues dead-lettered deliveries: of one subscription, or all.

UPDATE outbox SET state = 'waiting', due_at = clock_timestamp(), attempts = 0 WHERE id = ANY (ARRAY (
    SELECT id FROM outbox
    WHERE state = 'dead' AND (:subscription IS NULL OR channel = 'webhook' AND endpoint_id = :subscription)
    ORDER BY id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
