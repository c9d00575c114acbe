-- What fits a vehicle is found by product numbers: thousands of products are sorted by their age without reading them.
CREATE UNIQUE INDEX CONCURRENTLY products_by_no ON products (no) INCLUDE (id, created_at) WHERE archived_at IS NULL;
