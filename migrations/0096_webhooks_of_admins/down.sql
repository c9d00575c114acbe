DROP TRIGGER webhooks_stop_with_their_admin ON accounts;
DROP FUNCTION stop_webhooks_of_former_admin();
ALTER TABLE webhook_endpoints DROP COLUMN added_by;
