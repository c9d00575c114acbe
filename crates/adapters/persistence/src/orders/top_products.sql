-- The products whose orders brought in most, of those that were placed from one day to another, and what the orders of the
-- period before brought in: what is folded in, and what is not yet. As in count_states.sql, the answer holds if `folded_to`
-- is still what was asked with. There is one row at least, which may name none: it is there to say so.

SELECT folded_to, id, coalesce(orders, 0)::bigint AS orders, coalesce(units, 0)::bigint AS units,
    -- No more than can be reported.
    least(coalesce(cents, 0), :max_cents)::bigint AS cents,
    least(coalesce(cents_before, 0), :max_cents)::bigint AS cents_before
FROM (SELECT folded_to FROM sales_rollups WHERE name = 'sales') AS progress
LEFT JOIN (
    SELECT id,
        sum(orders) FILTER (WHERE day >= :first_day) AS orders,
        sum(units) FILTER (WHERE day >= :first_day) AS units,
        sum(cents) FILTER (WHERE day >= :first_day) AS cents,
        sum(cents) FILTER (WHERE day < :first_day) AS cents_before
    FROM (
        SELECT day, product_id AS id, orders, units AS units, cents FROM product_sales
        WHERE day BETWEEN :first_day_before AND :last_day
        UNION ALL
        SELECT (placed_at AT TIME ZONE 'UTC')::date, product_id, (kind = 'payment')::integer, CASE kind WHEN 'payment' THEN quantity ELSE 0 END, cents
        FROM revenue_ledger JOIN orders ON orders.id = order_id
        WHERE revenue_ledger.id > :sales_folded_to AND placed_at >= :from_time AND placed_at < :before_time
    ) AS sold
    GROUP BY id
    HAVING sum(cents) FILTER (WHERE day >= :first_day) > 0
    ORDER BY cents DESC, id
    LIMIT :limit
) AS top ON true
ORDER BY top.cents DESC, id;
