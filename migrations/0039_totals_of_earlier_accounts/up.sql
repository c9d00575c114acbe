-- The accounts that there were before the trigger, which nobody has to wait for: it takes seconds for a million.
INSERT INTO customer_totals (account_id) SELECT id FROM accounts ORDER BY id ON CONFLICT DO NOTHING;
