-- How far the index behind searches is behind; without one, everything is.
WITH live AS (
    SELECT xact, seq FROM catalogue_followers WHERE live ORDER BY made_at DESC LIMIT 1
), missing AS (
    SELECT change.at FROM catalogue_changes AS change, live
    WHERE (change.xact, change.seq) > (live.xact, live.seq) LIMIT 10000
)
SELECT EXISTS (SELECT FROM live) AS live, count(*) AS changes,
    greatest(coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0), 0)::bigint AS seconds
FROM missing
