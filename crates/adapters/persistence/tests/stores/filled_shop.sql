-- A shop after some years: 20,000 products, 50,000 orders. Of a hundred orders 2 are unpaid, 3 cancelled before they were
-- paid, 1 cancelled and refunded, 4 paid and waiting, and 90 shipped. Written past triggers and foreign keys; the ids
-- grow, as those of the shop do.

SET session_replication_role = replica;

CREATE FUNCTION pg_temp.of(kind text, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql
    RETURN (lpad(to_hex(n), 8, '0') || left(md5(kind), 24))::uuid;

INSERT INTO accounts (id, email, display_name, role, created_at, search_key)
SELECT pg_temp.of('account', n), 'a' || n || '@example.com', 'A', 'customer', now(), 'a'
FROM generate_series(1, 10000) n;

INSERT INTO profiles (account_id, lives_in, saved_at)
SELECT pg_temp.of('account', n), 'Graz', now() FROM generate_series(1, 5000) n;

INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at, name_key,
    search_key, once_key)
SELECT pg_temp.of('product', n), 'Part ' || n, 'A part', 'BRAKES', '/p.jpg', 500 + n, 50, 1000,
    now() - n * interval '1 min', 'part ' || n, 'part ' || n, sha256(('product' || n)::bytea)
FROM generate_series(1, 20000) n;

INSERT INTO brands (name, name_key) SELECT 'Brand ' || n, 'brand ' || n FROM generate_series(1, 3000) n;

INSERT INTO part_numbers (product_no, kind, key, shown, brand_id)
SELECT no, kind, 'DL' || no || kind, 'DL-' || no || '-' || kind, 1 + no % 3000
FROM products CROSS JOIN generate_series(1, 4) kind;

INSERT INTO product_search (product_no, part_type_id, document) SELECT no, 90001 + no % 100, ' part ' || no || ' brakes dl' || no FROM products;

INSERT INTO part_types (id, name, name_key, category)
SELECT 90000 + n, 'Type ' || n, 'type ' || n, 'BRAKES' FROM generate_series(1, 100) n;

INSERT INTO fitment_sources (name, dated, by_hand) SELECT 'List ' || n, current_date - n, n % 2 = 0 FROM generate_series(1, 20) n;

INSERT INTO conditions (body) SELECT 'version ' || n FROM generate_series(1, 5000) n;

INSERT INTO fitments (vehicle_id, part_type_id, product_no, engine_id, condition_id, position, per_vehicle, source_id)
SELECT 1 + (hashint4(no * 20 + nth) & 2147483647) % 2000, 90001 + no % 100, no,
    CASE nth % 4 WHEN 1 THEN 1 + (no + nth) % 3 ELSE 0 END, CASE nth % 5 WHEN 2 THEN 1 + no % 5000 ELSE 0 END, no % 5, 1,
    1 + no % 20
FROM products CROSS JOIN generate_series(1, 20) nth
ON CONFLICT DO NOTHING;

INSERT INTO product_positions (product_no, positions)
SELECT product_no, bit_or(1 << position) FROM fitments WHERE position > 0 GROUP BY product_no;

INSERT INTO universal_products (product_no) SELECT no FROM products WHERE no % 500 = 0;

INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name,
    category, details, img, unit_price_cents, quantity, total_cents, placed_at, once_key, search_key, payment_state,
    transaction_id, paid_at, refunded_at, fulfilment, shipped_at, cancelled_at, reserved_until, lapse_at, next_audit_at)
SELECT pg_temp.of('order', n), pg_temp.of('account', n % 10000), 'A', 'a@example.com', '1', 'B',
    pg_temp.of('product', n % 20000), 'Part', 'BRAKES', 'A part', '/p.jpg', 100, 50, 5000, placed,
    sha256(('order' || n)::bytea), 'part ' || n,
    CASE WHEN n % 100 < 5 THEN 'unpaid' WHEN n % 100 = 5 THEN 'refunded' ELSE 'paid' END,
    CASE WHEN n % 100 >= 5 THEN 'pi-' || n END,
    CASE WHEN n % 100 > 5 THEN placed END,
    CASE WHEN n % 100 = 5 THEN placed END,
    CASE WHEN n % 100 >= 10 THEN 'shipped' ELSE 'pending' END,
    CASE WHEN n % 100 >= 10 THEN placed END,
    CASE WHEN n % 100 IN (2, 3, 4, 5) THEN placed END,
    placed + interval '1 day', placed + interval '1 day',
    now() + interval '1 day'
