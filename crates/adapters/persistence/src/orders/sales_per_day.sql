-- Orders by the day on which they were placed; payments and refunds from the ledger, each on its own day. Of both: what is
-- folded in, and what is not yet. As in count_states.sql, the answer holds if both `folded_to` are still what was asked
-- with. The first row may have no day: it is there to say so.

SELECT
    (SELECT folded_to FROM rollups WHERE name = 'orders') AS orders_folded_to,
    (SELECT folded_to FROM rollups WHERE name = 'revenue') AS revenue_folded_to,
    day,
    coalesce(sum(orders), 0)::bigint AS orders,
    -- No more than can be reported.
    coalesce(least(sum(paid), :max_cents), 0)::bigint AS paid,
    coalesce(least(sum(returned), :max_cents), 0)::bigint AS returned
FROM (
    SELECT NULL::date AS day, 0::bigint AS orders, 0::numeric AS paid, 0::numeric AS returned
    UNION ALL
    SELECT day, orders, 0, 0 FROM order_days WHERE day BETWEEN :first_day AND :last_day AND orders <> 0
    UNION ALL
    SELECT day, was_cancelled::integer - is_cancelled::integer, 0, 0 FROM order_changes
    WHERE number <= :orders_folded_to AND is_cancelled <> was_cancelled AND day BETWEEN :first_day AND :last_day
    UNION ALL
    SELECT (placed_at AT TIME ZONE 'UTC')::date, count(*), 0, 0 FROM orders
    WHERE number > :orders_folded_to AND cancelled_at IS NULL AND placed_at >= :from_time AND placed_at < :before_time
    GROUP BY 1
    UNION ALL
    SELECT day, 0, paid, returned FROM revenue_days WHERE day BETWEEN :first_day AND :last_day
    UNION ALL
    SELECT (at AT TIME ZONE 'UTC')::date, 0,
        coalesce(sum(cents) FILTER (WHERE kind = 'payment'), 0),
        coalesce(-sum(cents) FILTER (WHERE kind <> 'payment'), 0)
    FROM revenue_ledger
    WHERE id > :revenue_folded_to AND at >= :from_time AND at < :before_time
    GROUP BY 1
) AS happened
GROUP BY day
ORDER BY day NULLS FIRST;
