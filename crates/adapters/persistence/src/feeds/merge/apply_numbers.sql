-- Applies the numbers of one brand's products.
SELECT FROM products
WHERE no IN (SELECT product_no FROM feed_found JOIN feed_job USING (group_key) WHERE outcome IN ('added', 'changed'))
ORDER BY id FOR NO KEY UPDATE;

INSERT INTO brands (name, name_key)
SELECT DISTINCT ON (row.number_brand_key) row.number_brand, row.number_brand_key
FROM feed_job AS job JOIN feed_found AS row USING (group_key)
WHERE row.outcome = 'added' AND row.number_brand_key IS NOT NULL AND row.number_brand_id IS NULL
ORDER BY row.number_brand_key, row.line
ON CONFLICT (name_key) DO NOTHING;

UPDATE part_numbers AS number
SET shown = row.number_shown, note = nullif(coalesce(row.number_note, number.note), '')
FROM feed_job AS job JOIN feed_found AS row USING (group_key)
WHERE row.outcome = 'changed' AND number.product_no = row.product_no AND number.kind = row.number_kind
    AND number.key = row.number_key AND coalesce(number.brand_id, 0) = coalesce(row.number_brand_id, 0);

INSERT INTO part_numbers (product_no, kind, key, shown, brand_id, note, feed_id)
SELECT row.product_no, row.number_kind, row.number_key, row.number_shown, brand.id, nullif(row.number_note, ''), job.feed_id
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
LEFT JOIN brands AS brand ON brand.name_key = row.number_brand_key
WHERE row.outcome = 'added'
ORDER BY row.line
ON CONFLICT (product_no, kind, key, coalesce(brand_id, 0)) DO NOTHING;

DELETE FROM part_numbers AS number
USING feed_job AS job JOIN feed_gone AS gone USING (group_key)
WHERE number.id = gone.no AND number.feed_id IS NOT NULL;

-- A product replaces those of its brand whose number it supersedes.
UPDATE products AS old SET replaced_by = new.id
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN products AS new ON new.no = row.product_no
JOIN part_numbers AS number ON number.kind = 1 AND number.key = row.number_key AND number.brand_id = new.brand_id
WHERE row.outcome = 'added' AND row.number_kind = 5 AND old.no = number.product_no AND old.id <> new.id
    AND old.replaced_by IS DISTINCT FROM new.id;
