-- What is said of a product, vehicle by vehicle.
SELECT fitment.vehicle_id, fitment.engine_id, fitment.position, fitment.per_vehicle, condition.id AS condition_id,
    condition.body AS condition, source.name AS source, source.dated, source.by_hand
FROM fitments AS fitment
JOIN conditions AS condition ON condition.id = fitment.condition_id
JOIN fitment_sources AS source ON source.id = fitment.source_id
WHERE fitment.product_no = :product_no
ORDER BY fitment.vehicle_id, fitment.position, fitment.engine_id, fitment.condition_id
