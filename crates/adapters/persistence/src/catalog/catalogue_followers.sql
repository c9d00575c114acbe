-- The followers, the live one first. A position beyond the next transaction is one of another server, from whose backup this
-- database was restored: what changed since then is not known.
SELECT name, xact, seq, filled_to, live, compared_to,
    compared_at < clock_timestamp() - interval '1 day' AS compare_due,
    coalesce(xact <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint, true) AS continues,
    coalesce(xact <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint, false) AS may_fill
FROM catalogue_followers ORDER BY live DESC, made_at
