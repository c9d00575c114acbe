-- A shop of :products products, :accounts accounts and :orders orders, by the shop's own rules of what a row looks like but
-- past its triggers and foreign keys. Of a hundred orders 2 are unpaid, 4 cancelled, 4 paid and waiting, 90 shipped.

SET session_replication_role = replica;
SET synchronous_commit = off;

CREATE FUNCTION pg_temp.of(kind text, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql
    RETURN (lpad(to_hex(n), 8, '0') || left(md5(kind), 24))::uuid;

INSERT INTO accounts (id, email, display_name, role, created_at, search_key)
SELECT pg_temp.of('account', n), 'buyer.' || n || '@example.com', 'Buyer ' || n, 'customer', now(), 'buyer ' || n
FROM generate_series(1, :accounts) n;

INSERT INTO customer_totals (account_id) SELECT id FROM accounts ON CONFLICT DO NOTHING;

INSERT INTO account_totals AS total (role, accounts) VALUES ('customer', :accounts)
ON CONFLICT (role) DO UPDATE SET accounts = total.accounts + excluded.accounts;

INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at, name_key,
    search_key, once_key, part_number)
SELECT pg_temp.of('product', n), kind || ' ' || n,
    'Cast, machined and balanced; tested by the batch and packed in tens. Replaces the part of the same number.',
    (ARRAY['BRAKES', 'REPLACEMENT PARTS', 'BATTERIES', 'TIRES'])[1 + n % 4], '/pictures/brake-disc-640.webp',
    500 + n * 7 % 90000, 50, CASE WHEN n % 20 = 0 THEN 0 ELSE 1000000000 END, now() - n * interval '1 min',
    lower(kind) || ' ' || n, lower(kind) || ' ' || n || ' dl-' || n, sha256(('product' || n)::bytea), 'DL-' || n
FROM generate_series(1, :products) n,
    LATERAL (SELECT (ARRAY['Vented disc', 'Oil filter', 'Starter battery', 'Wheel bearing', 'Timing belt'])[1 + n % 5] AS kind)
        AS kinds;

INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name,
    category, details, img, unit_price_cents, quantity, total_cents, placed_at, once_key, search_key, payment_state,
    transaction_id, paid_at, refunded_at, fulfilment, shipped_at, cancelled_at, reserved_until, lapse_at, next_audit_at)
SELECT pg_temp.of('order', n), pg_temp.of('account', 1 + n % :accounts), 'Buyer', 'buyer@example.com', '+1 555 0100', '1 Road',
    pg_temp.of('product', 1 + n % :products), 'Vented disc', 'BRAKES', 'A part', '/pictures/brake-disc-640.webp', 500, 50,
    25000, placed, sha256(('order' || n)::bytea), 'buyer buyer@example.com vented disc ' || n,
    CASE WHEN n % 100 < 5 THEN 'unpaid' WHEN n % 100 = 5 THEN 'refunded' ELSE 'paid' END,
    CASE WHEN n % 100 >= 5 THEN 'pi-' || n END,
    CASE WHEN n % 100 > 5 THEN placed END,
    CASE WHEN n % 100 = 5 THEN placed END,
    CASE WHEN n % 100 >= 10 THEN 'shipped' ELSE 'pending' END,
    CASE WHEN n % 100 >= 10 THEN placed END,
    CASE WHEN n % 100 IN (2, 3, 4, 5) THEN placed END,
    now() + interval '1 day', now() + interval '1 day', now() + interval '1 day'
FROM generate_series(1, :orders) n, LATERAL (SELECT now() - n * interval '1 min' AS placed) AS times;

INSERT INTO order_events (id, order_id, seq, kind, data, at)
SELECT pg_temp.of('event', n), pg_temp.of('order', n), 1, 'ordered', '{}', now() - n * interval '1 min'
FROM generate_series(1, :orders) n;

INSERT INTO reviews (id, account_id, name, details, rating, created_at, once_key)
SELECT pg_temp.of('review', n), pg_temp.of('account', n), 'Buyer ' || n, 'Arrived in time, fits, and was well packed.', 5,
    now() - n * interval '1 hour', sha256(('review' || n)::bytea)
FROM generate_series(1, least(:accounts, 500)) n;

RESET session_replication_role;
VACUUM ANALYZE;
