-- A catalogue of :products parts with their brands, types, numbers, attributes and vehicles, by the shop's own rules of what a
-- row looks like but past its triggers and foreign keys. Every part has four numbers and two attributes; nineteen of twenty fit
-- some :fits model years, of which a few are everybody's and most nobody's. :vehicles is a file with the vehicles' ids, models
-- together and year by year.

SET session_replication_role = replica;
SET synchronous_commit = off;
SET work_mem = '256MB';
SET maintenance_work_mem = '512MB';

-- An index that is made at the end is made in a tenth of the time.
CREATE TEMPORARY TABLE indexes AS
SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
WHERE indrelid = ANY (ARRAY['part_numbers', 'product_search', 'product_attributes', 'fitments']::regclass[]) AND NOT indisprimary;
SELECT 'DROP INDEX ' || name FROM indexes \gexec

CREATE TEMPORARY TABLE vehicles (rank bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id integer NOT NULL);
COPY vehicles (id) FROM :'vehicles';
ANALYZE vehicles;

INSERT INTO brands (name, name_key) SELECT 'Brand ' || n, 'brand ' || n FROM generate_series(1, 300) n;
INSERT INTO attributes (name, name_key, kind, unit)
VALUES ('Diameter', 'diameter', 'number', 'mm'), ('Finish', 'finish', 'words', NULL) ON CONFLICT DO NOTHING;

CREATE TEMPORARY TABLE kinds AS
SELECT row_number() OVER (ORDER BY part_type.id) - 1 AS place, part_type.* FROM part_types AS part_type;

INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at, name_key,
    search_key, once_key, part_number, brand_id, part_type_id, universal)
SELECT (lpad(to_hex(n), 8, '0') || left(md5('product'), 24))::uuid, named.name,
    'Machined and balanced; tested by the batch and packed in tens.',
    kind.category, '/pictures/brake-disc-640.webp', 500 + n * 7919 % 90000, 50, CASE WHEN n % 20 = 0 THEN 0 ELSE 1000000 END,
    now() - n * interval '1 min', lower(named.name), lower(named.name || ' ' || named.number), sha256(('part' || n)::bytea),
    named.number, brand.id, kind.id, n % 1000 = 0
FROM generate_series(1::bigint, :products) n
JOIN kinds AS kind ON kind.place = n * 31 % (SELECT count(*) FROM kinds)
JOIN brands AS brand ON brand.name_key = 'brand ' || (1 + floor(300 * power((n * 7919 % 1000003) / 1000003.0, 2)))::integer,
    LATERAL (SELECT 100 + n % 300 || ' mm ' || lower(kind.name) ||
        (ARRAY[', front', ', rear', ', left', ', right', ''])[1 + n % 5] || (ARRAY['', ' reinforced', ' coated'])[1 + n / 7 % 3]
        AS name, 'P' || to_char(n, 'FM0000000') || '-' || chr(65 + (n % 26)::integer) AS number) AS named;

ANALYZE products, brands, kinds;
INSERT INTO universal_products (product_no) SELECT no FROM products WHERE universal;

INSERT INTO part_numbers (product_no, kind, key, shown, brand_id)
SELECT no, kind, translate(shown, ' .-', ''), shown, CASE kind WHEN 1 THEN brand_id WHEN 3 THEN NULL ELSE 1 + (no + kind) % 300 END
FROM products, LATERAL (VALUES
    (1::smallint, part_number),
    (3::smallint, '4' || to_char(no, 'FM0000000') || '-' || upper(left(md5(no::text), 4))),
    (4::smallint, '09.' || chr(65 + no % 26) || to_char(no, 'FM0000000') || '.11'),
    (4::smallint, '0 986 ' || to_char(no, 'FM0000000') || ' B' || no % 90 + 10)
) AS number (kind, shown);

INSERT INTO product_attributes (product_no, attribute_id, place, number, words, words_key)
SELECT no, attribute.id, 1, CASE WHEN attribute.kind = 'number' THEN 1000 * (100 + no % 300) END,
    CASE WHEN attribute.kind = 'words' THEN (ARRAY['Coated', 'Bare', 'Painted'])[1 + no % 3] END,
    CASE WHEN attribute.kind = 'words' THEN (ARRAY['coated', 'bare', 'painted'])[1 + no % 3] END
FROM products JOIN attributes AS attribute ON attribute.name_key IN ('diameter', 'finish');

-- As write_search_documents() does, which reads each product's numbers by the index that comes at the end.
INSERT INTO product_search (product_no, brand_id, part_type_id, document)
SELECT product.no, product.brand_id, product.part_type_id,
    search_document(product.search_key, concat_ws(' ', brand.name_key, part_type.name_key), numbers.keys)
FROM products AS product
JOIN brands AS brand ON brand.id = product.brand_id
JOIN part_types AS part_type ON part_type.id = product.part_type_id
JOIN (SELECT product_no, string_agg(lower(key), ' ') AS keys FROM part_numbers GROUP BY product_no) AS numbers
    ON numbers.product_no = product.no
ORDER BY product.no;

-- Four runs of years each, begun more often where the ranks are low: number 20 has some fifty times as many parts as the last.
INSERT INTO fitment_sources (name, dated) VALUES ('Bench', current_date);
INSERT INTO fitments (vehicle_id, part_type_id, product_no, engine_id, condition_id, position, per_vehicle, source_id)
SELECT DISTINCT vehicle.id, product.part_type_id, product.no,
    CASE WHEN product.no % 5 = 0 THEN vehicle.id * 128 + 1 ELSE 0 END, 0, product.no % 3, 2, source.id
FROM fitment_sources AS source
CROSS JOIN products AS product
CROSS JOIN generate_series(1, 4) AS run
CROSS JOIN LATERAL (SELECT floor((SELECT count(*) FROM vehicles) * power(
        (hashint8(product.no::bigint * 4 + run) & 2147483647) / 2147483648::float8, 2.5::float8))::bigint AS first) AS begun
CROSS JOIN generate_series(1, :fits / 4) AS year
JOIN vehicles AS vehicle ON vehicle.rank = begun.first + year
WHERE source.name = 'Bench' AND product.no % 20 <> 7 AND NOT product.universal
ORDER BY 1, 2, 3;

INSERT INTO product_positions (product_no, positions)
SELECT product_no, bit_or(1 << position) FROM fitments WHERE position > 0 GROUP BY product_no ORDER BY product_no;

SELECT definition FROM indexes \gexec

RESET session_replication_role;
VACUUM ANALYZE;
