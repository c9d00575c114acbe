-- What a customer has ordered and paid: one row, also for an account without orders. Money counts as in the revenue ledger:
-- payments that an order holds, less refunds on their way and disputes that were lost. A refunded order comes to nothing.

WITH ordered AS (
    -- In two halves, because each has an index.
    SELECT id, placed_at, payment_state, fulfilment, false AS is_cancelled, total_cents, transaction_id FROM orders
    WHERE buyer_id = :customer AND cancelled_at IS NULL
    UNION ALL
    SELECT id, placed_at, payment_state, fulfilment, true, total_cents, transaction_id FROM orders
    WHERE buyer_id = :customer AND cancelled_at IS NOT NULL
)
SELECT
    count(*) FILTER (WHERE NOT is_cancelled AND fulfilment = 'pending') AS waiting,
    count(*) FILTER (WHERE NOT is_cancelled AND fulfilment = 'pending' AND payment_state = 'paid') AS ready,
    count(*) FILTER (WHERE NOT is_cancelled AND payment_state = 'unpaid') AS unpaid,
    count(*) FILTER (WHERE NOT is_cancelled AND payment_state = 'unpaid' AND fulfilment = 'pending') AS reserved,
    count(*) FILTER (WHERE NOT is_cancelled AND payment_state <> 'unpaid') AS paid,
    count(*) FILTER (WHERE NOT is_cancelled AND fulfilment = 'shipped') AS shipped,
    count(*) FILTER (WHERE payment_state = 'refunded') AS refunded,
    count(*) FILTER (WHERE is_cancelled) AS cancelled,
    count(*) AS all_orders,
    coalesce(sum(
        CASE WHEN payment_state = 'paid' THEN total_cents
            - (SELECT coalesce(sum(amount_cents), 0) FROM refunds
                WHERE order_id = ordered.id AND payment_id = ordered.transaction_id
                    AND state IN ('pending', 'succeeded', 'recorded'))
            - (SELECT coalesce(sum(amount_cents), 0) FROM disputes
                WHERE order_id = ordered.id AND payment_id = ordered.transaction_id AND state = 'lost')
        END), 0)::bigint AS spent_cents,
    min(placed_at) AS first_order_at,
    max(placed_at) AS last_order_at
FROM ordered;
