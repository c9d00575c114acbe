-- Orders that are not cancelled, by state. Such an order is unpaid, or was paid: a shipped order that was refunded
-- counts as paid here. The two counts that stay small have an index each; the other two follow from the total.

SELECT
    (SELECT count(*) FROM orders WHERE cancelled_at IS NULL) AS standing,
    (SELECT count(*) FROM orders WHERE cancelled_at IS NULL AND fulfilment = 'pending') AS waiting,
    (SELECT count(*) FROM orders WHERE cancelled_at IS NULL AND payment_state = 'unpaid') AS unpaid;
