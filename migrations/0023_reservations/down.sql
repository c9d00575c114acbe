DELETE FROM outbox WHERE topic IN ('order.lapsed', 'order.released', 'order.reminder');
DROP INDEX outbox_one_letter_per_event;
CREATE UNIQUE INDEX outbox_one_letter_per_event ON outbox (event_id) WHERE channel = 'mail' AND event_id IS NOT NULL;
DROP TRIGGER order_cancellations_are_mailed ON order_events;
DROP FUNCTION order_cancellation_to_outbox();
DROP TRIGGER orders_reservation_stays ON orders;
DROP TRIGGER orders_part_number_stays ON orders;
DROP TRIGGER orders_number_stays ON orders;
DROP INDEX orders_paid_by, orders_held_by, orders_refunded, orders_cancelled_of_buyer, orders_cancelled, orders_placed;
ALTER TABLE orders
    DROP COLUMN part_number,
    DROP COLUMN number,
    DROP COLUMN remind_at,
    DROP COLUMN lapse_attempts,
    DROP COLUMN lapse_at,
    DROP COLUMN reserved_until;
