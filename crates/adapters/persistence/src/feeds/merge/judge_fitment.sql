-- What each row does to the vehicles of its part, and which of earlier feeds no row has. Rows are taken apart into vehicles and
-- engines, because that is what is stored.
UPDATE feed_found SET outcome = 'refused' WHERE refused;
ANALYZE pg_temp.feed_fitments;
ANALYZE pg_temp.feed_spans;

-- Conditions by their numbers. One that is new has a negative number.
CREATE TEMPORARY TABLE feed_conditions AS
SELECT coalesce(known.id, -row_number() OVER ())::integer AS no, known.id, said.body
FROM (SELECT said AS body FROM feed_fitments UNION SELECT said_with_engine FROM feed_fitments) AS said
LEFT JOIN conditions AS known ON known.body = said.body;
ANALYZE pg_temp.feed_conditions;

CREATE TEMPORARY TABLE feed_spots AS
SELECT row.line, row.group_key, row.product_no, span.vehicle_id, span.engine_id,
    CASE WHEN span.engine_is_said THEN with_engine.no ELSE plain.no END AS condition_no,
    said.position, said.per_vehicle, said.removes
FROM feed_found AS row
JOIN feed_fitments AS said ON said.line = row.line
JOIN feed_conditions AS plain ON plain.body = said.said
JOIN feed_conditions AS with_engine ON with_engine.body = said.said_with_engine
JOIN feed_spans AS span ON span.span_id = said.span_id
WHERE NOT row.refused;
ANALYZE pg_temp.feed_spots;

-- Of several rows that say the same the first one counts, and what a row adds is not taken away by another. `per_vehicle` is null
-- where it is only taken away. A vehicle takes at most 1,000 of a part.
CREATE TEMPORARY TABLE feed_fits AS
SELECT spot.*, coalesce(product.part_type_id, 0) AS part_type_id, fitment.per_vehicle AS stored,
    CASE
        WHEN spot.per_vehicle IS NULL AND (fitment.product_no IS NULL OR source.by_hand) THEN 'missing'
        WHEN spot.per_vehicle IS NULL THEN 'removed'
        WHEN fitment.product_no IS NULL THEN 'added'
        WHEN fitment.per_vehicle = spot.per_vehicle OR source.by_hand THEN 'same'
        ELSE 'changed'
    END AS outcome
FROM (
    SELECT product_no, vehicle_id, engine_id, condition_no, position, min(group_key) AS group_key,
        coalesce(min(line) FILTER (WHERE NOT removes), min(line)) AS line,
        (min(line * 1024 + per_vehicle) FILTER (WHERE NOT removes) % 1024)::smallint AS per_vehicle,
        greatest(count(*) FILTER (WHERE removes), count(*) FILTER (WHERE NOT removes)) > 1 AS is_repeated
    FROM feed_spots
    GROUP BY product_no, vehicle_id, engine_id, condition_no, position
) AS spot
JOIN products AS product ON product.no = spot.product_no
LEFT JOIN fitments AS fitment ON fitment.product_no = spot.product_no AND fitment.vehicle_id = spot.vehicle_id
    AND fitment.engine_id = spot.engine_id AND fitment.condition_id = spot.condition_no AND fitment.position = spot.position
LEFT JOIN fitment_sources AS source ON source.id = fitment.source_id;
CREATE INDEX ON pg_temp.feed_fits (group_key);
CREATE INDEX ON pg_temp.feed_fits (product_no, vehicle_id);
ANALYZE pg_temp.feed_fits;

UPDATE feed_found AS row SET outcome = said.outcome
FROM (
    SELECT line, CASE
        WHEN bool_or(outcome = 'added') THEN 'added'
        WHEN bool_or(outcome IN ('changed', 'removed')) THEN 'changed'
        WHEN bool_and(outcome = 'missing') THEN 'refused'
        ELSE 'same'
    END AS outcome
    FROM feed_fits GROUP BY line
) AS said
WHERE said.line = row.line;
INSERT INTO feed_problems
SELECT line, 'action', 'absent', 'No feed or list says that this part fits these vehicles, so there is nothing to remove.'
FROM feed_found WHERE outcome = 'refused' AND NOT refused;
UPDATE feed_found SET refused = true WHERE outcome = 'refused' AND NOT refused;
UPDATE feed_found SET outcome = 'same' WHERE outcome IS NULL;

