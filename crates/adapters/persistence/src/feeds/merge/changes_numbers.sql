SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'product', id, 'part', part, 'fields', fields) ORDER BY line), '[]') AS changes
FROM (
    SELECT row.line, product.id, concat_ws(' ', brand.name, product.part_number) AS part,
        (SELECT jsonb_agg(jsonb_build_array(field, old, new))
        FROM (VALUES ('number', number.shown, row.number_shown), ('note', number.note, row.number_note)) AS field (field, old, new)
        WHERE new IS NOT NULL AND coalesce(old, '') <> new) AS fields
    FROM feed_found AS row
    JOIN products AS product ON product.no = row.product_no
    JOIN part_numbers AS number ON number.product_no = row.product_no AND number.kind = row.number_kind
        AND number.key = row.number_key AND coalesce(number.brand_id, 0) = coalesce(row.number_brand_id, 0)
    LEFT JOIN brands AS brand ON brand.id = product.brand_id
    WHERE row.outcome = 'changed'
    ORDER BY row.line LIMIT 200
) AS first
