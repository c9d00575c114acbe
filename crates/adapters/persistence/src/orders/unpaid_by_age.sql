-- The orders that are unpaid, not cancelled, and were placed between each two of these moments: before the first one they
-- are in bucket 0. They are read one by one, through an index that holds no others: most orders are paid or expire
-- within a day, so that there are as many as were placed lately or shipped on account.

SELECT width_bucket(placed_at, :bounds) AS bucket, count(*) AS orders,
    -- No more than can be reported.
    least(sum(total_cents), :max_cents)::bigint AS cents
FROM orders
WHERE cancelled_at IS NULL AND payment_state = 'unpaid'
GROUP BY 1;
