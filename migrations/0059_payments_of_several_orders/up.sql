-- What was unique by payment is unique by payment and order now. What is due for an order is its goods, freight and tax.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE orders DROP CONSTRAINT orders_transaction_id_key;
DROP INDEX refunds_whole;

CREATE OR REPLACE FUNCTION order_event_to_refunds() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    sold orders%ROWTYPE;
    failed boolean;
BEGIN
    SELECT * INTO sold FROM orders WHERE id = NEW.order_id;
    IF NEW.kind = 'cancelled' THEN
        IF sold.payment_state = 'paid' AND NOT EXISTS (
            SELECT FROM refunds WHERE order_id = NEW.order_id AND payment_id = sold.transaction_id
        ) THEN
            INSERT INTO refunds (id, order_id, payment_id, amount_cents, cause, state, attempt, actor_id, actor_email,
                created_at, changed_at, next_try_at)
            VALUES (gen_random_uuid(), NEW.order_id, sold.transaction_id, sold.total_cents + sold.shipping_cents + sold.tax_cents, 'called_off', 'due', 1,
                NEW.actor_id, NEW.actor_email, NEW.at, NEW.at, clock_timestamp() + interval '30 s');
        END IF;
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT FROM refunds WHERE order_id = NEW.order_id AND payment_id = NEW.data ->> 'transaction'
            AND state IN ('pending', 'succeeded', 'recorded')
    ) THEN
        RETURN NULL;
    END IF;
    SELECT bool_or(state = 'failed') INTO failed FROM refunds
    WHERE order_id = NEW.order_id AND payment_id = NEW.data ->> 'transaction';
    IF failed THEN
        RAISE EXCEPTION 'the refund of order % has failed', NEW.order_id;
    END IF;
    UPDATE refunds SET state = 'succeeded', changed_at = NEW.at, next_try_at = clock_timestamp() + interval '1 min'
    WHERE order_id = NEW.order_id AND payment_id = NEW.data ->> 'transaction' AND state = 'due';
    IF NOT FOUND THEN
        INSERT INTO refunds (id, order_id, payment_id, amount_cents, cause, state, attempt, created_at, changed_at,
            next_try_at)
        VALUES (gen_random_uuid(), NEW.order_id, NEW.data ->> 'transaction', sold.total_cents + sold.shipping_cents + sold.tax_cents, 'late', 'succeeded', 1,
            NEW.at, NEW.at, clock_timestamp() + interval '1 min')
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

-- What of a sum that an order brought, or that goes back, is not tax: in proportion, so that all of it comes to all but the tax.
CREATE FUNCTION without_tax(sold orders, cents bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT cents - round(cents::numeric * sold.tax_cents / (sold.total_cents + sold.shipping_cents + sold.tax_cents))::bigint
$$;

-- Tax is owed to the state and no revenue.
CREATE OR REPLACE FUNCTION payment_to_revenue() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    back bigint;
BEGIN
    INSERT INTO revenue_ledger (order_id, kind, cents, at)
    SELECT id, 'payment', total_cents + shipping_cents, NEW.at FROM orders WHERE id = NEW.order_id;
    -- A refund may be heard of before its payment. It counts from the payment's day: the days before are closed.
    SELECT sum(amount_cents) INTO back FROM refunds
    WHERE order_id = NEW.order_id AND payment_id = NEW.data ->> 'transaction'
        AND state IN ('pending', 'succeeded', 'recorded');
    IF back > 0 THEN
        INSERT INTO revenue_ledger (order_id, kind, cents, at)
        SELECT id, 'refund', -without_tax(orders, back), NEW.at FROM orders WHERE id = NEW.order_id;
    END IF;
    RETURN NULL;
END
$$;

-- Only of payments that counted when they came in: money that no order could take is nobody's revenue. The difference of two
-- sums, so that the parts of a refund do not round away from the whole.
CREATE OR REPLACE FUNCTION refund_to_revenue() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    stood boolean := TG_OP = 'UPDATE' AND OLD.state IN ('pending', 'succeeded', 'recorded');
    stands boolean := NEW.state IN ('pending', 'succeeded', 'recorded');
    back bigint;
    sold orders%ROWTYPE;
BEGIN
    IF stood <> stands AND EXISTS (
        SELECT FROM order_events
        WHERE order_id = NEW.order_id AND kind = 'paid' AND data ->> 'transaction' = NEW.payment_id
    ) THEN
        SELECT * INTO sold FROM orders WHERE id = NEW.order_id;
        SELECT coalesce(sum(amount_cents), 0) INTO back FROM refunds
        WHERE order_id = NEW.order_id AND payment_id = NEW.payment_id
            AND state IN ('pending', 'succeeded', 'recorded') AND id <> NEW.id;
        INSERT INTO revenue_ledger (order_id, kind, cents, at)
        VALUES (NEW.order_id, CASE WHEN stands THEN 'refund' ELSE 'refund_failed' END,
            (without_tax(sold, back + NEW.amount_cents) - without_tax(sold, back)) * CASE WHEN stands THEN -1 ELSE 1 END,
            NEW.changed_at);
    END IF;
    RETURN NULL;
END
$$;

-- A checkout has one receipt for all orders that a payment settles: the first of them has it sent.
CREATE OR REPLACE FUNCTION order_event_to_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    first_paid uuid;
BEGIN
    IF NEW.kind = 'paid' THEN
        SELECT payment_shares.order_id INTO first_paid FROM payment_shares JOIN orders ON orders.id = payment_shares.order_id
        WHERE intent_id = NEW.data ->> 'transaction' AND cancelled_at IS NULL ORDER BY payment_shares.order_id LIMIT 1;
        IF first_paid <> NEW.order_id THEN
            RETURN NULL;
        END IF;
    END IF;
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.' || NEW.kind, NEW.order_id, NEW.id, contact_email, NEW.at, NEW.at
    FROM orders WHERE orders.id = NEW.order_id;
    RETURN NULL;
END
$$;

-- Of what lapses together there is one e-mail.
CREATE OR REPLACE FUNCTION order_cancellation_to_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', CASE WHEN NEW.actor_id IS NULL THEN 'order.lapsed' ELSE 'order.released' END,
        NEW.order_id, NEW.id, contact_email, NEW.at, NEW.at
    FROM orders
    WHERE orders.id = NEW.order_id
        AND payment_state = 'unpaid'
        AND NEW.actor_id IS DISTINCT FROM buyer_id
        AND (NEW.actor_id IS NOT NULL OR coalesce(reserved_until, '-infinity') <= clock_timestamp())
        -- Of the orders of a checkout, which lapse together, the first.
        AND (NEW.actor_id IS NOT NULL OR checkout_id IS NULL OR line = (
            SELECT min(others.line) FROM orders AS others
            WHERE others.checkout_id = orders.checkout_id AND others.payment_state = 'unpaid'
                AND (others.cancelled_at IS NULL OR others.cancelled_at > NEW.at - interval '1 min')));
    RETURN NULL;
END
$$;
