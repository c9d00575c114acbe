-- Orders by the day on which they were placed; payments and refunds from the ledger, each on its own day.

SELECT
    day,
    sum(orders)::bigint AS orders,
    -- No more than can be reported.
    least(sum(paid), :max_cents)::bigint AS paid,
    least(sum(returned), :max_cents)::bigint AS returned
FROM (
    SELECT (placed_at AT TIME ZONE 'UTC')::date AS day, count(*) AS orders, 0 AS paid, 0 AS returned
    FROM orders
    WHERE cancelled_at IS NULL AND placed_at >= :from_time AND placed_at < :before_time
    GROUP BY 1
    UNION ALL
    SELECT (at AT TIME ZONE 'UTC')::date AS day, 0 AS orders,
        coalesce(sum(cents) FILTER (WHERE kind = 'payment'), 0),
        coalesce(-sum(cents) FILTER (WHERE kind <> 'payment'), 0)
    FROM revenue_ledger
    WHERE at >= :from_time AND at < :before_time
    GROUP BY 1
) AS happened
GROUP BY day
ORDER BY day;
