-- Whoever is no longer an admin is no longer sent what admins may read: their webhook subscriptions stop.
SET LOCAL lock_timeout = '500ms';

-- NULL for those that were added before anybody wrote it down.
ALTER TABLE webhook_endpoints ADD COLUMN added_by uuid;
ALTER TABLE webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_added_by_fkey FOREIGN KEY (added_by) REFERENCES accounts (id) NOT VALID;

-- A trigger, because roles are taken and accounts are removed in several places, by the command line too.
CREATE FUNCTION stop_webhooks_of_former_admin() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    WITH stopped AS (
        UPDATE webhook_endpoints
        SET disabled_at = now(), disabled_reason = 'The admin who added it is no longer an admin.'
        WHERE added_by = NEW.id AND disabled_at IS NULL AND removed_at IS NULL
        RETURNING id
    )
    INSERT INTO outbox (channel, topic, endpoint_id, email, created_at, due_at)
    SELECT 'mail', 'webhook.disabled', stopped.id, accounts.email, now(), now()
    FROM stopped CROSS JOIN accounts
    WHERE accounts.role = 'admin' AND accounts.removed_at IS NULL AND accounts.id <> NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER webhooks_stop_with_their_admin AFTER UPDATE OF role, removed_at ON accounts
    FOR EACH ROW WHEN (
        OLD.role = 'admin' AND OLD.removed_at IS NULL AND (NEW.role <> 'admin' OR NEW.removed_at IS NOT NULL)
    )
    EXECUTE FUNCTION stop_webhooks_of_former_admin();
