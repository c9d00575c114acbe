-- What waits, the oldest first: its age is measured and it is counted every few seconds, by each copy of the program.
CREATE INDEX CONCURRENTLY outbox_waiting ON outbox (channel, id) WHERE state = 'waiting';
