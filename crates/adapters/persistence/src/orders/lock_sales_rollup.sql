-- As lock_rollup.sql, for the rollups of sales.

SELECT folded_to,
    CASE WHEN horizon <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint THEN next_to END AS ready_to,
    next_to IS NOT NULL AND horizon < pg_current_xact_id()::text::bigint AS has_target,
    pg_current_xact_id()::text::bigint AS this_transaction
FROM sales_rollups WHERE name = :rollup
FOR UPDATE SKIP LOCKED;
