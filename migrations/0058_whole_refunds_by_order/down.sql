DROP INDEX refunds_whole_by_order;
