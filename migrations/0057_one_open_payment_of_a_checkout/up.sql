-- A checkout has at most one open payment.
CREATE UNIQUE INDEX CONCURRENTLY payment_intents_one_open_of_checkout ON payment_intents (checkout_id)
    WHERE closed_at IS NULL AND checkout_id IS NOT NULL;
