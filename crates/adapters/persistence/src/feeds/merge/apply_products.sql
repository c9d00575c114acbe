-- Applies the rows of one brand. First the locks, in the order in which everybody takes them.
SELECT FROM products
WHERE no IN (
    SELECT product_no FROM feed_found JOIN feed_job USING (group_key)
    WHERE outcome = 'changed' OR outcome = 'added' AND product_no IS NOT NULL
    UNION
    SELECT no FROM feed_gone JOIN feed_job USING (group_key)
)
ORDER BY id FOR NO KEY UPDATE;

INSERT INTO stock_ledger (product_id, delta, kind, actor_id, actor_email, at)
SELECT product.id, coalesce(row.available, product.available + row.arriving) - product.available,
    CASE WHEN row.available IS NULL THEN 'received' ELSE 'counted' END, job.actor_id, job.actor_email, now()
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN products AS product ON product.no = row.product_no
WHERE row.outcome IN ('added', 'changed') AND coalesce(row.available, product.available + row.arriving) <> product.available;

-- As deliveries and new prices are entered one by one.
INSERT INTO restockings (product_id, arriving, price_cents, actor_id, actor_email, at)
SELECT product.id, coalesce(row.arriving, 0), coalesce(row.price_cents, product.price_cents), job.actor_id, job.actor_email, now()
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN products AS product ON product.no = row.product_no
WHERE row.outcome IN ('added', 'changed') AND (row.arriving > 0 OR row.price_cents <> product.price_cents);

UPDATE products AS product SET
    description = coalesce(row.description, product.description),
    img = coalesce(row.img, product.img),
    price_cents = coalesce(row.price_cents, product.price_cents),
    available = coalesce(row.available, product.available + coalesce(row.arriving, 0)),
    min_order = coalesce(row.min_order, product.min_order),
    universal = coalesce(row.universal, product.universal),
    pack_size = coalesce(row.pack_size, product.pack_size),
    weight_grams = nullif(coalesce(row.weight_grams, product.weight_grams), 0),
    length_mm = nullif(coalesce(row.length_mm, product.length_mm), 0),
    width_mm = nullif(coalesce(row.width_mm, product.width_mm), 0),
    height_mm = nullif(coalesce(row.height_mm, product.height_mm), 0),
    archived_at = NULL, archived_by = NULL, archived_by_email = NULL
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
WHERE product.no = row.product_no AND row.outcome IN ('added', 'changed');

-- Apart, because the words by which a product is found are written anew.
UPDATE products AS product SET
    name = coalesce(row.name, product.name),
    name_key = coalesce(row.name_key, product.name_key),
    category = coalesce(row.category, product.category),
    part_type_id = nullif(coalesce(row.part_type_id, product.part_type_id), 0),
    search_key = concat(coalesce(row.name_key, split_part(product.search_key, chr(1), 1)), chr(1),
        coalesce(row.category_key, split_part(product.search_key, chr(1), 2)), chr(1),
        split_part(product.search_key, chr(1), 3))
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
WHERE product.no = row.product_no AND row.outcome IN ('added', 'changed')
    AND (row.name <> product.name OR row.category <> product.category
        OR row.part_type_id IS DISTINCT FROM coalesce(product.part_type_id, 0) AND row.part_type_id IS NOT NULL);

INSERT INTO brands (name, name_key)
SELECT DISTINCT ON (row.brand_key) row.brand, row.brand_key
FROM feed_job AS job JOIN feed_found AS row USING (group_key)
WHERE row.outcome = 'added' AND row.product_no IS NULL
ORDER BY row.brand_key, row.line
ON CONFLICT (name_key) DO NOTHING;

INSERT INTO products (id, name, description, part_number, category, img, price_cents, min_order, available, created_at,
    name_key, search_key, brand_id, part_type_id, universal, pack_size, weight_grams, length_mm, width_mm, height_mm)
SELECT row.fresh_id, row.name, row.description, row.part_number, row.category, row.img, row.price_cents,
    coalesce(row.min_order, 50), coalesce(row.available, 0), now(), row.name_key, row.search_key, brand.id,
    nullif(row.part_type_id, 0), coalesce(row.universal, false), coalesce(row.pack_size, 1), nullif(row.weight_grams, 0),
    nullif(row.length_mm, 0), nullif(row.width_mm, 0), nullif(row.height_mm, 0)
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN brands AS brand ON brand.name_key = row.brand_key
WHERE row.outcome = 'added' AND row.product_no IS NULL
ORDER BY row.line;

INSERT INTO stock_ledger (product_id, delta, kind, actor_id, actor_email, at)
SELECT row.fresh_id, row.available, 'received', job.actor_id, job.actor_email, now()
FROM feed_job AS job JOIN feed_found AS row USING (group_key)
WHERE row.outcome = 'added' AND row.product_no IS NULL AND row.available > 0;

UPDATE products SET archived_at = now(), archived_by = job.actor_id, archived_by_email = job.actor_email
FROM feed_job AS job JOIN feed_gone AS gone USING (group_key)
WHERE products.no = gone.no AND products.archived_at IS NULL;
