-- Whether an account that has never paid may place another unpaid order: fewer than the limit in all, and at most one
-- above the largest card payment. The same condition as in place_order.sql, to tell why that statement did nothing.

SELECT :unpaid_limit IS NULL OR (
    (SELECT count(*) FROM orders
        WHERE buyer_id = :customer
            AND payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND checkout_id IS NULL) < :unpaid_limit
    AND NOT (:is_above_card_max AND EXISTS (
        SELECT FROM orders
        WHERE buyer_id = :customer
            AND payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND checkout_id IS NULL
            AND total_cents > :card_max_cents))
);
