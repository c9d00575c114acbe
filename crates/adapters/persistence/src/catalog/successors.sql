-- The first product for sale in the row of those that replace each of these.
WITH RECURSIVE after AS (
    SELECT product.id AS former, product.replaced_by AS id, 1 AS steps FROM products AS product
    WHERE product.id = ANY (:ids::uuid[]) AND product.replaced_by IS NOT NULL
    UNION ALL
    SELECT after.former, product.replaced_by, after.steps + 1
    FROM after JOIN products AS product ON product.id = after.id
    WHERE product.archived_at IS NOT NULL AND product.replaced_by IS NOT NULL AND after.steps < 8
)
SELECT DISTINCT ON (after.former) after.former, product.id
FROM after JOIN products AS product ON product.id = after.id
WHERE product.archived_at IS NULL
ORDER BY after.former, after.steps
