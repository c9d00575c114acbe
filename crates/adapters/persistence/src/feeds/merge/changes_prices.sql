SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'product', id, 'part', part,
    'fields', jsonb_build_array(jsonb_build_array(field, to_char(old_cents / 100.0, 'FM99999990.00'),
        CASE new_cents WHEN 0 THEN '' ELSE to_char(new_cents / 100.0, 'FM99999990.00') END))) ORDER BY line), '[]') AS changes
FROM (
    SELECT row.line, product.id, concat_ws(' ', brand.name, product.part_number) AS part,
        CASE WHEN row.tier_from IS NULL THEN 'price' ELSE concat_ws(' ', row.price_list, 'from', row.tier_from) END AS field,
        row.old_cents, CASE WHEN row.tier_from IS NULL THEN row.price_cents ELSE row.tier_cents END AS new_cents
    FROM feed_found AS row
    JOIN products AS product ON product.no = row.product_no
    LEFT JOIN brands AS brand ON brand.id = product.brand_id
    WHERE row.outcome IN ('added', 'changed')
    ORDER BY row.line LIMIT 200
) AS first
