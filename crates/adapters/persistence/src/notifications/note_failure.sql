-- Counts a failed delivery of a subscription. From the given number of failures on, it is tried again only after a
-- pause. Returns whether it has failed so often, and whether it has failed for too long.

UPDATE webhook_endpoints SET
    failures = failures + 1,
    failing_since = coalesce(failing_since, now()),
    next_try_at = CASE WHEN failures + 1 >= :opens_after
        THEN clock_timestamp() + :probe_every_ms * interval '1 millisecond' ELSE next_try_at
    END
WHERE id = :subscription AND removed_at IS NULL AND disabled_at IS NULL
RETURNING
    failures >= :opens_after AS lasting,
    failing_since < now() - :gives_up_after_ms * interval '1 millisecond' AS hopeless;
