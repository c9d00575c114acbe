-- Of each customer of a batch, whether they have ever paid for an order; those who have not, and whose unpaid orders
-- are limited, are locked, so that no other transaction places an order of theirs until this one ends. A customer whose
-- row somebody else holds is skipped.

WITH asked AS MATERIALIZED (
    SELECT account, is_limited,
        -- No EXISTS: Postgres might read every paid order at once.
        (SELECT true FROM orders WHERE buyer_id = account AND transaction_id IS NOT NULL LIMIT 1) IS NOT NULL
            AS has_paid
    FROM unnest((SELECT :customers), (SELECT :are_limited)) WITH ORDINALITY AS asked (account, is_limited, place)
    -- As in lock_products.sql.
    WHERE place BETWEEN 1 AND 1000
),
locked AS MATERIALIZED (
    SELECT id FROM accounts
    WHERE id = ANY (ARRAY (SELECT account FROM asked WHERE is_limited AND NOT has_paid))
    ORDER BY id
    FOR NO KEY UPDATE SKIP LOCKED
)
SELECT account, has_paid, locked.id IS NOT NULL AS is_locked FROM asked LEFT JOIN locked ON locked.id = account;
