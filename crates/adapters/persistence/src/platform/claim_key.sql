-- Claims an idempotency key that is free: unused, released, or abandoned without a response by the same request. The row
-- lock lets one of several concurrent requests win; the others see its claim and leave it alone.

INSERT INTO answers (key, fingerprint, holder, claimed_at, visitor)
VALUES (:key, :request_fingerprint, :holder, clock_timestamp(), :is_visitor)
ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, claimed_at = excluded.claimed_at
WHERE answers.sealed IS NULL AND answers.fingerprint = excluded.fingerprint
    AND (answers.holder = '00000000-0000-0000-0000-000000000000'
        OR answers.claimed_at < clock_timestamp() - :lease_ms * interval '1 millisecond');
