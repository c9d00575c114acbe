-- Which orders a payment has settled: one, or several of a checkout.
CREATE INDEX CONCURRENTLY orders_paid_together ON orders (transaction_id);
