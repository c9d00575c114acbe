-- The states are literals, so that the planner uses the partial indexes with exactly these conditions. Without a limit a shop whose
-- e-mail server has been away for a day would count for longer each time.

SELECT kinds.channel, 'waiting' AS state, waiting.many,
    greatest(extract(epoch FROM now() - oldest.created_at), 0)::bigint AS seconds
FROM (VALUES ('mail'), ('webhook')) AS kinds (channel)
CROSS JOIN LATERAL (
    SELECT count(*) AS many, min(part.id) AS first
    FROM (
        SELECT outbox.id FROM outbox
        WHERE outbox.state = 'waiting' AND outbox.channel = kinds.channel
        ORDER BY outbox.id
        LIMIT :limit
    ) AS part
) AS waiting
JOIN outbox AS oldest ON oldest.id = waiting.first
UNION ALL
SELECT part.channel, 'dead' AS state, count(*) AS many, 0::bigint AS seconds
FROM (SELECT channel FROM outbox WHERE state = 'dead' ORDER BY id DESC LIMIT :limit) AS part
GROUP BY part.channel;
