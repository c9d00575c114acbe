-- What a source says of many products and vehicles. What another one says already is not said again.
INSERT INTO fitments (product_no, part_type_id, vehicle_id, engine_id, condition_id, position, per_vehicle, source_id)
SELECT said.*, :source::integer
FROM unnest(
    :product_nos::integer[], :part_type_ids::integer[], :vehicles::integer[], :engine_ids::integer[], :condition_ids::integer[],
    :positions::smallint[], :per_vehicles::smallint[]
) AS said
ON CONFLICT DO NOTHING
