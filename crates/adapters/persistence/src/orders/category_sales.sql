-- What the orders of each category's products brought in, of those that were placed from one day to another and of the period
-- before: what is folded in, and what is not yet. Products count where they are now. As in count_states.sql, the answer holds if
-- `folded_to` is still what was asked with. There is one row at least, which may name none: it is there to say so.

SELECT folded_to, category, coalesce(orders, 0)::bigint AS orders, coalesce(units, 0)::bigint AS units,
    -- No more than can be reported.
    greatest(least(coalesce(cents, 0), :max_cents), -:max_cents)::bigint AS cents,
    greatest(least(coalesce(cents_before, 0), :max_cents), -:max_cents)::bigint AS cents_before
FROM (SELECT folded_to FROM sales_rollups WHERE name = 'sales') AS progress
LEFT JOIN (
    SELECT category, sum(orders) AS orders, sum(units) AS units, sum(cents) AS cents, sum(cents_before) AS cents_before
    FROM (
        SELECT
            -- No join: for some hundred products, Postgres might read all of them.
            (SELECT products.category FROM products WHERE products.id = entered.id) AS category,
            coalesce(sum(orders) FILTER (WHERE day >= :first_day), 0) AS orders,
            coalesce(sum(units) FILTER (WHERE day >= :first_day), 0) AS units,
            coalesce(sum(cents) FILTER (WHERE day >= :first_day), 0) AS cents,
            coalesce(sum(cents) FILTER (WHERE day < :first_day), 0) AS cents_before
        FROM (
            SELECT day, product_id AS id, orders, units, cents FROM product_sales
            WHERE day BETWEEN :first_day_before AND :last_day
            UNION ALL
            SELECT (placed_at AT TIME ZONE 'UTC')::date, product_id, (kind = 'payment')::integer,
                CASE kind WHEN 'payment' THEN quantity ELSE 0 END, cents
            FROM revenue_ledger JOIN orders ON orders.id = order_id
            WHERE revenue_ledger.id > :sales_folded_to AND placed_at >= :from_time AND placed_at < :before_time
        ) AS entered
        GROUP BY id
    ) AS sold
    WHERE category IS NOT NULL
    GROUP BY category
) AS by_category ON true
ORDER BY by_category.cents DESC, category;
