DROP TRIGGER order_events_are_told ON order_events;
DROP FUNCTION order_event_to_outbox();
DROP TABLE outbox;
