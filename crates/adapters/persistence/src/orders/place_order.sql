-- Places an order: all of it or nothing, in one round trip.
--
-- Takes the units from stock if there are enough, the price rests on what is still true and the product is for sale; then inserts
-- the order with the values that the store assigns, its first timeline entry and its ledger entry. Returns the order's
-- id; or no row, and nothing is done, also if the customer has used the idempotency key before or has too many unpaid
-- orders.
--
-- The count of unpaid orders is only right if no other order of the customer is being placed at the same time: the
-- caller locks the customer's account.

WITH taken AS (
    UPDATE products SET available = available - :quantity
    WHERE id = :product AND available >= :quantity AND price_cents = :list_price_cents AND archived_at IS NULL
        AND (SELECT epoch FROM price_epoch) = :price_epoch
        AND NOT EXISTS (SELECT FROM orders WHERE buyer_id = :customer AND once_key = :idempotency_key)
        AND NOT EXISTS (SELECT FROM checkouts WHERE buyer_id = :customer AND once_key = :idempotency_key)
        AND NOT EXISTS (SELECT FROM feeds WHERE once_key = :idempotency_key)
        -- The same condition as in within_unpaid_limit.sql.
        AND (:unpaid_limit IS NULL OR (
            (SELECT count(*) FROM orders
                WHERE buyer_id = :customer
                    AND payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND checkout_id IS NULL) < :unpaid_limit
            AND NOT (:is_above_card_max AND EXISTS (
                SELECT FROM orders
                WHERE buyer_id = :customer
                    AND payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND checkout_id IS NULL
                    AND total_cents > :card_max_cents))
        ))
    RETURNING id
),
-- The number and the times come from the database's sequence and clock; MATERIALIZED, so that each is computed once. A
-- new account, which has never paid, gets the shorter reservation, unless no card can be charged with the total.
assigned AS MATERIALIZED (
    SELECT id AS product_id, nextval('order_numbers') AS number, clock_timestamp() AS now,
        make_interval(secs => CASE
            WHEN :is_above_card_max
                OR EXISTS (SELECT FROM orders WHERE buyer_id = :customer AND transaction_id IS NOT NULL)
            THEN :usual_ttl_seconds
            ELSE :new_account_ttl_seconds
        END) AS ttl
    FROM taken
),
placed AS (
    INSERT INTO orders (
        id, number, buyer_id, contact_name, contact_email, contact_phone, contact_address,
        product_id, product_name, category, details, img, part_number, unit_price_cents, quantity, total_cents,
        placed_at, reserved_until, lapse_at, remind_at, once_key, once_fingerprint, search_key, vehicle, po_number)
    SELECT
        :id, number, :customer, :contact_name, :contact_email, :contact_phone, :contact_address,
        product_id, :product_name, :category, :details, :img, :part_number, :unit_price_cents, :quantity, :total_cents,
        :placed_at, now + ttl, now + ttl,
        -- A reminder is due when a quarter of the reservation is left, but at most four hours before it expires; a
        -- reservation of less than half an hour is too short for one.
        CASE WHEN ttl >= interval '30 minutes' THEN now + ttl - least(ttl / 4, interval '4 hours') END,
        -- The number is searched as well, and only the database knows it.
        :idempotency_key, :request_fingerprint, :search_key || number,
        -- As the first event has it.
        :event_data #> '{item,vehicle}', :event_data #>> '{item,purchase,poNumber}'
    FROM assigned
    RETURNING id, product_id, quantity, number, reserved_until
),
recorded AS (
    INSERT INTO order_events (order_id, seq, id, kind, data, actor_id, actor_email, at)
    SELECT id, 1, :event, :event_kind,
        :event_data || jsonb_build_object('number', number, 'reservedUntil', reserved_until),
        :actor_id, :actor_email, :event_at
    FROM placed
),
entered AS (
    INSERT INTO stock_ledger (product_id, delta, kind, order_id, actor_id, actor_email, at)
    SELECT product_id, -quantity, 'ordered', id, :actor_id, :actor_email, :event_at FROM placed
)
SELECT id FROM placed;
