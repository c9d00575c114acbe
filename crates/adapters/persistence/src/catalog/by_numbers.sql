-- The products that each of these numbers leads to, by the number's place: 1 their own, 2 GTIN, 3 of a part that they replace, 4
-- another's; those for sale first, at most ten each. `brand_keys` and `branded_keys` are pairs, of a brand and a number of it, and
-- belong to `branded_places`.
WITH RECURSIVE named AS (
    SELECT asked.place, number.id
    FROM unnest(:places::int4[], :part_keys::text[]) AS asked (place, key)
    JOIN part_numbers AS number ON number.key = asked.key
    UNION
    SELECT pair.place, number.id
    FROM unnest(:branded_places::int4[], :brand_keys::text[], :branded_keys::text[]) AS pair (place, brand, key)
    JOIN brands AS brand ON brand.name_key = pair.brand
    JOIN part_numbers AS number ON number.key = pair.key AND number.brand_id = brand.id
), hits AS (
    SELECT named.place, product.id, product.no, product.archived_at, product.replaced_by, number.kind, number.shown,
        brand.name AS brand, number.since, 0 AS steps,
        CASE number.kind WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 5 THEN 3 ELSE 4 END AS tier
    FROM named
    JOIN part_numbers AS number ON number.id = named.id
    JOIN products AS product ON product.no = number.product_no
    LEFT JOIN brands AS brand ON brand.id = number.brand_id
    UNION ALL
    SELECT hits.place, next.id, next.no, next.archived_at, next.replaced_by, 5::smallint, hits.shown, hits.brand,
        CASE hits.kind WHEN 5 THEN hits.since END, hits.steps + 1, 3
    FROM hits
    JOIN products AS next ON next.id = hits.replaced_by
    WHERE hits.tier IN (1, 2, 3) AND hits.steps < 8
), best AS (
    SELECT DISTINCT ON (place, no) place, id, no, kind, shown, brand, since, tier, archived_at IS NOT NULL AS is_archived
    FROM hits
    ORDER BY place, no, tier, steps, kind, shown
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY place ORDER BY is_archived, tier, no DESC) AS nth FROM best
)
SELECT place, id, kind, shown, brand, since, tier, is_archived FROM ranked WHERE nth <= 10 ORDER BY place, nth
