-- What is stored under an idempotency key: the request that is running or has a response, and what was created under
-- it. A released key has the nil holder. Refunds and stock corrections are left out: each looks its own key up in the
-- transaction that creates it.

SELECT fingerprint, sealed,
    holder <> '00000000-0000-0000-0000-000000000000'
        AND claimed_at >= clock_timestamp() - interval '1 millisecond' * :lease_ms AS alive
FROM answers WHERE key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM orders WHERE buyer_id = :caller AND once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM checkouts WHERE buyer_id = :caller AND once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM restockings WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM products WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM reviews WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM imports WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM webhook_endpoints WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM notes WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM garage WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM lists WHERE once_key = :key
UNION ALL SELECT once_fingerprint, NULL, false FROM addresses WHERE once_key = :key
-- The one request that claims no key: whoever claims that of a feed is another.
UNION ALL SELECT '', NULL, false FROM feeds WHERE once_key = :key;
