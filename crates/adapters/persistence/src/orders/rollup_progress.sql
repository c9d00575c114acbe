-- How far the rollups are, and how far they could be.

SELECT name, folded_to,
    CASE WHEN name IN ('orders', 'placed')
        THEN coalesce((SELECT max(number) FROM orders), 0)
        ELSE coalesce((SELECT max(id) FROM revenue_ledger), 0)
    END AS newest,
    name = 'orders' AND EXISTS (SELECT FROM order_changes) AS has_changes
FROM (SELECT name, folded_to FROM rollups UNION ALL SELECT name, folded_to FROM sales_rollups) AS every
ORDER BY name;
