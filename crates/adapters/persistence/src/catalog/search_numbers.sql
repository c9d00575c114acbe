-- The numbers that lead to products: their own, and the own and superseded ones of those that they replace.
WITH RECURSIVE line AS (
    SELECT product.no AS product_no, product.id, product.no, 0 AS steps
    FROM products AS product WHERE product.no = ANY (:product_nos)
    UNION ALL
    SELECT line.product_no, former.id, former.no, line.steps + 1
    FROM line JOIN products AS former ON former.replaced_by = line.id WHERE line.steps < 8
)
SELECT line.product_no, line.steps, number.kind, number.key, number.shown, number.since,
    brand.name AS brand, brand.name_key AS brand_key
FROM line
JOIN part_numbers AS number ON number.product_no = line.no AND (line.steps = 0 OR number.kind IN (1, 5))
LEFT JOIN brands AS brand ON brand.id = number.brand_id
ORDER BY line.product_no, line.steps, number.kind, number.shown, number.id
