\set product random(1, :products)
BEGIN;
UPDATE limit_products SET available = available - 50 WHERE id = :product AND available >= 50;
INSERT INTO limit_orders (product, quantity, body, placed_at) VALUES (:product, 50, repeat('x', 300), now());
COMMIT;
