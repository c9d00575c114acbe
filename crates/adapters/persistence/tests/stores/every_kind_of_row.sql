-- What a shop with a paid order and a product in stock lacks of what the sentences of `testkit::invariants` are about. Written with
-- the triggers on, so that they write the rest: shipments, revenue, documents, deliveries.

INSERT INTO webhook_endpoints (id, url, topics, secret, created_at)
VALUES ('e0000000-0000-0000-0000-000000000001', 'https://erp.example.com/hook',
    '{order.ordered,order.paid,order.shipped,order.cancelled,order.refunded,checkout.placed,checkout.paid}', '\x010203', now());

-- The paid order: its payment is on record, it is shipped, and ten of its units came back.
INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended)
SELECT transaction_id, id, total_cents, placed_at, paid_at, 'settled' FROM orders WHERE payment_state = 'paid';

INSERT INTO order_events (id, order_id, seq, kind, data, at)
SELECT gen_random_uuid(), id, 3, 'shipped', '{"onAccount": false}', now() FROM orders WHERE payment_state = 'paid';
UPDATE orders SET fulfilment = 'shipped', shipped_at = now() WHERE payment_state = 'paid';

INSERT INTO refunds (id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, created_at, changed_at)
SELECT 'f0000000-0000-0000-0000-000000000001', id, transaction_id, 're_1', 10 * unit_price_cents, 'admin', 'succeeded', 1, now(), now()
FROM orders WHERE payment_state = 'paid';
INSERT INTO returns (id, order_id, reason, units, requested_at, state, decided_at, refund_id, refunded_cents, restocked)
SELECT 'd0000000-0000-0000-0000-000000000001', id, 'not_as_described', 10, now(), 'accepted', now(),
    'f0000000-0000-0000-0000-000000000001', 10 * unit_price_cents, true
FROM orders WHERE payment_state = 'paid';
INSERT INTO stock_ledger (product_id, delta, kind, return_id, at)
SELECT product_id, 10, 'returned', 'd0000000-0000-0000-0000-000000000001', now() FROM orders WHERE payment_state = 'paid';
UPDATE products SET available = available + 10 WHERE id = (SELECT product_id FROM orders WHERE payment_state = 'paid');
INSERT INTO order_events (id, order_id, seq, kind, data, at)
SELECT gen_random_uuid(), orders.id, seq, kind, '{"units": 10}', now()
FROM orders, (VALUES (4, 'return_requested'), (5, 'return_accepted'), (6, 'partly_refunded')) AS entries (seq, kind)
WHERE payment_state = 'paid';

-- A checkout of two lines, and an order by itself.
CREATE FUNCTION pg_temp.place(new_id uuid, of_checkout uuid, of_line smallint, freight bigint, tax bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    former orders%ROWTYPE;
BEGIN
    SELECT * INTO former FROM orders WHERE fulfilment = 'shipped';
    INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name,
        category, details, img, unit_price_cents, quantity, total_cents, placed_at, search_key, checkout_id, line,
        shipping_cents, tax_cents)
    VALUES (new_id, former.buyer_id, former.contact_name, former.contact_email, former.contact_phone,
        former.contact_address, former.product_id, former.product_name, former.category, former.details, former.img,
        former.unit_price_cents, former.quantity, former.total_cents, former.placed_at, 'an order', of_checkout, of_line,
        freight, tax);
    -- What was ordered is what the former order's timeline says.
    INSERT INTO order_events (id, order_id, seq, kind, data, at)
    SELECT gen_random_uuid(), new_id, 1, 'ordered', data, now() FROM order_events WHERE order_id = former.id AND kind = 'ordered';
    INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
    VALUES (former.product_id, -former.quantity, 'ordered', new_id, now());
    UPDATE products SET available = available - former.quantity WHERE id = former.product_id;
END
$$;

INSERT INTO checkouts (id, buyer_id, contact_name, contact_email, contact_phone, address, terms, goods_cents, shipping_cents,
    tax_cents, placed_at, search_key)
SELECT 'c0000000-0000-0000-0000-000000000001', buyer_id, contact_name, contact_email, contact_phone,
    '{"line1": "1 Workshop Lane", "city": "Dayton", "country": "US"}', 'card', 2 * total_cents, 3000, 1400, placed_at, 'a checkout'
FROM orders WHERE fulfilment = 'shipped';
SELECT pg_temp.place('a0000000-0000-0000-0000-000000000001', 'c0000000-0000-0000-0000-000000000001', 1::smallint, 1500, 700);
SELECT pg_temp.place('a0000000-0000-0000-0000-000000000002', 'c0000000-0000-0000-0000-000000000001', 2::smallint, 1500, 700);
SELECT pg_temp.place('a0000000-0000-0000-0000-000000000003', NULL, NULL, 0, 0);

-- One payment pays the checkout.
INSERT INTO payment_intents (id, checkout_id, amount_cents, opened_at, closed_at, ended)
SELECT 'pi_shared', id, goods_cents + shipping_cents + tax_cents, placed_at, now(), 'settled' FROM checkouts;
INSERT INTO payment_shares (intent_id, order_id, cents)
SELECT 'pi_shared', id, total_cents + shipping_cents + tax_cents FROM orders WHERE checkout_id IS NOT NULL;
UPDATE orders SET payment_state = 'paid', transaction_id = 'pi_shared', paid_at = now() WHERE checkout_id IS NOT NULL;
INSERT INTO order_events (id, order_id, seq, kind, data, at)
SELECT gen_random_uuid(), id, 2, 'paid', '{"transaction": "pi_shared"}', now() FROM orders WHERE checkout_id IS NOT NULL;

-- The order by itself is cancelled, and then its payment comes and goes back.
INSERT INTO order_events (id, order_id, seq, kind, data, at)
VALUES (gen_random_uuid(), 'a0000000-0000-0000-0000-000000000003', 2, 'cancelled', '{}', now());
INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
SELECT product_id, quantity, 'cancelled', id, now() FROM orders WHERE id = 'a0000000-0000-0000-0000-000000000003';
UPDATE products SET available = available + quantity
FROM orders WHERE products.id = product_id AND orders.id = 'a0000000-0000-0000-0000-000000000003';
UPDATE orders SET cancelled_at = now() WHERE id = 'a0000000-0000-0000-0000-000000000003';
INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended)
SELECT 'pi_late', id, total_cents, placed_at, now(), 'sent_back' FROM orders WHERE id = 'a0000000-0000-0000-0000-000000000003';
INSERT INTO refunds (id, order_id, payment_id, provider_refund_id, amount_cents, cause, state, attempt, created_at, changed_at)
SELECT 'f0000000-0000-0000-0000-000000000002', id, 'pi_late', 're_2', total_cents, 'late', 'succeeded', 1, now(), now()
FROM orders WHERE id = 'a0000000-0000-0000-0000-000000000003';
UPDATE orders SET payment_state = 'refunded', transaction_id = 'pi_late', refunded_at = now()
WHERE id = 'a0000000-0000-0000-0000-000000000003';
INSERT INTO order_events (id, order_id, seq, kind, data, at)
VALUES (gen_random_uuid(), 'a0000000-0000-0000-0000-000000000003', 3, 'refunded', '{"transaction": "pi_late"}', now());
