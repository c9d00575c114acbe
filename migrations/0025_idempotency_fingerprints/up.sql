-- Of which request an idempotency key is: the same key with another body is refused for as long as what the key made is
-- there. Null in rows that were written before, whose request nobody knows any more.
ALTER TABLE orders ADD COLUMN once_fingerprint bytea;
ALTER TABLE restockings ADD COLUMN once_fingerprint bytea;
ALTER TABLE products ADD COLUMN once_fingerprint bytea;
ALTER TABLE reviews ADD COLUMN once_fingerprint bytea;
ALTER TABLE imports ADD COLUMN once_fingerprint bytea;

-- A webhook subscription's secret is shown once, in an answer that may be lost: the same request again shows it again.
ALTER TABLE webhook_endpoints
    ADD COLUMN once_key bytea UNIQUE,
    ADD COLUMN once_fingerprint bytea;

-- Visitors' answers are remembered for a shorter time.
ALTER TABLE answers ADD COLUMN visitor boolean NOT NULL DEFAULT false;
CREATE INDEX answers_of_visitors ON answers (claimed_at) WHERE visitor;
