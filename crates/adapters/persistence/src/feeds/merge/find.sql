-- Finds the products of the rows, and what is wrong with them that a row alone does not tell.
ANALYZE pg_temp.feed_rows;

CREATE TEMPORARY TABLE feed_found AS
SELECT row.*, product.no AS product_no, coalesce(product.brand_id, brand.id) AS brand_id,
    coalesce(own.name_key, row.brand_key, '') COLLATE "C" AS group_key,
    product.archived_at IS NOT NULL AS is_archived, product.replaced_by IS NOT NULL AS is_replaced,
    CASE WHEN row.part_type_key = '' THEN 0 ELSE part_type.id END AS part_type_id,
    number_brand.id AS number_brand_id,
    list.id AS price_list_id, list.percent_bp IS NOT NULL AS is_percentage,
    -- What the row's price is now.
    NULL::bigint AS old_cents,
    NULL::text AS outcome
FROM feed_rows AS row
LEFT JOIN brands AS brand ON brand.name_key = row.brand_key
LEFT JOIN part_numbers AS number
    ON row.sent_id IS NULL AND number.kind = 1 AND number.brand_id = brand.id AND number.key = row.part_key
LEFT JOIN products AS by_id ON by_id.id = row.sent_id
LEFT JOIN products AS product ON product.no = coalesce(by_id.no, number.product_no)
LEFT JOIN brands AS own ON own.id = product.brand_id
LEFT JOIN (
    SELECT DISTINCT ON (key) key, id FROM (
        SELECT name_key AS key, id, 1 AS rank FROM part_types UNION ALL SELECT id::text, id, 2 FROM part_types
    ) AS named ORDER BY key, rank
) AS part_type ON part_type.key = row.part_type_key
LEFT JOIN brands AS number_brand ON number_brand.name_key = row.number_brand_key
LEFT JOIN price_lists AS list ON lower(list.name) = lower(row.price_list);
CREATE INDEX ON pg_temp.feed_found (product_no);
CREATE INDEX ON pg_temp.feed_found (group_key);
ANALYZE pg_temp.feed_found;

INSERT INTO feed_problems
SELECT line, '_id', 'unknown', 'No product has this id.'
FROM feed_found WHERE sent_id IS NOT NULL AND product_no IS NULL AND NOT refused;

INSERT INTO feed_problems
SELECT row.line, 'part_number', 'mismatch', 'The product with this id has another brand or number.'
FROM feed_found AS row JOIN products AS product ON product.no = row.product_no
WHERE row.sent_id IS NOT NULL AND NOT row.refused
    AND (row.brand_key <> row.group_key OR row.part_key IS DISTINCT FROM part_key(product.part_number) AND row.part_key IS NOT NULL);

INSERT INTO feed_problems
SELECT line, 'part_number', 'unknown', format('There is no %s %s here.', brand, part_number)
FROM feed_found, feed_job AS job
WHERE product_no IS NULL AND sent_id IS NULL AND part_key IS NOT NULL AND NOT refused
    AND (job.kind <> 'products' OR job.mode = 'update');

INSERT INTO feed_problems
SELECT line, 'part_number', 'archived',
    CASE WHEN is_replaced THEN 'This product was replaced by another.' ELSE 'This product is archived.' END
FROM feed_found, feed_job AS job
WHERE is_archived AND NOT refused AND (is_replaced OR job.kind <> 'products' OR job.mode = 'update');

INSERT INTO feed_problems
SELECT line, needed.field, 'required', needed.label || ' is required for a new product.'
FROM feed_found, feed_job AS job, LATERAL (VALUES
    ('name', 'Name', name IS NULL),
    ('description', 'Description', description IS NULL),
    ('category', 'Category', category IS NULL),
    ('price', 'Price', price_cents IS NULL),
    ('img', 'Image', img IS NULL)
) AS needed (field, label, is_missing)
WHERE product_no IS NULL AND sent_id IS NULL AND part_key IS NOT NULL AND NOT refused
    AND job.kind = 'products' AND job.mode <> 'update' AND needed.is_missing;

INSERT INTO feed_problems
SELECT line, 'partType', 'invalid', 'There is no such part type.'
FROM feed_found WHERE part_type_key IS NOT NULL AND part_type_id IS NULL AND NOT refused;

INSERT INTO feed_problems
SELECT row.line, 'addQty', 'invalid', 'That is more than can be in stock.'
FROM feed_found AS row JOIN products AS product ON product.no = row.product_no
WHERE row.arriving > 1000000000 - product.available AND NOT row.refused;

INSERT INTO feed_problems
SELECT row.line, 'number', 'invalid', 'A product cannot replace itself.'
FROM feed_found AS row JOIN products AS product ON product.no = row.product_no
WHERE row.number_kind = 5 AND row.number_key = part_key(product.part_number) AND NOT row.refused;

INSERT INTO feed_problems
SELECT line, 'list', CASE WHEN price_list_id IS NULL THEN 'unknown' ELSE 'invalid' END,
    CASE WHEN price_list_id IS NULL THEN format('There is no price list %s.', price_list)
        ELSE format('%s takes a percentage off and has no prices of its own.', price_list) END
FROM feed_found WHERE price_list IS NOT NULL AND (price_list_id IS NULL OR is_percentage) AND NOT refused;

-- Two rows of one key refuse each other, also if something else is wrong with one of them. A part fits many vehicles.
INSERT INTO feed_problems
WITH named AS (
    SELECT line, concat_ws(chr(1), coalesce(product_no::text, group_key || chr(2) || part_key),
        number_kind, number_key, number_brand_key, lower(price_list), tier_from) AS identity
    FROM feed_found
    WHERE coalesce(product_no::text, part_key) IS NOT NULL AND (SELECT kind FROM feed_job) <> 'fitment'
),
doubled AS (
    SELECT identity, (array_agg(line ORDER BY line))[1:2] AS lines FROM named GROUP BY identity HAVING count(*) > 1
)
SELECT line, CASE job.kind WHEN 'numbers' THEN 'number' ELSE 'part_number' END, 'duplicate',
    format('Line %s says something about the same %s.', CASE line WHEN lines[1] THEN lines[2] ELSE lines[1] END,
        CASE job.kind WHEN 'numbers' THEN 'number' ELSE 'product' END)
FROM named JOIN doubled USING (identity), feed_job AS job;

UPDATE feed_found AS row SET refused = true
FROM feed_problems AS problem
WHERE problem.line = row.line AND NOT row.refused AND problem.reason NOT IN (SELECT reason FROM feed_notices);
