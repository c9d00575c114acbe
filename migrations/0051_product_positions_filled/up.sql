-- The positions of the fitments that are there. A step of its own, because it reads all of them and the one before holds the
-- table. Those that come meanwhile are noted by their triggers.
INSERT INTO product_positions AS placed (product_no, positions)
SELECT product_no, bit_or(1 << position) FROM fitments WHERE position > 0 GROUP BY product_no ORDER BY product_no
ON CONFLICT (product_no) DO UPDATE SET positions = placed.positions | excluded.positions;

ANALYZE product_positions;
