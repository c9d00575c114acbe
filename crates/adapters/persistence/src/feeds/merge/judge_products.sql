-- What each row does to its product, and which products no row has.
UPDATE feed_found SET outcome = CASE WHEN refused THEN 'refused' ELSE 'added' END
WHERE refused OR product_no IS NULL OR is_archived;

UPDATE feed_found AS row SET outcome = CASE WHEN (
    coalesce(row.name, product.name), coalesce(row.description, product.description),
    coalesce(row.category, product.category), coalesce(row.price_cents, product.price_cents),
    coalesce(row.available, product.available + coalesce(row.arriving, 0)), coalesce(row.min_order, product.min_order),
    coalesce(row.img, product.img), nullif(coalesce(row.part_type_id, product.part_type_id), 0),
    coalesce(row.universal, product.universal), coalesce(row.pack_size, product.pack_size),
    nullif(coalesce(row.weight_grams, product.weight_grams), 0), nullif(coalesce(row.length_mm, product.length_mm), 0),
    nullif(coalesce(row.width_mm, product.width_mm), 0), nullif(coalesce(row.height_mm, product.height_mm), 0)
) IS DISTINCT FROM (
    product.name, product.description, product.category, product.price_cents, product.available, product.min_order,
    product.img, product.part_type_id, product.universal, product.pack_size, product.weight_grams, product.length_mm,
    product.width_mm, product.height_mm
) THEN 'changed' ELSE 'same' END
FROM products AS product
WHERE product.no = row.product_no AND row.outcome IS NULL;

CREATE TEMPORARY TABLE feed_gone AS
SELECT product.no::bigint AS no, brand.name_key AS group_key
FROM brands AS brand
JOIN products AS product ON product.brand_id = brand.id
WHERE brand.name_key IN (SELECT group_key FROM feed_found) AND (SELECT kind = 'products' AND mode = 'replace' FROM feed_job) AND product.archived_at IS NULL
    AND NOT EXISTS (SELECT FROM feed_found AS row WHERE row.product_no = product.no);
