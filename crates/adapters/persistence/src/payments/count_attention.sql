-- How much needs an admin's attention, by kind.

SELECT
    (SELECT count(*) FROM refunds WHERE state = 'due') AS owing,
    (SELECT count(*) FROM refunds
        WHERE state = 'due' AND created_at < clock_timestamp() - make_interval(secs => :overdue_seconds)) AS overdue,
    (SELECT count(*) FROM refunds WHERE state = 'failed' AND cause <> 'elsewhere') AS failed,
    -- A refund that was made outside the shop no longer counts once its order was cancelled and refunded here as well.
    (SELECT count(*) FROM refunds JOIN orders ON orders.id = order_id
        WHERE cause = 'elsewhere' AND state <> 'failed' AND acknowledged_at IS NULL
            AND payment_state = 'paid' AND cancelled_at IS NULL) AS elsewhere,
    (SELECT count(*) FROM disputes WHERE state <> 'won' AND acknowledged_at IS NULL) AS disputed,
    (SELECT count(*) FROM payment_intents WHERE closed_at IS NULL AND mismatched_at IS NOT NULL) AS mismatched,
    (SELECT count(*) FROM payment_intents WHERE closed_at IS NULL AND unknown_since IS NOT NULL) AS unknown,
    (SELECT count(*) FROM returns WHERE state = 'requested') AS returns;
