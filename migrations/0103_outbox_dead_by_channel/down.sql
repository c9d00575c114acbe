DROP INDEX outbox_dead_by_channel;
