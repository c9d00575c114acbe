-- How many orders were placed from one day to another, and how many of these were paid by now; and the same of the period
-- before. As in count_states.sql, the answer holds if both `folded_to` are still what was asked with.

SELECT
    (SELECT folded_to FROM sales_rollups WHERE name = 'placed') AS placed_folded_to,
    (SELECT folded_to FROM sales_rollups WHERE name = 'sales') AS sales_folded_to,
    coalesce(sum(placed) FILTER (WHERE day >= :first_day), 0)::bigint AS placed,
    coalesce(sum(paid) FILTER (WHERE day >= :first_day), 0)::bigint AS paid,
    coalesce(sum(placed) FILTER (WHERE day < :first_day), 0)::bigint AS placed_before,
    coalesce(sum(paid) FILTER (WHERE day < :first_day), 0)::bigint AS paid_before
FROM (
    SELECT day, placed, paid FROM placed_days WHERE day BETWEEN :first_day_before AND :last_day
    UNION ALL
    SELECT (placed_at AT TIME ZONE 'UTC')::date, count(*), 0 FROM orders
    WHERE number > :placed_folded_to AND placed_at >= :from_time AND placed_at < :before_time
    GROUP BY 1
    UNION ALL
    SELECT (placed_at AT TIME ZONE 'UTC')::date, 0, count(*)
    FROM revenue_ledger JOIN orders ON orders.id = order_id
    WHERE revenue_ledger.id > :sales_folded_to AND kind = 'payment' AND placed_at >= :from_time AND placed_at < :before_time
    GROUP BY 1
) AS counted;
