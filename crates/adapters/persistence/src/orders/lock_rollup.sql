-- Takes a rollup for this transaction, unless another one has it. Returns how far it is, and whether its target may be
-- folded in: every transaction has ended that could still show a number up to there. A horizon beyond the transaction's own
-- id is one of another server, from whose backup this database was restored.

SELECT folded_to,
    CASE WHEN horizon <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint THEN next_to END AS ready_to,
    next_to IS NOT NULL AND horizon < pg_current_xact_id()::text::bigint AS has_target,
    pg_current_xact_id()::text::bigint AS this_transaction
FROM rollups WHERE name = :rollup
FOR UPDATE SKIP LOCKED;
