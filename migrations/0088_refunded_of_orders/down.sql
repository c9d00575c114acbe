DROP TRIGGER orders_sum_refunds_of_payment ON orders;
DROP TRIGGER refunds_sum_of_order ON refunds;
DROP FUNCTION sum_refunds_of_payment(), sum_refunds_of_order(), refunded_of_order(uuid, text);
ALTER TABLE orders DROP COLUMN refunded_cents;
