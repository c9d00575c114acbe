-- Folds the revenue ledger's entries up to `fold_to` into their days.

WITH entered AS (
    SELECT (at AT TIME ZONE 'UTC')::date AS day,
        coalesce(sum(cents) FILTER (WHERE kind = 'payment'), 0) AS paid,
        coalesce(-sum(cents) FILTER (WHERE kind <> 'payment'), 0) AS returned
    FROM revenue_ledger WHERE id > :folded_to AND id <= :fold_to
    GROUP BY 1
),
by_day AS (
    INSERT INTO revenue_days AS total (day, paid, returned)
    SELECT day, paid, returned FROM entered
    ON CONFLICT (day) DO UPDATE SET paid = total.paid + excluded.paid, returned = total.returned + excluded.returned
)
UPDATE rollups SET folded_to = :fold_to WHERE name = 'revenue';
