-- Places the orders of a batch that nothing stands in the way of, and returns their places in the batch: takes the units
-- from stock, and inserts the orders with the values that the store assigns, their first timeline entries, their ledger
-- entries, and what is to be sent about them. The same rows as those of place_order.sql.
--
-- An order is left alone, and judged by itself afterwards, if its product is archived, locked by somebody else, has
-- another price, or has not enough units for all orders of the batch; if its idempotency key is known or claimed; or if
-- its customer is held to a limit of unpaid orders. Orders that have been judged, while their accounts and products
-- are locked, pass these checks.

-- Every array stands in a SELECT of its own, here and in the other statements of batches. Postgres would otherwise count
-- its elements, find a plan for fewer than ten cheaper than one for any number, and make a new plan each time: that takes
-- longer than the statement.
WITH sent AS MATERIALIZED (
    SELECT *
    FROM unnest(
        (SELECT :ids), (SELECT :customers), (SELECT :contact_names), (SELECT :contact_emails),
        (SELECT :contact_phones), (SELECT :contact_addresses), (SELECT :products), (SELECT :product_names),
        (SELECT :categories), (SELECT :details_of), (SELECT :imgs), (SELECT :part_numbers),
        (SELECT :unit_prices_cents), (SELECT :list_prices_cents), (SELECT :price_epochs), (SELECT :quantities), (SELECT :totals_cents), (SELECT :times_placed),
        (SELECT :are_limited), (SELECT :are_above_card_max), (SELECT :ttls_seconds), (SELECT :new_account_ttls_seconds),
        (SELECT :idempotency_keys), (SELECT :request_fingerprints), (SELECT :are_claimed), (SELECT :search_keys),
        (SELECT :events), (SELECT :events_data), (SELECT :events_at), (SELECT :actor_ids), (SELECT :actor_emails)
    ) WITH ORDINALITY AS sent (
        id, customer, contact_name, contact_email, contact_phone, contact_address,
        product, product_name, category, details, img, part_number,
        unit_price_cents, list_price_cents, price_epoch, quantity, total_cents, placed_at,
        is_limited, is_above_card_max, ttl_seconds, new_account_ttl_seconds,
        idempotency_key, request_fingerprint, is_claimed, search_key,
        event, event_data, event_at, actor_id, actor_email, place
    )
    -- As in lock_products.sql.
    WHERE place BETWEEN 1 AND 1000
),
payers AS MATERIALIZED (
    -- All orders of a checkout have one customer, who is looked up once. No EXISTS: Postgres might read every paid order at once.
    SELECT customer FROM (SELECT DISTINCT customer FROM sent) AS customers
    WHERE (SELECT true FROM orders WHERE buyer_id = customer AND transaction_id IS NOT NULL LIMIT 1) IS NOT NULL
),
asked AS MATERIALIZED (
    -- IS TRUE keeps Postgres from making a join of it: expecting few rows, it would compare each with each.
    SELECT *, (customer IN (SELECT customer FROM payers)) IS TRUE AS has_paid FROM sent
),
unhindered AS MATERIALIZED (
    SELECT * FROM asked
    WHERE :are_judged OR (
        (has_paid OR NOT is_limited)
        AND (SELECT true FROM orders WHERE buyer_id = customer AND once_key = idempotency_key LIMIT 1) IS NULL
        AND (SELECT true FROM checkouts WHERE buyer_id = customer AND once_key = idempotency_key LIMIT 1) IS NULL
        AND (SELECT true FROM feeds WHERE once_key = idempotency_key LIMIT 1) IS NULL
        AND (is_claimed OR (SELECT true FROM answers WHERE key = idempotency_key LIMIT 1) IS NULL)
        AND price_epoch = (SELECT epoch FROM price_epoch)
    )
),
wanted AS MATERIALIZED (
    SELECT product, sum(quantity) AS units, min(list_price_cents) AS lowest_cents, max(list_price_cents) AS highest_cents
    FROM unhindered GROUP BY product
),
locked AS MATERIALIZED (
    SELECT id, available, price_cents FROM products
    WHERE id = ANY (ARRAY (SELECT product FROM wanted)) AND archived_at IS NULL
    -- As all others do, and without waiting.
    ORDER BY id
    FOR NO KEY UPDATE OF products SKIP LOCKED
),
sold AS MATERIALIZED (
    SELECT id, units::integer FROM locked JOIN wanted ON product = id
    WHERE available >= units AND price_cents = lowest_cents AND price_cents = highest_cents
),
sums AS MATERIALIZED (
    SELECT array_agg(id) AS ids, array_agg(units) AS units FROM sold
),
taken AS (
    -- No join: for a few products, Postgres might read all of them.
    UPDATE products
    SET available = available - (SELECT units FROM sums)[array_position((SELECT ids FROM sums), products.id)]
    WHERE id = ANY ((SELECT ids FROM sums)::uuid[])
),
-- The numbers and the times come from the database's sequence and clock; MATERIALIZED, so that each is computed once.
accepted AS MATERIALIZED (
    SELECT accepted.*, nextval('order_numbers') AS number, clock_timestamp() + ttl AS until
    FROM (
        SELECT unhindered.*, purchase.*,
            make_interval(secs => CASE WHEN has_paid OR is_above_card_max
                THEN ttl_seconds ELSE new_account_ttl_seconds END) AS ttl
        FROM unhindered CROSS JOIN LATERAL (
            -- As the first event has it.
            SELECT (event_data #>> '{item,purchase,checkout}')::uuid AS checkout,
                (event_data #>> '{item,purchase,line}')::smallint AS line,
                coalesce((event_data #>> '{item,purchase,charges,shippingCents}')::bigint, 0) AS shipping_cents,
                coalesce((event_data #>> '{item,purchase,charges,taxCents}')::bigint, 0) AS tax_cents,
                event_data #> '{item,purchase,charges}' IS NULL AS awaits_freight,
                event_data #>> '{item,purchase,poNumber}' AS po_number
        ) AS purchase
        -- No join, for the same reason.
        WHERE (product IN (SELECT id FROM sold)) IS TRUE
        ORDER BY place
    ) AS accepted
),
placed AS (
    INSERT INTO orders (
        id, number, buyer_id, contact_name, contact_email, contact_phone, contact_address,
        product_id, product_name, category, details, img, part_number, unit_price_cents, quantity, total_cents,
        placed_at, reserved_until, lapse_at, remind_at, once_key, once_fingerprint, search_key, vehicle,
        checkout_id, line, shipping_cents, tax_cents, awaits_freight, po_number)
    SELECT
        id, number, customer, contact_name, contact_email, contact_phone, contact_address,
        product, product_name, category, details, img, part_number, unit_price_cents, quantity, total_cents,
        placed_at, until, until,
        -- The same times as in place_order.sql.
        -- Of a checkout's orders, one reminds of all.
        CASE WHEN ttl >= interval '30 minutes' AND (checkout IS NULL OR place = 1)
            THEN until - least(ttl / 4, interval '4 hours') END,
        idempotency_key, request_fingerprint, search_key || number, event_data #> '{item,vehicle}',
        checkout, line, shipping_cents, tax_cents, checkout IS NOT NULL AND awaits_freight, po_number
    FROM accepted
),
recorded AS (
    INSERT INTO order_events (order_id, seq, id, kind, data, actor_id, actor_email, at, in_outbox)
    SELECT id, 1, event, 'ordered', event_data || jsonb_build_object('number', number, 'reservedUntil', until),
        actor_id, actor_email, event_at, true
    FROM accepted
),
-- The same rows as those of the triggers on order_events, which leave what is marked so alone.
mailed AS (
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.ordered', id, event, contact_email, event_at, event_at
    -- A checkout has one confirmation of all its orders.
    FROM accepted WHERE checkout IS NULL OR place = 1
),
called AS (
    INSERT INTO outbox (channel, topic, order_id, event_id, endpoint_id, created_at, due_at)
    SELECT 'webhook', 'order.ordered', accepted.id, event, webhook_endpoints.id, event_at, event_at
    FROM accepted CROSS JOIN webhook_endpoints
    WHERE removed_at IS NULL AND disabled_at IS NULL AND 'order.ordered' = ANY (topics)
),
entered AS (
    INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, actor_email, at)
    SELECT product, -quantity, 'ordered', id, actor_id, actor_email, event_at FROM accepted
)
SELECT place FROM accepted ORDER BY place;
