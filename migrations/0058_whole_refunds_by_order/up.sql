-- Money that could settle no order is refunded once: by order, because a checkout's payment has a share for each.
CREATE UNIQUE INDEX CONCURRENTLY refunds_whole_by_order ON refunds (payment_id, order_id)
    WHERE cause IN ('late', 'overpaid', 'mismatch');
