-- How many accounts there are, of a role or of any.

SELECT
    (SELECT coalesce(sum(accounts), 0) FROM account_totals WHERE :role IS NULL OR role = :role)::bigint
    + (SELECT coalesce(sum(change), 0) FROM account_changes WHERE :role IS NULL OR role = :role)::bigint;
