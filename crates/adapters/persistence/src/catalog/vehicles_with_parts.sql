-- Those of these vehicles that a part for sale fits: the first one of each that is found.
SELECT vehicle.id
FROM unnest(:vehicles) AS vehicle (id)
WHERE EXISTS (
    SELECT FROM fitments AS fitment
    JOIN products AS product ON product.no = fitment.product_no
    WHERE fitment.vehicle_id = vehicle.id AND product.archived_at IS NULL
)
ORDER BY vehicle.id
