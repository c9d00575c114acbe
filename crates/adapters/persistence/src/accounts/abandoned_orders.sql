-- Unpaid orders that were placed before their account changed hands or was removed, and are still to be cancelled:
-- those behind `after`, by their ids.

SELECT orders.id FROM accounts JOIN orders ON buyer_id = accounts.id
WHERE cancel_orders_before IS NOT NULL
    AND cancelled_at IS NULL AND payment_state = 'unpaid' AND fulfilment = 'pending'
    AND placed_at < cancel_orders_before
    AND orders.id > :after
ORDER BY orders.id
LIMIT :limit;
