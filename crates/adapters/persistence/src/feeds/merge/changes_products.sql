SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'product', id, 'part', part, 'fields', fields) ORDER BY line), '[]') AS changes
FROM (
    SELECT row.line, product.id, concat_ws(' ', brand.name, product.part_number) AS part,
        (SELECT jsonb_agg(jsonb_build_array(field, old, new))
        FROM (VALUES
            ('name', product.name, row.name),
            ('description', product.description, row.description),
            ('category', product.category, row.category),
            ('price', to_char(product.price_cents / 100.0, 'FM99999990.00'), to_char(row.price_cents / 100.0, 'FM99999990.00')),
            ('availableQty', product.available::text, coalesce(row.available, product.available + row.arriving)::text),
            ('minOrder', product.min_order::text, row.min_order::text),
            ('img', product.img, row.img),
            ('partType', part_type.name, CASE row.part_type_id WHEN 0 THEN '' ELSE wanted.name END),
            ('universal', product.universal::text, row.universal::text),
            ('packSize', product.pack_size::text, row.pack_size::text),
            ('weight', product.weight_grams::text, CASE row.weight_grams WHEN 0 THEN '' ELSE row.weight_grams::text END),
            ('length', product.length_mm::text, CASE row.length_mm WHEN 0 THEN '' ELSE row.length_mm::text END),
            ('width', product.width_mm::text, CASE row.width_mm WHEN 0 THEN '' ELSE row.width_mm::text END),
            ('height', product.height_mm::text, CASE row.height_mm WHEN 0 THEN '' ELSE row.height_mm::text END)
        ) AS field (field, old, new)
        WHERE new IS NOT NULL AND coalesce(old, '') <> new) AS fields
    FROM feed_found AS row
    JOIN products AS product ON product.no = row.product_no
    LEFT JOIN brands AS brand ON brand.id = product.brand_id
    LEFT JOIN part_types AS part_type ON part_type.id = product.part_type_id
    LEFT JOIN part_types AS wanted ON wanted.id = row.part_type_id
    WHERE row.outcome = 'changed'
    ORDER BY row.line LIMIT 200
) AS first
