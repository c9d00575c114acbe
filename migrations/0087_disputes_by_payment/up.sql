-- The disputes of a payment.
CREATE INDEX CONCURRENTLY disputes_of_payment ON disputes (payment_id, opened_at, id);
