-- The first product for sale in the row of those that replace this one.
WITH RECURSIVE after AS (
    SELECT product.replaced_by AS id, 1 AS steps FROM products AS product WHERE product.id = :id
    UNION ALL
    SELECT product.replaced_by, after.steps + 1
    FROM after JOIN products AS product ON product.id = after.id
    WHERE product.archived_at IS NOT NULL AND after.steps < 8
)
SELECT product.id FROM after JOIN products AS product ON product.id = after.id
WHERE product.archived_at IS NULL
ORDER BY after.steps
LIMIT 1
