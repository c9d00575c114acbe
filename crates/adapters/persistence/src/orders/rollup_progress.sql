-- How far the rollups are, and how far they could be.

SELECT name, folded_to,
    CASE name
        WHEN 'orders' THEN coalesce((SELECT max(number) FROM orders), 0)
        ELSE coalesce((SELECT max(id) FROM revenue_ledger), 0)
    END AS newest,
    name = 'orders' AND EXISTS (SELECT FROM order_changes) AS has_changes
FROM rollups
ORDER BY name;
