-- A payment settles one order, unless it is that of a checkout.
CREATE UNIQUE INDEX CONCURRENTLY orders_paid_alone ON orders (transaction_id) WHERE checkout_id IS NULL;
