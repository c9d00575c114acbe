-- What was given up, by channel: an alert looks at each, however many of the other there are.
CREATE INDEX CONCURRENTLY outbox_dead_by_channel ON outbox (channel, id) WHERE state = 'dead';
