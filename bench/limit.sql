-- The least that selling is: take the units if they are there, and write an order.
CREATE TABLE limit_products (id bigint PRIMARY KEY, available bigint NOT NULL);
CREATE TABLE limit_orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, product bigint NOT NULL, quantity int NOT NULL,
    body text NOT NULL, placed_at timestamptz NOT NULL);
INSERT INTO limit_products SELECT n, 2000000000000 FROM generate_series(1, 1000) n;
VACUUM ANALYZE limit_products;
