-- Applies the prices of one brand's products. First the locks, in the order in which everybody takes them.
SELECT FROM products
WHERE no IN (SELECT product_no FROM feed_found JOIN feed_job USING (group_key) WHERE outcome IN ('added', 'changed'))
ORDER BY id FOR NO KEY UPDATE;

SELECT FROM price_lists
WHERE id IN (SELECT price_list_id FROM feed_found JOIN feed_job USING (group_key) WHERE outcome IN ('added', 'changed'))
ORDER BY id FOR UPDATE;

-- As new prices are entered one by one.
INSERT INTO restockings (product_id, arriving, price_cents, actor_id, actor_email, at)
SELECT product.id, 0, row.price_cents, job.actor_id, job.actor_email, now()
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN products AS product ON product.no = row.product_no
WHERE row.outcome = 'changed' AND row.tier_from IS NULL AND row.price_cents <> product.price_cents;

UPDATE products AS product SET price_cents = row.price_cents
FROM feed_job AS job JOIN feed_found AS row USING (group_key)
WHERE product.no = row.product_no AND row.outcome = 'changed' AND row.tier_from IS NULL;

UPDATE products AS product SET tiers = (
    SELECT jsonb_agg(jsonb_build_object('from', units, 'cents', cents) ORDER BY units)
    FROM (
        SELECT (tier ->> 'from')::bigint AS units, (tier ->> 'cents')::bigint AS cents
        FROM jsonb_array_elements(product.tiers) AS tier
        WHERE NOT EXISTS (
            SELECT FROM feed_found AS row
            WHERE row.product_no = product.no AND row.price_list_id IS NULL AND row.outcome IN ('added', 'changed')
                AND row.tier_from = (tier ->> 'from')::bigint)
        UNION ALL
        SELECT row.tier_from, row.tier_cents FROM feed_found AS row
        WHERE row.product_no = product.no AND row.price_list_id IS NULL AND row.outcome IN ('added', 'changed')
            AND row.tier_cents > 0
    ) AS tiers
)
WHERE product.no IN (
    SELECT row.product_no FROM feed_job AS job JOIN feed_found AS row USING (group_key)
    WHERE row.outcome IN ('added', 'changed') AND row.tier_from IS NOT NULL AND row.price_list_id IS NULL
);

DELETE FROM prices
USING feed_job AS job JOIN feed_found AS row USING (group_key) JOIN products AS product ON product.no = row.product_no
WHERE row.outcome = 'changed' AND row.tier_cents = 0 AND prices.list_id = row.price_list_id
    AND prices.product_id = product.id AND prices.min_quantity = row.tier_from;

-- Of lists that are still there.
INSERT INTO prices AS price (list_id, product_id, min_quantity, unit_cents)
SELECT list.id, product.id, row.tier_from, row.tier_cents
FROM feed_job AS job
JOIN feed_found AS row USING (group_key)
JOIN products AS product ON product.no = row.product_no
JOIN price_lists AS list ON list.id = row.price_list_id
WHERE row.outcome IN ('added', 'changed') AND row.tier_cents > 0
ON CONFLICT (list_id, product_id, min_quantity) DO UPDATE SET unit_cents = excluded.unit_cents;