FROM generate_series(1, 50000) n, LATERAL (SELECT now() - n * interval '20 min' AS placed) AS times;

INSERT INTO order_events (id, order_id, seq, kind, data, at)
SELECT pg_temp.of('event' || seq, n), pg_temp.of('order', n), seq, CASE seq WHEN 1 THEN 'ordered' ELSE 'paid' END, '{}',
    now() - n * interval '20 min'
FROM generate_series(1, 2) seq, generate_series(1, CASE seq WHEN 1 THEN 50000 ELSE 5000 END) n;

INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
SELECT pg_temp.of('product', n % 20000), -50, 'ordered', pg_temp.of('order', n), now() FROM generate_series(1, 20000) n;

INSERT INTO restockings (product_id, arriving, price_cents, at, once_key)
SELECT pg_temp.of('product', n), 50, 500, now(), sha256(('restocking' || n)::bytea) FROM generate_series(1, 10000) n;

INSERT INTO stock_corrections (product_id, delta, reason, at, once_key)
SELECT pg_temp.of('product', n), 1, 'found', now(), sha256(('correction' || n)::bytea) FROM generate_series(1, 10000) n;

INSERT INTO checkouts (id, buyer_id, contact_name, contact_email, contact_phone, address, terms, goods_cents, shipping_cents, tax_cents, placed_at,
    search_key)
SELECT pg_temp.of('checkout', n), pg_temp.of('account', 1 + n % 10000), 'Somebody', 'somebody@example.com', '555 0100', '{}', 'card', 5000, 0, 0, now(), 'p-' || n
FROM generate_series(1, 10000) n;

INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended, next_look_at)
SELECT 'pi-' || n, pg_temp.of('order', n), 5000, now(), CASE WHEN n % 100 >= 2 THEN now() END,
    CASE WHEN n % 100 >= 2 THEN 'settled' END, now() + interval '1 hour'
FROM generate_series(1, 50000) n;

INSERT INTO revenue_ledger (order_id, kind, cents, at)
SELECT pg_temp.of('order', n), 'payment', 5000, now() - n * interval '20 min' FROM generate_series(1, 30000) n;

INSERT INTO refunds (id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, created_at,
    changed_at)
SELECT pg_temp.of('refund', n), pg_temp.of('order', n), 'pi-' || n, 're-' || n, 5000, 'called_off', 'succeeded', 1, now(),
    now()
FROM generate_series(1, 20000) n;

INSERT INTO returns (id, order_id, reason, units, requested_at, state, decided_at, answer)
SELECT pg_temp.of('return', n), pg_temp.of('order', n), 'damaged', 5, now(), 'declined', now(), 'No.'
FROM generate_series(1, 10000) n;

INSERT INTO disputes (id, order_id, payment_id, amount_cents, state, opened_at, changed_at)
SELECT 'dp-' || n, pg_temp.of('order', n), 'pi-' || n, 5000, 'won', now(), now() FROM generate_series(1, 10000) n;

INSERT INTO webhook_endpoints (id, url, topics, secret, created_at, once_key)
SELECT pg_temp.of('subscription', n), 'https://erp.example.com/' || n, '{order.paid}', 'sealed', now(),
    sha256(('subscription' || n)::bytea)
FROM generate_series(1, 20) n;

INSERT INTO outbox (channel, topic, email, created_at, due_at, state, sent_at)
SELECT 'mail', 'account.verify', 'a' || n % 10000 || '@example.com', now(), now(), 'sent', now() - n * interval '1 min'
FROM generate_series(1, 50000) n;

INSERT INTO outbox (channel, topic, email, created_at, due_at, state, last_error)
SELECT 'mail', 'account.reset', 'a' || n || '@example.com', now(), now(), 'dead', 'refused' FROM generate_series(1, 500) n;

INSERT INTO outbox (channel, topic, email, created_at, due_at)
SELECT 'mail', 'account.reset', 'a' || n || '@example.com', now(), now() + n % 10 * interval '1 min'
FROM generate_series(1, 300) n;

INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at)
SELECT 'webhook', 'order.paid', pg_temp.of('order', n), pg_temp.of('event2', n), pg_temp.of('subscription', 1 + n % 20),
    now(), now() + n % 10 * interval '1 min'
FROM generate_series(1, 2000) n;

INSERT INTO sessions (id, account_id, secret_hash, opened_at, expires_at)
SELECT pg_temp.of('session', n), pg_temp.of('account', n % 10000), sha256(n::text::bytea), now(), now() + interval '1 hour'
FROM generate_series(1, 10000) n;

