-- The changes after a position whose transactions are over, and before every one that is not: of those below the oldest that
-- still runs, nothing can appear any more.
SELECT xact, seq, product_no FROM catalogue_changes
WHERE (xact, seq) > (:xact, :seq) AND xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
ORDER BY xact, seq LIMIT :limit
