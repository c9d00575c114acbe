-- What each row does to the numbers of its product, and which numbers of earlier feeds no row has.
UPDATE feed_found SET outcome = 'refused' WHERE refused;

UPDATE feed_found AS row SET outcome = CASE WHEN
    row.number_shown <> number.shown OR nullif(coalesce(row.number_note, number.note), '') IS DISTINCT FROM number.note
    THEN 'changed' ELSE 'same' END
FROM part_numbers AS number
WHERE number.product_no = row.product_no AND number.kind = row.number_kind AND number.key = row.number_key
    AND coalesce(number.brand_id, 0) = coalesce(row.number_brand_id, 0)
    AND (row.number_brand_key IS NULL OR row.number_brand_id IS NOT NULL) AND row.outcome IS NULL;

UPDATE feed_found SET outcome = 'added' WHERE outcome IS NULL;

CREATE TEMPORARY TABLE feed_gone AS
SELECT number.id AS no, brand.name_key AS group_key
FROM brands AS brand
JOIN products AS product ON product.brand_id = brand.id
JOIN part_numbers AS number ON number.product_no = product.no
WHERE brand.name_key IN (SELECT group_key FROM feed_found) AND (SELECT mode FROM feed_job) = 'replace' AND number.feed_id IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM feed_found AS row
        WHERE row.product_no = number.product_no AND row.number_kind = number.kind AND row.number_key = number.key
            AND coalesce(row.number_brand_id, 0) = coalesce(number.brand_id, 0)
    );
