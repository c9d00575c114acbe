DROP INDEX outbox_waiting;
