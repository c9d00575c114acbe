-- Unpaid orders that were to be cancelled before and could not be.

SELECT count(*) FROM orders
WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND lapse_attempts > 0;