INSERT INTO login_guesses (email, from_address, at, device)
SELECT 'a' || n || '@example.com', '2001:db8:' || to_hex(n) || '::/64', now(),
    CASE WHEN n % 2 = 0 THEN substr(sha256(n::text::bytea), 1, 16) END
FROM generate_series(1, 10000) n;

INSERT INTO rate_limits (client, limited, spent_until)
SELECT '2001:db8:' || to_hex(n) || '::/64', 'emails', now() + n % 10 * interval '1 min' FROM generate_series(1, 10000) n;

INSERT INTO reviews (id, account_id, name, details, rating, created_at, once_key)
SELECT pg_temp.of('review', n), pg_temp.of('account', n), 'A', 'B', 5, now(), sha256(('review' || n)::bytea)
FROM generate_series(1, 5000) n;

INSERT INTO imports (added, left_out, at, once_key)
SELECT 1, '{}', now(), sha256(('import' || n)::bytea) FROM generate_series(1, 2000) n;

INSERT INTO notes (id, account_id, author_id, author_email, text, created_at, once_key, once_fingerprint)
SELECT pg_temp.of('note', n), pg_temp.of('account', n), pg_temp.of('account', n), 'a@example.com', 'A', now(),
    sha256(('note' || n)::bytea), sha256('a')
FROM generate_series(1, 5000) n;

INSERT INTO garage (id, account_id, vehicle_id, added_at, once_key, once_fingerprint)
SELECT pg_temp.of('vehicle', n), pg_temp.of('account', n), 1, now(), sha256(('vehicle' || n)::bytea), sha256('a')
FROM generate_series(1, 5000) n;

INSERT INTO lists (id, account_id, name, lines, changed_at, once_key, once_fingerprint)
SELECT pg_temp.of('list', n), pg_temp.of('account', n), 'A', '[]', now(), sha256(('list' || n)::bytea), sha256('a')
FROM generate_series(1, 5000) n;

INSERT INTO addresses (id, account_id, name, address, is_default, added_at, once_key, once_fingerprint)
SELECT pg_temp.of('address', n), pg_temp.of('account', n), 'A', '{}', false, now(), sha256(('address' || n)::bytea), sha256('a')
FROM generate_series(1, 5000) n;

INSERT INTO feeds (kind, mode, state, dry_run, once_key)
SELECT 'stock', 'update', 'cancelled', true, sha256(('feed' || n)::bytea) FROM generate_series(1, 5000) n;

INSERT INTO answers (key, fingerprint, holder, claimed_at)
SELECT sha256(('answer' || n)::bytea), sha256('a'), pg_temp.of('holder', n), now() - n * interval '1 min'
FROM generate_series(1, 10000) n;

INSERT INTO order_days (day, orders) SELECT current_date - n, 70 FROM generate_series(0, 700) n;

INSERT INTO revenue_days (day, paid, returned) SELECT current_date - n, 350000, 0 FROM generate_series(0, 700) n;

INSERT INTO placed_days (day, placed, paid) SELECT current_date - n, 72, 70 FROM generate_series(0, 700) n;

INSERT INTO product_sales (day, product_id, orders, units, cents)
SELECT current_date - n, pg_temp.of('product', (n * 70 + of_day) % 20000), 1, 50, 5000
FROM generate_series(0, 700) n, generate_series(1, 70) of_day;

INSERT INTO customer_sales (day, account_id, orders, cents)
SELECT current_date - n, pg_temp.of('account', (n * 70 + of_day) % 10000), 1, 5000
FROM generate_series(0, 700) n, generate_series(1, 70) of_day;

INSERT INTO customer_totals (account_id, orders, spent_cents) SELECT id, 5, 25000 FROM accounts;

INSERT INTO part_types (name, name_key, category) SELECT 'Kind ' || n, 'kind ' || n, 'BRAKES' FROM generate_series(1, 3000) n;

INSERT INTO attributes (name, name_key, kind) SELECT 'Attribute ' || n, 'attribute ' || n, 'number' FROM generate_series(1, 2000) n;

INSERT INTO product_attributes (product_no, attribute_id, place, number)
SELECT no, 1 + (no + of_product * 500) % 2000, of_product, no FROM products, generate_series(0, 3) AS of_product;

INSERT INTO catalogue_followers (name, xact, seq, filled_to, live) VALUES ('parts-1', 900, 19000, NULL, true);

INSERT INTO catalogue_changes (xact, product_no) SELECT n / 20, 1 + n % 20000 FROM generate_series(1, 20000) n;

RESET session_replication_role;
ANALYZE;
