DROP TRIGGER account_changes_reach_totals ON accounts;
DROP TRIGGER accounts_reach_totals ON accounts;
DROP FUNCTION account_to_totals();
DROP TABLE account_changes, account_totals;
