-- The states are literals, so that the planner uses the partial indexes with exactly these conditions. Without a limit a shop whose
-- e-mail server has been away for a day would count for longer each time.

SELECT kinds.channel, part.state, part.many,
    greatest(extract(epoch FROM now() - oldest.created_at), 0)::bigint AS seconds
FROM (VALUES ('mail'), ('webhook')) AS kinds (channel)
CROSS JOIN LATERAL (
    SELECT 'waiting' AS state, count(*) AS many, min(waiting.id) AS first
    FROM (
        SELECT outbox.id FROM outbox
        WHERE outbox.state = 'waiting' AND outbox.channel = kinds.channel
        ORDER BY outbox.id
        LIMIT :limit
    ) AS waiting
    UNION ALL
    SELECT 'dead' AS state, count(*) AS many, min(dead.id) AS first
    FROM (
        SELECT outbox.id FROM outbox
        WHERE outbox.state = 'dead' AND outbox.channel = kinds.channel
        ORDER BY outbox.id
        LIMIT :limit
    ) AS dead
) AS part
JOIN outbox AS oldest ON oldest.id = part.first;
