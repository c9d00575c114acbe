-- The products for sale whose numbers are closest to each of these, by the number's place: the same but for signs that are often
-- misread, or similar; at most three each.
SELECT asked.place, close.id
FROM unnest(:places::int4[], :part_keys::text[]) AS asked (place, key)
CROSS JOIN LATERAL (
    SELECT product.id, max(number.near) AS near
    FROM (
        (SELECT number.product_no, 1.0::real AS near FROM part_numbers AS number
            WHERE number.loose = part_loose(asked.key) AND number.kind <> 6 LIMIT 10)
        UNION ALL
        (SELECT number.product_no, similarity(number.key, asked.key) AS near FROM part_numbers AS number
            WHERE number.key % asked.key AND number.kind <> 6
            ORDER BY similarity(number.key, asked.key) DESC, number.product_no LIMIT 10)
    ) AS number
    JOIN products AS product ON product.no = number.product_no
    WHERE product.archived_at IS NULL
    GROUP BY product.id
    ORDER BY near DESC, product.id
    LIMIT 3
) AS close
ORDER BY asked.place, close.near DESC, close.id
