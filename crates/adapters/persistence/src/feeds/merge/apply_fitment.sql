-- Applies what the rows of one brand say of vehicles. What was entered by hand is left alone.
SELECT FROM products
WHERE no IN (
    SELECT product_no FROM feed_found JOIN feed_job USING (group_key) WHERE outcome IN ('added', 'changed')
    UNION
    SELECT product_no FROM feed_gone JOIN feed_job USING (group_key)
)
ORDER BY id FOR NO KEY UPDATE;

-- One source for all brands of the feed.
INSERT INTO fitment_sources (name, dated, feed_id)
SELECT btrim(left(coalesce(feed.name, 'Feed ' || feed.id), 120)), (feed.created_at AT TIME ZONE 'UTC')::date, feed.id
FROM feed_job AS job JOIN feeds AS feed ON feed.id = job.feed_id
WHERE NOT EXISTS (SELECT FROM fitment_sources AS source WHERE source.feed_id = feed.id);

INSERT INTO conditions (body)
SELECT body FROM feed_conditions
WHERE id IS NULL
    AND no IN (SELECT condition_no FROM feed_fits JOIN feed_job USING (group_key) WHERE outcome = 'added')
ORDER BY body
ON CONFLICT (body) DO NOTHING;
UPDATE feed_conditions AS condition SET id = known.id
FROM conditions AS known WHERE condition.id IS NULL AND known.body = condition.body;

DELETE FROM fitments AS fitment
USING (
    SELECT product_no, vehicle_id, engine_id, condition_no, position
    FROM feed_fits JOIN feed_job USING (group_key) WHERE outcome = 'removed'
    UNION ALL
    SELECT product_no, vehicle_id, engine_id, condition_id, position FROM feed_gone JOIN feed_job USING (group_key)
) AS gone
WHERE fitment.product_no = gone.product_no AND fitment.vehicle_id = gone.vehicle_id AND fitment.engine_id = gone.engine_id
    AND fitment.condition_id = gone.condition_no AND fitment.position = gone.position
    AND fitment.source_id IN (SELECT id FROM fitment_sources WHERE NOT by_hand);

UPDATE fitments AS fitment SET per_vehicle = fit.per_vehicle, source_id = source.id
FROM feed_job AS job
JOIN feed_fits AS fit USING (group_key)
JOIN fitment_sources AS source ON source.feed_id = job.feed_id
WHERE fit.outcome = 'changed' AND fitment.product_no = fit.product_no AND fitment.vehicle_id = fit.vehicle_id
    AND fitment.engine_id = fit.engine_id AND fitment.condition_id = fit.condition_no AND fitment.position = fit.position
    AND fitment.source_id IN (SELECT id FROM fitment_sources WHERE NOT by_hand);

-- In the order of the key, whose index then grows page by page.
INSERT INTO fitments (vehicle_id, part_type_id, product_no, engine_id, condition_id, position, per_vehicle, source_id)
SELECT fit.vehicle_id, coalesce(product.part_type_id, 0), fit.product_no, fit.engine_id, condition.id, fit.position,
    fit.per_vehicle, source.id
FROM feed_job AS job
JOIN feed_fits AS fit USING (group_key)
JOIN products AS product ON product.no = fit.product_no
JOIN feed_conditions AS condition ON condition.no = fit.condition_no
JOIN fitment_sources AS source ON source.feed_id = job.feed_id
WHERE fit.outcome = 'added'
ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING;
