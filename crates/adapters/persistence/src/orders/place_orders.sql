-- Places a batch of orders, each of which has been judged while its product was locked: takes the units from stock, and
-- inserts the orders with the values that the store assigns, their first timeline entries, their ledger entries, and what
-- is to be sent about them. The same rows as those of place_order.sql. Returns how many orders it placed.

-- The numbers and the times come from the database's sequence and clock; MATERIALIZED, so that each is computed once.
WITH asked AS MATERIALIZED (
    SELECT asked.*, nextval('order_numbers') AS number, clock_timestamp() + ttl AS until
    FROM (
        SELECT *, make_interval(secs => ttl_seconds) AS ttl
        FROM unnest(
            :ids, :customers, :contact_names, :contact_emails, :contact_phones, :contact_addresses,
            :products, :product_names, :categories, :details_of, :imgs, :part_numbers,
            :unit_prices_cents, :quantities, :totals_cents, :times_placed, :ttls_seconds,
            :idempotency_keys, :request_fingerprints, :search_keys,
            :events, :events_data, :events_at, :actor_ids, :actor_emails
        ) WITH ORDINALITY AS asked (
            id, customer, contact_name, contact_email, contact_phone, contact_address,
            product, product_name, category, details, img, part_number,
            unit_price_cents, quantity, total_cents, placed_at, ttl_seconds,
            idempotency_key, request_fingerprint, search_key,
            event, event_data, event_at, actor_id, actor_email, place
        )
        ORDER BY place
    ) AS asked
),
taken AS (
    -- No join: for a few products, Postgres might read all of them.
    UPDATE products SET available = available - (:units_sold)[array_position(:products_sold, id)]
    WHERE id = ANY (:products_sold)
),
placed AS (
    INSERT INTO orders (
        id, number, buyer_id, contact_name, contact_email, contact_phone, contact_address,
        product_id, product_name, category, details, img, part_number, unit_price_cents, quantity, total_cents,
        placed_at, reserved_until, lapse_at, remind_at, once_key, once_fingerprint, search_key)
    SELECT
        id, number, customer, contact_name, contact_email, contact_phone, contact_address,
        product, product_name, category, details, img, part_number, unit_price_cents, quantity, total_cents,
        placed_at, until, until,
        -- The same times as in place_order.sql.
        CASE WHEN ttl >= interval '30 minutes' THEN until - least(ttl / 4, interval '4 hours') END,
        idempotency_key, request_fingerprint, search_key || number
    FROM asked
    RETURNING id
),
recorded AS (
    INSERT INTO order_events (order_id, seq, id, kind, data, actor_id, actor_email, at, in_outbox)
    SELECT id, 1, event, 'ordered', event_data || jsonb_build_object('number', number, 'reservedUntil', until),
        actor_id, actor_email, event_at, true
    FROM asked
),
-- The same rows as those of the triggers on order_events, which leave what is marked so alone.
mailed AS (
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.ordered', id, event, contact_email, event_at, event_at FROM asked
),
called AS (
    INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at)
    SELECT 'webhook', 'order.ordered', asked.id, event, webhook_endpoints.id, event_at, event_at
    FROM asked CROSS JOIN webhook_endpoints
    WHERE removed_at IS NULL AND disabled_at IS NULL AND 'order.ordered' = ANY (topics)
),
entered AS (
    INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, actor_email, at)
    SELECT product, -quantity, 'ordered', id, actor_id, actor_email, event_at FROM asked
)
SELECT count(*) FROM placed;
