-- Checkouts whose freight an admin has to say, however many others there are.
CREATE INDEX CONCURRENTLY checkouts_waiting ON checkouts (id) WHERE shipping_cents IS NULL;
