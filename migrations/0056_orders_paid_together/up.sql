-- Which orders a checkout's payment has settled.
CREATE INDEX CONCURRENTLY orders_paid_together ON orders (transaction_id) WHERE checkout_id IS NOT NULL;
