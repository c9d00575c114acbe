-- Deletes changes that every follower has.
DELETE FROM catalogue_changes AS change USING (
    SELECT xact, seq FROM catalogue_changes
    WHERE xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        AND NOT EXISTS (
            SELECT FROM catalogue_followers AS follower
            WHERE follower.xact IS NULL OR (follower.xact, follower.seq) < (catalogue_changes.xact, catalogue_changes.seq))
    ORDER BY xact, seq LIMIT :limit
) AS done
WHERE change.xact = done.xact AND change.seq = done.seq
