-- Folds the orders numbered up to `fold_to` into the rollups, and what became of orders that were folded in before. All in
-- one statement, and so of one moment: a change that is seen here is in its order's row as well, and one that is not
-- will find its order folded in.

WITH placed AS (
    SELECT (placed_at AT TIME ZONE 'UTC')::date AS day, payment_state, fulfilment, cancelled_at IS NOT NULL AS is_cancelled,
        count(*) AS orders
    FROM orders WHERE number > :folded_to AND number <= :fold_to
    GROUP BY 1, 2, 3, 4
),
changed AS (
    DELETE FROM order_changes WHERE (number, id) IN (
        SELECT number, id FROM order_changes WHERE number <= :folded_to ORDER BY number, id LIMIT :limit)
    RETURNING *
),
-- Their orders' rows have them already.
dropped AS (
    DELETE FROM order_changes WHERE number > :folded_to AND number <= :fold_to
),
folded AS (
    SELECT day, payment_state, fulfilment, is_cancelled, orders FROM placed
    UNION ALL
    SELECT day, payment_state, fulfilment, is_cancelled, 1 FROM changed
    UNION ALL
    SELECT day, payment_state_before, fulfilment_before, was_cancelled, -1 FROM changed
),
by_state AS (
    INSERT INTO order_totals AS total (payment_state, fulfilment, is_cancelled, orders)
    SELECT payment_state, fulfilment, is_cancelled, sum(orders) FROM folded GROUP BY 1, 2, 3 HAVING sum(orders) <> 0
    ON CONFLICT (payment_state, fulfilment, is_cancelled) DO UPDATE SET orders = total.orders + excluded.orders
),
by_day AS (
    INSERT INTO order_days AS total (day, orders)
    SELECT day, sum(orders) FROM folded WHERE NOT is_cancelled GROUP BY day HAVING sum(orders) <> 0
    ON CONFLICT (day) DO UPDATE SET orders = total.orders + excluded.orders
),
noted AS (
    UPDATE rollups SET folded_to = :fold_to WHERE name = 'orders' AND folded_to <> :fold_to
)
SELECT count(*) FROM changed;
