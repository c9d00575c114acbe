ALTER TABLE orders DROP CONSTRAINT orders_are_numbered;
DROP TRIGGER order_changes_reach_rollups ON orders;
DROP FUNCTION order_change_to_rollup();
DROP TABLE order_changes, revenue_days, order_days, order_totals, rollups;
