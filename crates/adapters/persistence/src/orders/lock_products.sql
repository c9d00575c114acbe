-- Locks the products of a batch of orders, and returns what each order is judged by: the product as it is now, the first
-- order under the same idempotency key, whether a checkout or a feed is under it, the fingerprint of the request that has claimed
-- the key or has a response under it, and the epoch of prices. A product that somebody else holds is skipped; it is then for sale, and not locked.

WITH asked AS MATERIALIZED (
    SELECT * FROM unnest((SELECT :customers), (SELECT :products), (SELECT :idempotency_keys)) WITH ORDINALITY
        AS asked (account, product, key, place)
    -- True of all; Postgres then expects few, and finds each row by its index, also while it takes the tables for small.
    WHERE place BETWEEN 1 AND 1000
),
locked AS MATERIALIZED (
    SELECT id, available, price_cents FROM products
    WHERE id IN (SELECT product FROM asked) AND archived_at IS NULL
    ORDER BY id
    FOR NO KEY UPDATE OF products SKIP LOCKED
)
SELECT first_order.id AS first_order, first_order.once_fingerprint AS first_fingerprint,
    first_checkout.id IS NOT NULL OR first_feed.id IS NOT NULL AS is_anothers,
    locked.available, locked.price_cents,
    locked.id IS NULL AND sold.id IS NOT NULL AS is_held,
    answers.fingerprint AS claimed_for, (SELECT epoch FROM price_epoch) AS epoch
FROM asked
LEFT JOIN locked ON locked.id = product
LEFT JOIN products AS sold ON sold.id = product AND sold.archived_at IS NULL
LEFT JOIN answers ON answers.key = asked.key
LEFT JOIN orders AS first_order ON first_order.buyer_id = account AND first_order.once_key = asked.key
LEFT JOIN checkouts AS first_checkout ON first_checkout.buyer_id = account AND first_checkout.once_key = asked.key
LEFT JOIN feeds AS first_feed ON first_feed.once_key = asked.key
ORDER BY place;
