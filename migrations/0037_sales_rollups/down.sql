DROP TRIGGER accounts_reach_customer_totals ON accounts;
DROP FUNCTION account_to_customer_totals;
DROP TABLE customer_totals, customer_sales, product_sales, placed_days, sales_rollups;
