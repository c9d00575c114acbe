-- Payments that are others at the provider, of which an order is paid and stands, unless an admin has acknowledged why.

SELECT count(*) FROM payment_intents
WHERE drifted
    AND EXISTS (SELECT FROM orders
        WHERE transaction_id = payment_intents.id AND payment_state = 'paid' AND cancelled_at IS NULL)
    AND NOT EXISTS (SELECT FROM refunds WHERE payment_id = payment_intents.id AND acknowledged_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM disputes WHERE payment_id = payment_intents.id AND acknowledged_at IS NOT NULL);
