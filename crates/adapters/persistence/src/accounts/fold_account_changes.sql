-- Sums up changes of accounts. Returns how many.

WITH taken AS (
    DELETE FROM account_changes
    WHERE id IN (SELECT id FROM account_changes ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING role, change
),
summed AS (
    INSERT INTO account_totals AS total (role, accounts)
    SELECT role, sum(change) FROM taken GROUP BY role ORDER BY role
    ON CONFLICT (role) DO UPDATE SET accounts = total.accounts + excluded.accounts
)
SELECT count(*) FROM taken;
