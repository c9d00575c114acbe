-- What each row does to a price: the list price of its product, a tier of the ladder for everybody, or a price of a list.
UPDATE feed_found AS row SET old_cents = CASE
    WHEN row.tier_from IS NULL THEN product.price_cents
    WHEN row.price_list_id IS NULL THEN (
        SELECT (tier ->> 'cents')::bigint FROM jsonb_array_elements(product.tiers) AS tier
        WHERE (tier ->> 'from')::bigint = row.tier_from)
    ELSE (
        SELECT unit_cents FROM prices
        WHERE list_id = row.price_list_id AND product_id = product.id AND min_quantity = row.tier_from)
    END
FROM products AS product
WHERE product.no = row.product_no AND NOT row.refused;

INSERT INTO feed_problems
WITH ladders AS (
    SELECT product_no, price_list_id, count(*) FILTER (WHERE old_cents IS NULL AND tier_cents > 0)
        - count(*) FILTER (WHERE old_cents IS NOT NULL AND tier_cents = 0) AS more
    FROM feed_found WHERE tier_from IS NOT NULL AND NOT refused
    GROUP BY product_no, price_list_id
),
too_long AS (
    SELECT product_no, price_list_id FROM ladders JOIN products AS product ON product.no = product_no
    WHERE more > 0 AND more + CASE
        WHEN price_list_id IS NULL THEN coalesce(jsonb_array_length(product.tiers), 0)
        ELSE (SELECT count(*) FROM prices WHERE list_id = price_list_id AND product_id = product.id) END > 20
)
SELECT row.line, 'from', 'invalid', 'The product would have more than 20 prices by quantity.'
FROM feed_found AS row JOIN too_long AS long
    ON long.product_no = row.product_no AND long.price_list_id IS NOT DISTINCT FROM row.price_list_id
WHERE row.old_cents IS NULL AND row.tier_cents > 0 AND NOT row.refused;

UPDATE feed_found AS row SET refused = true
FROM feed_problems AS problem WHERE problem.line = row.line AND NOT row.refused;

UPDATE feed_found SET outcome = CASE
    WHEN refused THEN 'refused'
    WHEN tier_from IS NULL THEN CASE WHEN price_cents <> old_cents THEN 'changed' ELSE 'same' END
    WHEN tier_cents IS NULL OR tier_cents = coalesce(old_cents, 0) THEN 'same'
    WHEN old_cents IS NULL THEN 'added'
    ELSE 'changed' END;

CREATE TEMPORARY TABLE feed_gone (no bigint, group_key text COLLATE "C");