-- Of a part with a refused row nobody knows what else that row was about. The mode is asked before anything is read.
CREATE TEMPORARY TABLE feed_gone AS
SELECT fitment.product_no, fitment.vehicle_id, fitment.engine_id, fitment.condition_id, fitment.position,
    brand.name_key AS group_key
FROM brands AS brand
JOIN products AS product ON product.brand_id = brand.id
JOIN fitments AS fitment ON fitment.product_no = product.no
JOIN fitment_sources AS source ON source.id = fitment.source_id AND NOT source.by_hand
JOIN feeds AS earlier ON earlier.id = source.feed_id AND earlier.kind = 'fitment'
WHERE (SELECT mode FROM feed_job) = 'replace' AND brand.name_key IN (SELECT group_key FROM feed_found)
    AND NOT EXISTS (
        SELECT FROM feed_fits AS fit
        WHERE fit.product_no = fitment.product_no AND fit.vehicle_id = fitment.vehicle_id AND fit.engine_id = fitment.engine_id
            AND fit.condition_no = fitment.condition_id AND fit.position = fitment.position
    )
    AND NOT EXISTS (SELECT FROM feed_found AS row WHERE row.product_no = fitment.product_no AND row.refused);

INSERT INTO feed_problems
SELECT spot.line, '', 'repeated', format('Line %s says the same of this part and vehicle.', min(fit.line))
FROM feed_fits AS fit
JOIN feed_spots AS spot USING (product_no, vehicle_id, engine_id, condition_no, position)
WHERE fit.is_repeated AND spot.line <> fit.line AND spot.removes = (fit.per_vehicle IS NULL)
GROUP BY spot.line;

-- Different parts of one type in one place of a vehicle. A part and its line are one number, so that the first and the last part
-- come with their lines.
CREATE TEMPORARY TABLE feed_places AS
SELECT group_key, vehicle_id, engine_id, part_type_id, position, condition_no, line, product_no::bigint << 32 | line AS part
FROM feed_fits
WHERE per_vehicle IS NOT NULL AND part_type_id <> 0;
ANALYZE pg_temp.feed_places;

INSERT INTO feed_problems
SELECT place.line, 'part_number', 'overlap',
    format('Line %s has another part of this type for the same place of the same vehicle.',
        min(CASE WHEN alike.first >> 32 = place.part >> 32 THEN alike.last ELSE alike.first END & 4294967295))
FROM feed_places AS place
JOIN (
    SELECT group_key, vehicle_id, engine_id, part_type_id, position, condition_no, min(part) AS first, max(part) AS last
    FROM feed_places
    GROUP BY group_key, vehicle_id, engine_id, part_type_id, position, condition_no
    HAVING min(part) >> 32 <> max(part) >> 32
) AS alike USING (group_key, vehicle_id, engine_id, part_type_id, position, condition_no)
GROUP BY place.line;

INSERT INTO feed_problems
SELECT place.line, 'condition', 'comment',
    format('Line %s has another part for the same place of the same vehicle, %s a condition.', min(other & 4294967295),
        CASE WHEN bool_or(place.condition_no = 0) THEN 'under' ELSE 'without' END)
FROM feed_places AS place
JOIN (
    SELECT group_key, vehicle_id, engine_id, part_type_id, position,
        min(part) FILTER (WHERE condition_no = 0) AS first_plain, max(part) FILTER (WHERE condition_no = 0) AS last_plain,
        min(part) FILTER (WHERE condition_no <> 0) AS first_said, max(part) FILTER (WHERE condition_no <> 0) AS last_said
    FROM feed_places
    GROUP BY group_key, vehicle_id, engine_id, part_type_id, position
    HAVING min(part) >> 32 <> max(part) >> 32 AND bool_or(condition_no = 0) AND bool_or(condition_no <> 0)
) AS alike USING (group_key, vehicle_id, engine_id, part_type_id, position),
LATERAL (
    SELECT min(part) AS other
    FROM unnest(CASE WHEN place.condition_no = 0 THEN ARRAY[first_said, last_said] ELSE ARRAY[first_plain, last_plain] END) AS part
    WHERE part >> 32 <> place.part >> 32
) AS against
WHERE other IS NOT NULL
GROUP BY place.line;
