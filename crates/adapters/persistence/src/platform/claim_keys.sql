-- Claims a batch of idempotency keys, each under another key, by the rules of look_up_key.sql and claim_key.sql.
-- Returns of each claim, in their order: whether another request has the key, the response, whether the same request is
-- running, and whether the key was claimed. None of the four: another transaction claimed it a moment ago.

WITH asked AS MATERIALIZED (
    SELECT *
    FROM unnest(
            (SELECT :keys), (SELECT :request_fingerprints), (SELECT :callers), (SELECT :holders),
            (SELECT :are_visitors), (SELECT :leases_ms)
        ) WITH ORDINALITY
        AS asked (key, fingerprint, caller, holder, is_visitor, lease_ms, place)
    -- As in lock_products.sql.
    WHERE place BETWEEN 1 AND 1000
),
known AS MATERIALIZED (
    SELECT asked.*, answers.sealed,
        coalesce(
            answers.holder <> '00000000-0000-0000-0000-000000000000'
                AND answers.claimed_at >= clock_timestamp() - interval '1 millisecond' * lease_ms,
            false
        ) AS is_running,
        coalesce(answers.fingerprint <> asked.fingerprint, false) OR coalesce((
            SELECT bool_or(once_fingerprint <> asked.fingerprint) FROM (
                SELECT once_fingerprint FROM orders WHERE buyer_id = caller AND once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM checkouts WHERE buyer_id = caller AND once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM restockings WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM products WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM reviews WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM imports WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM webhook_endpoints WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM notes WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM garage WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM lists WHERE once_key = asked.key
                UNION ALL SELECT once_fingerprint FROM addresses WHERE once_key = asked.key
                -- The one request that claims no key: whoever claims that of a feed is another.
                UNION ALL SELECT '' FROM feeds WHERE once_key = asked.key
            ) AS made
        ), false) AS is_mismatch
    FROM asked LEFT JOIN answers ON answers.key = asked.key
),
claimed AS (
    INSERT INTO answers (key, fingerprint, holder, claimed_at, visitor)
    SELECT key, fingerprint, holder, clock_timestamp(), is_visitor
    FROM known
    -- For this transaction only. Whatever the request commits is written after its claim, and forces the claim to disk
    -- with it: a claim that a crash of the server undoes is one of a request that did nothing.
    CROSS JOIN (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried
    WHERE NOT is_mismatch AND sealed IS NULL AND NOT is_running
    -- Always in this order: two batches do not wait for each other.
    ORDER BY key
    ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, claimed_at = excluded.claimed_at
    WHERE answers.sealed IS NULL AND answers.fingerprint = excluded.fingerprint
        AND (answers.holder = '00000000-0000-0000-0000-000000000000'
            OR answers.claimed_at < clock_timestamp()
                - (SELECT lease_ms FROM asked WHERE asked.key = excluded.key) * interval '1 millisecond')
    RETURNING key
)
SELECT is_mismatch, sealed, is_running, claimed.key IS NOT NULL AS is_claimed
FROM known LEFT JOIN claimed ON claimed.key = known.key
ORDER BY place;
