DROP INDEX refunds_of_payment;
