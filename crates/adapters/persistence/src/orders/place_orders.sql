-- Places a batch of orders, each of which has been judged while its product was locked: takes the units from stock, and
-- inserts the orders with the values that the store assigns, their first timeline entries, their ledger entries, and what
-- is to be sent about them. The same rows as those of place_order.sql. Returns how many orders it placed.

-- Every array stands in a SELECT of its own, here and in the other statements of batches. Postgres would otherwise count
-- its elements, find a plan for fewer than ten cheaper than one for any number, and make a new plan each time: that takes
-- longer than the statement.
--
-- The numbers and the times come from the database's sequence and clock; MATERIALIZED, so that each is computed once.
WITH asked AS MATERIALIZED (
    SELECT asked.*, nextval('order_numbers') AS number, clock_timestamp() + ttl AS until
    FROM (
        SELECT *, make_interval(secs => ttl_seconds) AS ttl
        FROM unnest(
            (SELECT :ids), (SELECT :customers), (SELECT :contact_names), (SELECT :contact_emails),
            (SELECT :contact_phones), (SELECT :contact_addresses), (SELECT :products), (SELECT :product_names),
            (SELECT :categories), (SELECT :details_of), (SELECT :imgs), (SELECT :part_numbers),
            (SELECT :unit_prices_cents), (SELECT :quantities), (SELECT :totals_cents), (SELECT :times_placed),
            (SELECT :ttls_seconds), (SELECT :idempotency_keys), (SELECT :request_fingerprints), (SELECT :search_keys),
            (SELECT :events), (SELECT :events_data), (SELECT :events_at), (SELECT :actor_ids), (SELECT :actor_emails)
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
    WHERE id = ANY ((SELECT :products_sold)::uuid[])
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
