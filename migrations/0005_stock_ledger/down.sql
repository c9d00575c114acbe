DROP VIEW stock_drift;
DROP TABLE stock_ledger;
DROP TABLE restockings;
