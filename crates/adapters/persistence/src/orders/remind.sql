-- Queues an e-mail for each unpaid order whose reminder is due.

WITH due AS MATERIALIZED (
    SELECT id AS due_id FROM orders
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND shipped_units = 0 AND cancelled_at IS NULL AND remind_at IS NOT NULL
        AND remind_at <= now()
    ORDER BY remind_at, id
    LIMIT :limit
    FOR NO KEY UPDATE SKIP LOCKED
),
reminded AS (
    UPDATE orders SET remind_at = NULL FROM due WHERE id = due_id RETURNING id, contact_email, reserved_until
)
INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
SELECT 'mail', 'order.reminder', reminded.id, order_events.id, contact_email, now(), now()
FROM reminded JOIN order_events ON order_id = reminded.id AND seq = 1
-- An order whose reservation has already expired gets no reminder any more.
WHERE reserved_until > now();
