-- Until when an unpaid order keeps its units, and when the shop tries to give it up. Both are null in what the previous
-- program writes: this one reckons them when it finds such a row.
ALTER TABLE orders
    ADD COLUMN reserved_until timestamptz,
    -- When the shop tries next: reserved_until at first, later after every attempt that came to nothing.
    ADD COLUMN lapse_at timestamptz,
    ADD COLUMN lapse_attempts integer NOT NULL DEFAULT 0,
    -- When the buyer is reminded; null once that is done, and for an order that is not kept long enough.
    ADD COLUMN remind_at timestamptz,
    -- What people call it by: DL-10428.
    ADD COLUMN number bigint,
    ADD COLUMN part_number text;

CREATE SEQUENCE order_numbers AS bigint START WITH 10001 OWNED BY orders.number;
ALTER TABLE orders
    ALTER COLUMN number SET DEFAULT nextval('order_numbers'),
    ADD CONSTRAINT orders_number_is_positive CHECK (number > 0) NOT VALID,
    ADD CONSTRAINT orders_part_number_fits CHECK (length(part_number) BETWEEN 1 AND 60) NOT VALID,
    ADD CONSTRAINT orders_reservation_is_whole CHECK ((reserved_until IS NULL) = (lapse_at IS NULL)) NOT VALID,
    ADD CONSTRAINT orders_lapse_attempts_count CHECK (lapse_attempts >= 0) NOT VALID;

CREATE UNIQUE INDEX orders_number ON orders (number);
-- Orders that hold units: those that are due to be given up, those whose buyer is due to be reminded, those of the previous
-- program, those that could not be given up yet, and those of one account.
CREATE INDEX orders_lapsing ON orders (lapse_at, id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL;
CREATE INDEX orders_reminding ON orders (remind_at, id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND remind_at IS NOT NULL;
CREATE INDEX orders_unreserved ON orders (placed_at, id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND reserved_until IS NULL;
CREATE INDEX orders_overdue ON orders (id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL AND lapse_attempts > 0;
CREATE INDEX orders_held_by ON orders (buyer_id)
    WHERE payment_state = 'unpaid' AND fulfilment = 'pending' AND cancelled_at IS NULL;
-- Whether an account has ever paid.
CREATE INDEX orders_paid_by ON orders (buyer_id) WHERE transaction_id IS NOT NULL;

-- One per part of the list that is asked for: everything, what was cancelled, and what was refunded.
CREATE INDEX orders_placed ON orders (placed_at DESC, id DESC);
CREATE INDEX orders_cancelled ON orders (placed_at DESC, id DESC) WHERE cancelled_at IS NOT NULL;
CREATE INDEX orders_cancelled_of_buyer ON orders (buyer_id, placed_at DESC, id DESC) WHERE cancelled_at IS NOT NULL;
CREATE INDEX orders_refunded ON orders (placed_at DESC, id DESC) WHERE payment_state = 'refunded';

CREATE TRIGGER orders_number_stays BEFORE UPDATE OF number ON orders
    FOR EACH ROW WHEN (OLD.number IS NOT NULL) EXECUTE FUNCTION refuse('an order keeps its number');
CREATE TRIGGER orders_part_number_stays BEFORE UPDATE OF part_number ON orders
    FOR EACH ROW EXECUTE FUNCTION refuse('what was ordered is a snapshot');
CREATE TRIGGER orders_reservation_stays BEFORE UPDATE OF reserved_until ON orders
    FOR EACH ROW WHEN (OLD.reserved_until IS NOT NULL) EXECUTE FUNCTION refuse('until when an order is kept is promised');

-- The buyer of an unpaid order that somebody else cancels is e-mailed: the shop because its time was up, or an admin. Topics
-- of their own, which the previous program leaves to this one.
CREATE FUNCTION order_cancellation_to_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', CASE WHEN NEW.actor_id IS NULL THEN 'order.lapsed' ELSE 'order.released' END,
        NEW.order_id, NEW.id, contact_email, NEW.at, NEW.at
    FROM orders
    WHERE orders.id = NEW.order_id
        AND payment_state = 'unpaid'
        AND NEW.actor_id IS DISTINCT FROM buyer_id
        AND (NEW.actor_id IS NOT NULL OR coalesce(reserved_until, '-infinity') <= clock_timestamp());
    RETURN NULL;
END
$$;

CREATE TRIGGER order_cancellations_are_mailed AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind = 'cancelled') EXECUTE FUNCTION order_cancellation_to_outbox();

-- One event, one e-mail of each kind: a reminder is about the order's first event, as its confirmation is.
DROP INDEX outbox_one_letter_per_event;
CREATE UNIQUE INDEX outbox_one_letter_per_event ON outbox (event_id, topic)
    WHERE channel = 'mail' AND event_id IS NOT NULL;
