-- Clears the mark of accounts that have no abandoned order left: the same condition as in abandoned_orders.sql.

UPDATE accounts SET cancel_orders_before = NULL
WHERE cancel_orders_before IS NOT NULL AND NOT EXISTS (
    SELECT FROM orders
    WHERE buyer_id = accounts.id
        AND cancelled_at IS NULL AND payment_state = 'unpaid' AND fulfilment = 'pending'
        AND placed_at < cancel_orders_before);
