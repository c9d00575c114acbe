-- What has served: sessions, answers to repeated requests, sent e-mails and failed logins, :many of each and :attempts of the last, past
-- the time for which the shop keeps them.
SET session_replication_role = replica;
SET synchronous_commit = off;

INSERT INTO sessions (id, account_id, secret_hash, opened_at, expires_at, last_seen_at)
SELECT gen_random_uuid(), (SELECT id FROM accounts LIMIT 1), sha256(('session' || n)::bytea), now() - interval '40 days',
    now() - interval '30 days', now() - interval '31 days'
FROM generate_series(1, :many) n;

INSERT INTO answers (key, fingerprint, holder, claimed_at, sealed)
SELECT sha256(('answer' || n)::bytea), sha256('request'), gen_random_uuid(), now() - interval '2 days', 'an answer'
FROM generate_series(1, :many) n;

INSERT INTO outbox (channel, topic, email, created_at, due_at, attempts, state, sent_at)
SELECT 'mail', 'account.reset', 'buyer.' || n || '@example.com', now() - interval '41 days', now() - interval '41 days', 1, 'sent',
    now() - interval '40 days'
FROM generate_series(1, :many) n;

INSERT INTO login_guesses (email, from_address, at)
SELECT 'buyer.' || n || '@example.com', '192.0.2.1', now() - interval '2 days'
FROM generate_series(1, :attempts) n;

VACUUM ANALYZE sessions, answers, outbox, login_guesses;
