DROP TRIGGER order_events_are_told_to_endpoints ON order_events;
DROP FUNCTION order_event_to_endpoints();
DELETE FROM outbox WHERE channel = 'webhook';
ALTER TABLE outbox DROP CONSTRAINT outbox_webhooks_have_an_endpoint, DROP COLUMN status_code, DROP COLUMN endpoint_id;
DROP TABLE webhook_endpoints;
