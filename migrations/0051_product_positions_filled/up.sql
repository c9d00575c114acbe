-- The positions of the fitments that are there. A step of its own, because it reads all of them and the one before holds the
-- table. Fitments wait meanwhile, because one that is removed would be counted: its trigger finds no row yet. They are read.
SET LOCAL lock_timeout = '500ms';
-- lint: only admins and feeds change fitments, and no order does.
LOCK TABLE fitments IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO product_positions AS placed (product_no, positions)
SELECT product_no, bit_or(1 << position) FROM fitments WHERE position > 0 GROUP BY product_no ORDER BY product_no
ON CONFLICT (product_no) DO UPDATE SET positions = placed.positions | excluded.positions;

ANALYZE product_positions;
