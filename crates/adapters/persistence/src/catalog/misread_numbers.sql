-- The products for sale whose numbers are each of these but for signs that are often misread, by the number's place; at most three
-- each. For databases without trigrams.
SELECT asked.place, close.id
FROM unnest(:places::int4[], :part_keys::text[]) AS asked (place, key)
CROSS JOIN LATERAL (
    SELECT DISTINCT product.id
    FROM part_numbers AS number
    JOIN products AS product ON product.no = number.product_no
    WHERE number.loose = part_loose(asked.key) AND number.kind <> 6 AND product.archived_at IS NULL
    ORDER BY product.id
    LIMIT 3
) AS close
ORDER BY asked.place, close.id
