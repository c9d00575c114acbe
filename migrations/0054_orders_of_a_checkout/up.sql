-- The orders of a checkout, by their lines.
CREATE UNIQUE INDEX CONCURRENTLY orders_lines ON orders (checkout_id, line) WHERE checkout_id IS NOT NULL;
