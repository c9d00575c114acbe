-- What is said of these products and one vehicle; of a product of which nothing is said, one row without a fitment.
SELECT product.id, product.universal,
    EXISTS (SELECT FROM fitments AS of_any WHERE of_any.product_no = product.no) AS has_any,
    fitment.engine_id, fitment.position, fitment.per_vehicle, condition.id AS condition_id, condition.body AS condition,
    source.name AS source, source.dated
FROM products AS product
LEFT JOIN fitments AS fitment ON fitment.product_no = product.no AND fitment.vehicle_id = :vehicle
LEFT JOIN conditions AS condition ON condition.id = fitment.condition_id
LEFT JOIN fitment_sources AS source ON source.id = fitment.source_id
WHERE product.id = ANY (:ids::uuid[])
ORDER BY product.id, fitment.position, fitment.engine_id, fitment.condition_id
