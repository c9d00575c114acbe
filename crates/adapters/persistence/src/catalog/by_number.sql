-- The products that these numbers lead to: 1 their own, 2 GTIN, 3 of a part that they replace, 4 another's. `brand_keys` and
-- `branded_keys` are pairs, of a brand and a number of it.
WITH RECURSIVE named AS (
    SELECT number.id FROM part_numbers AS number WHERE number.key = ANY (:part_keys::text[])
    UNION
    SELECT number.id
    FROM unnest(:brand_keys::text[], :branded_keys::text[]) AS pair (brand, key)
    JOIN brands AS brand ON brand.name_key = pair.brand
    JOIN part_numbers AS number ON number.key = pair.key AND number.brand_id = brand.id
), hits AS (
    SELECT product.id, product.no, product.archived_at, product.replaced_by, number.kind, number.shown, brand.name AS brand,
        number.since, 0 AS steps,
        CASE number.kind WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 5 THEN 3 ELSE 4 END AS tier
    FROM named
    JOIN part_numbers AS number ON number.id = named.id
    JOIN products AS product ON product.no = number.product_no
    LEFT JOIN brands AS brand ON brand.id = number.brand_id
    UNION ALL
    SELECT next.id, next.no, next.archived_at, next.replaced_by, 5::smallint, hits.shown, hits.brand,
        CASE hits.kind WHEN 5 THEN hits.since END, hits.steps + 1, 3
    FROM hits
    JOIN products AS next ON next.id = hits.replaced_by
    WHERE hits.tier IN (1, 3) AND hits.steps < 8
), best AS (
    SELECT DISTINCT ON (no) id, no, kind, shown, brand, since, tier FROM hits
    WHERE (archived_at IS NOT NULL) = :archived
    ORDER BY no, tier, steps, kind, shown
)
SELECT id, no, kind, shown, brand, since, tier FROM best ORDER BY tier, no DESC LIMIT 100
