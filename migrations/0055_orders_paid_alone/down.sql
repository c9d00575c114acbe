DROP INDEX orders_paid_alone;
