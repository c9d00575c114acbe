-- lint: of a shop that never had a checkout.
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
            VALUES (gen_random_uuid(), NEW.order_id, sold.transaction_id, sold.total_cents, 'called_off', 'due', 1,
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
        VALUES (gen_random_uuid(), NEW.order_id, NEW.data ->> 'transaction', sold.total_cents, 'late', 'succeeded', 1,
            NEW.at, NEW.at, clock_timestamp() + interval '1 min')
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION payment_to_revenue() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO revenue_ledger (order_id, kind, cents, at)
    SELECT id, 'payment', total_cents, NEW.at FROM orders WHERE id = NEW.order_id;
    -- A refund may be heard of before its payment. It counts from the payment's day: the days before are closed.
    INSERT INTO revenue_ledger (order_id, kind, cents, at)
    SELECT order_id, 'refund', -amount_cents, NEW.at FROM refunds
    WHERE order_id = NEW.order_id AND payment_id = NEW.data ->> 'transaction'
        AND state IN ('pending', 'succeeded', 'recorded');
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION refund_to_revenue() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    stood boolean := TG_OP = 'UPDATE' AND OLD.state IN ('pending', 'succeeded', 'recorded');
    stands boolean := NEW.state IN ('pending', 'succeeded', 'recorded');
BEGIN
    IF stood <> stands AND EXISTS (
        SELECT FROM order_events
        WHERE order_id = NEW.order_id AND kind = 'paid' AND data ->> 'transaction' = NEW.payment_id
    ) THEN
        INSERT INTO revenue_ledger (order_id, kind, cents, at)
        VALUES (NEW.order_id, CASE WHEN stands THEN 'refund' ELSE 'refund_failed' END,
            CASE WHEN stands THEN -NEW.amount_cents ELSE NEW.amount_cents END, NEW.changed_at);
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION order_event_to_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.' || NEW.kind, NEW.order_id, NEW.id, contact_email, NEW.at, NEW.at
    FROM orders WHERE orders.id = NEW.order_id;
    RETURN NULL;
END
$$;
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
        AND (NEW.actor_id IS NOT NULL OR coalesce(reserved_until, '-infinity') <= clock_timestamp());
    RETURN NULL;
END
$$;
DROP FUNCTION without_tax(orders, bigint);
CREATE UNIQUE INDEX refunds_whole ON refunds (payment_id) WHERE cause IN ('late', 'overpaid', 'mismatch');
ALTER TABLE orders ADD CONSTRAINT orders_transaction_id_key UNIQUE (transaction_id);
