-- Folds the revenue ledger's entries up to `fold_to` into what their orders brought in: by the day on which the order was
-- placed, by product and by customer.

WITH entered AS (
    SELECT (placed_at AT TIME ZONE 'UTC')::date AS day, product_id, buyer_id,
        count(*) FILTER (WHERE kind = 'payment') AS orders,
        coalesce(sum(quantity) FILTER (WHERE kind = 'payment'), 0) AS units,
        sum(cents) AS cents
    FROM revenue_ledger JOIN orders ON orders.id = order_id
    WHERE revenue_ledger.id > :folded_to AND revenue_ledger.id <= :fold_to
    GROUP BY 1, 2, 3
),
by_day AS (
    INSERT INTO placed_days AS total (day, paid)
    SELECT day, sum(orders) FROM entered GROUP BY day HAVING sum(orders) <> 0
    ON CONFLICT (day) DO UPDATE SET paid = total.paid + excluded.paid
),
by_product AS (
    INSERT INTO product_sales AS total (day, product_id, orders, units, cents)
    SELECT day, product_id, sum(orders), sum(units), sum(cents) FROM entered GROUP BY day, product_id
    ON CONFLICT (day, product_id) DO UPDATE
        SET orders = total.orders + excluded.orders, units = total.units + excluded.units, cents = total.cents + excluded.cents
),
by_customer AS (
    INSERT INTO customer_sales AS total (day, account_id, orders, cents)
    SELECT day, buyer_id, sum(orders), sum(cents) FROM entered GROUP BY day, buyer_id
    ON CONFLICT (day, account_id) DO UPDATE
        SET orders = total.orders + excluded.orders, cents = total.cents + excluded.cents
),
spent AS (
    INSERT INTO customer_totals AS total (account_id, spent_cents)
    SELECT buyer_id, sum(cents) FROM entered GROUP BY buyer_id HAVING sum(cents) <> 0
    ON CONFLICT (account_id) DO UPDATE SET spent_cents = total.spent_cents + excluded.spent_cents
)
UPDATE sales_rollups SET folded_to = :fold_to WHERE name = 'sales';
