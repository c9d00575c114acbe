-- Paid orders whose payment is another at the provider, unless an admin has acknowledged why.

SELECT count(*) FROM payment_intents JOIN orders ON orders.transaction_id = payment_intents.id
WHERE drifted AND payment_state = 'paid' AND cancelled_at IS NULL
    AND NOT EXISTS (SELECT FROM refunds
        WHERE refunds.order_id = orders.id AND payment_id = transaction_id AND acknowledged_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM disputes
        WHERE disputes.order_id = orders.id AND payment_id = transaction_id AND acknowledged_at IS NOT NULL);
