-- How many orders are in which state: those that are folded in, what became of them since, and the orders that are not
-- folded in yet. The answer holds if `folded_to` is still what was asked with. It is asked with and not looked up here,
-- because the planner has to know how few orders are left: then it takes the index.

SELECT
    (SELECT folded_to FROM rollups WHERE name = 'orders') AS folded_to,
    coalesce(sum(orders) FILTER (WHERE NOT is_cancelled), 0)::bigint AS standing,
    coalesce(sum(orders) FILTER (WHERE NOT is_cancelled AND fulfilment = 'pending'), 0)::bigint AS waiting,
    coalesce(sum(orders) FILTER (WHERE NOT is_cancelled AND payment_state = 'paid' AND fulfilment = 'pending'), 0)::bigint
        AS ready,
    coalesce(sum(orders) FILTER (WHERE NOT is_cancelled AND payment_state = 'unpaid'), 0)::bigint AS unpaid,
    coalesce(sum(orders) FILTER (WHERE NOT is_cancelled AND payment_state = 'unpaid' AND fulfilment = 'pending'), 0)::bigint
        AS reserved,
    coalesce(sum(orders) FILTER (WHERE payment_state = 'refunded'), 0)::bigint AS refunded,
    coalesce(sum(orders) FILTER (WHERE is_cancelled), 0)::bigint AS cancelled
FROM (
    SELECT payment_state, fulfilment, is_cancelled, orders FROM order_totals
    UNION ALL
    SELECT payment_state, fulfilment, is_cancelled, 1 FROM order_changes WHERE number <= :folded_to
    UNION ALL
    SELECT payment_state_before, fulfilment_before, was_cancelled, -1 FROM order_changes WHERE number <= :folded_to
    UNION ALL
    SELECT payment_state, fulfilment, cancelled_at IS NOT NULL, count(*) FROM orders WHERE number > :folded_to GROUP BY 1, 2, 3
) AS counted;
