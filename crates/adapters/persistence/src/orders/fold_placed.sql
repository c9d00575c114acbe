-- Folds the orders numbered up to `fold_to` into the counts of what was placed, by day and by customer.

WITH placed AS (
    SELECT (placed_at AT TIME ZONE 'UTC')::date AS day, buyer_id, count(*) AS orders
    FROM orders WHERE number > :folded_to AND number <= :fold_to
    GROUP BY 1, 2
),
by_day AS (
    INSERT INTO placed_days AS total (day, placed)
    SELECT day, sum(orders) FROM placed GROUP BY day
    ON CONFLICT (day) DO UPDATE SET placed = total.placed + excluded.placed
),
by_customer AS (
    INSERT INTO customer_totals AS total (account_id, orders)
    SELECT buyer_id, sum(orders) FROM placed GROUP BY buyer_id
    ON CONFLICT (account_id) DO UPDATE SET orders = total.orders + excluded.orders
)
UPDATE sales_rollups SET folded_to = :fold_to WHERE name = 'placed';
