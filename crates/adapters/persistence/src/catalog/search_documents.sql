-- What products are found by, but for their numbers.
SELECT product.no, product.id, product.archived_at IS NOT NULL AS archived, product.category, product.price_cents,
    product.available >= product.min_order AS in_stock, product.created_at, product.name_key,
    brand.name AS brand, brand.name_key AS brand_key,
    part_type.id AS part_type_id, part_type.name AS part_type, part_type.name_key AS part_type_key,
    coalesce(search.document, '') AS document,
    coalesce((SELECT jsonb_agg(jsonb_build_object('name', attribute.name, 'key', attribute.name_key, 'unit', attribute.unit,
            'number', value.number, 'words', value.words, 'words_key', value.words_key, 'flag', value.flag) ORDER BY value.place,
            attribute.id)
        FROM product_attributes AS value JOIN attributes AS attribute ON attribute.id = value.attribute_id
        WHERE value.product_no = product.no), '[]') AS attributes
FROM products AS product
LEFT JOIN product_search AS search ON search.product_no = product.no
LEFT JOIN brands AS brand ON brand.id = product.brand_id
LEFT JOIN part_types AS part_type ON part_type.id = product.part_type_id
WHERE product.no = ANY (:product_nos)
ORDER BY product.no
