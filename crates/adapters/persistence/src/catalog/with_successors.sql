-- These products, and those that are found by their numbers because they replace them.
WITH RECURSIVE line AS (
    SELECT product.no, product.replaced_by, 0 AS steps FROM products AS product WHERE product.no = ANY (:product_nos)
    UNION
    SELECT next.no, next.replaced_by, line.steps + 1
    FROM line JOIN products AS next ON next.id = line.replaced_by WHERE line.steps < 8
)
SELECT DISTINCT no FROM line ORDER BY no
