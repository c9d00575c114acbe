-- Of each of these accounts, how many unpaid orders it has, and whether one of them is above the largest card payment.
-- The same orders as in within_unpaid_limit.sql. The caller has locked the accounts by an earlier statement.

SELECT account, count(id) AS unpaid, coalesce(bool_or(total_cents > :card_max_cents), false) AS has_large
FROM (
    SELECT account FROM unnest((SELECT :customers)) WITH ORDINALITY AS asked (account, place)
    -- As in lock_products.sql.
    WHERE place BETWEEN 1 AND 1000
) AS asked
LEFT JOIN orders ON buyer_id = account
    -- A checkout is limited by itself.
    AND payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND checkout_id IS NULL
GROUP BY account;
