-- Leases e-mails: of each topic those due longest, so that a long queue of one topic does not delay the search for
-- others.

-- MATERIALIZED, so that the rows are picked only once, whatever plan the update gets.
WITH due AS MATERIALIZED (
    SELECT due_id FROM unnest(:topics::text[]) AS wanted (name), LATERAL (
        SELECT id AS due_id, due_at AS since FROM outbox
        WHERE state = 'waiting' AND channel = 'mail' AND topic = wanted.name AND due_at <= now()
        ORDER BY due_at, id
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
    ) AS of_topic
    ORDER BY since, due_id
    LIMIT :limit
)
UPDATE outbox SET due_at = clock_timestamp() + :lease_ms * interval '1 millisecond', attempts = attempts + 1
FROM due WHERE id = due_id
RETURNING id, channel, topic, order_id, event_id, endpoint_id, email, created_at, due_at, attempts, state, status_code,
    last_error, sent_at, checkout_id;
