-- Adds a webhook subscription if there are fewer than the limit; the caller has locked the table.

INSERT INTO webhook_endpoints (id, added_by, url, topics, secret, created_at, once_key, once_fingerprint)
SELECT :id, :added_by, :url, :topics, :secret, :created_at, :idempotency_key, :request_fingerprint
WHERE (SELECT count(*) FROM webhook_endpoints WHERE removed_at IS NULL) < :limit;
