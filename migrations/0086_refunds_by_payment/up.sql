-- The refunds of a payment, of whichever of its orders.
CREATE INDEX CONCURRENTLY refunds_of_payment ON refunds (payment_id, created_at, id);
