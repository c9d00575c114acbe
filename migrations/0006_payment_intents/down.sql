DROP TABLE payment_intents;
