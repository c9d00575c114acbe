DROP INDEX orders_paid_together;
