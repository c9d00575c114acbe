DROP INDEX disputes_of_payment;
