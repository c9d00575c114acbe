WITH first AS MATERIALIZED (
    SELECT line, product_no FROM feed_found WHERE outcome = 'changed' ORDER BY line LIMIT 200
),
does AS (
    SELECT line, 'per_vehicle' AS field, min(fit.stored)::text AS old, min(fit.per_vehicle)::text AS new
    FROM first JOIN feed_fits AS fit USING (line) WHERE fit.outcome = 'changed' GROUP BY line
    UNION ALL
    SELECT line, 'vehicles', count(*)::text, ''
    FROM first JOIN feed_fits AS fit USING (line) WHERE fit.outcome = 'removed' GROUP BY line
)
SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'product', id, 'part', part, 'fields', fields) ORDER BY line), '[]') AS changes
FROM (
    SELECT first.line, product.id, concat_ws(' ', brand.name, product.part_number) AS part,
        jsonb_agg(jsonb_build_array(does.field, does.old, does.new) ORDER BY does.field) AS fields
    FROM first
    JOIN does USING (line)
    JOIN products AS product ON product.no = first.product_no
    LEFT JOIN brands AS brand ON brand.id = product.brand_id
    GROUP BY first.line, product.id, brand.name, product.part_number
) AS changed
