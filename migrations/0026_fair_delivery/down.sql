DROP TRIGGER outbox_keeps_one_waiting_email ON outbox;
DROP FUNCTION one_waiting_email();
DROP INDEX outbox_waiting_for, outbox_due_by_endpoint, outbox_due_by_topic;
DELETE FROM outbox WHERE channel = 'mail' AND endpoint_id IS NOT NULL;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_webhooks_have_an_endpoint,
    ADD CONSTRAINT outbox_webhooks_have_an_endpoint CHECK ((channel = 'webhook') = (endpoint_id IS NOT NULL));
ALTER TABLE webhook_endpoints
    DROP COLUMN disabled_reason, DROP COLUMN next_try_at, DROP COLUMN failing_since, DROP COLUMN failures;
