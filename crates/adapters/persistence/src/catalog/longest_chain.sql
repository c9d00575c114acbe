-- How many steps the longest row of products has in which this one is: each replaced by the next. Nine for a circle.
WITH RECURSIVE before AS (
    SELECT :id::uuid AS id, 0 AS steps
    UNION ALL
    SELECT product.id, before.steps + 1
    FROM before JOIN products AS product ON product.replaced_by = before.id
    WHERE before.steps < 9
), after AS (
    SELECT product.replaced_by AS id, 1 AS steps FROM products AS product
    WHERE product.id = :id AND product.replaced_by IS NOT NULL
    UNION ALL
    SELECT product.replaced_by, after.steps + 1
    FROM after JOIN products AS product ON product.id = after.id
    WHERE after.steps < 9 AND product.replaced_by IS NOT NULL
)
SELECT (SELECT max(steps) FROM before) + coalesce((SELECT max(steps) FROM after), 0) AS steps
