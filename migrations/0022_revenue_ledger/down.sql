DROP TRIGGER disputes_reach_revenue ON disputes;
DROP FUNCTION dispute_to_revenue();
DROP TRIGGER refunds_reach_revenue ON refunds;
DROP FUNCTION refund_to_revenue();
DROP TRIGGER order_events_reach_revenue ON order_events;
DROP FUNCTION payment_to_revenue();
DROP TABLE revenue_ledger;
