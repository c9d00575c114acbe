-- The states are literals, so that the planner uses the partial indexes with exactly these conditions. Ids are given in order,
-- so that the oldest entry is found in the index that is counted.

SELECT waiting.channel, 'waiting' AS state, waiting.many,
    greatest(extract(epoch FROM now() - oldest.created_at), 0)::bigint AS seconds
FROM (
    SELECT channel, count(*) AS many, min(id) AS first FROM outbox WHERE state = 'waiting' GROUP BY channel
) AS waiting
JOIN outbox AS oldest ON oldest.id = waiting.first
UNION ALL
SELECT channel, state, count(*) AS many, 0::bigint AS seconds FROM outbox WHERE state = 'dead' GROUP BY channel, state;
