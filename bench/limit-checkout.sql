BEGIN;
UPDATE limit_products SET available = available - 50 WHERE id <= :lines AND available >= 50;
INSERT INTO limit_orders (product, quantity, body, placed_at)
SELECT product, 50, repeat('x', 300), now() FROM generate_series(1, :lines) AS product;
COMMIT;
