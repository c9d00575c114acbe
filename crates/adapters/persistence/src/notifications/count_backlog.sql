-- The states are literals, so that the planner uses the partial indexes with exactly these conditions.

SELECT channel, state, count(*) AS many FROM outbox WHERE state = 'waiting' GROUP BY channel, state
UNION ALL
SELECT channel, state, count(*) AS many FROM outbox WHERE state = 'dead' GROUP BY channel, state;
