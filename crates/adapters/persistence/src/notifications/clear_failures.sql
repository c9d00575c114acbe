-- Clears a subscription's failures and, if asked, also enables it again.

UPDATE webhook_endpoints SET
    failures = 0,
    failing_since = NULL,
    next_try_at = NULL,
    disabled_at = CASE WHEN :enables THEN NULL ELSE disabled_at END,
    disabled_reason = CASE WHEN :enables THEN NULL ELSE disabled_reason END
WHERE id = :subscription AND removed_at IS NULL;
