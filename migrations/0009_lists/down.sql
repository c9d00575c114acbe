DROP TABLE imports;
DROP INDEX products_running_low;
DROP INDEX orders_by_payment;
DROP INDEX orders_by_total;
DROP INDEX orders_unpaid;
DROP INDEX orders_waiting;
ALTER TABLE accounts DROP COLUMN search_key;
ALTER TABLE orders DROP COLUMN search_key;
