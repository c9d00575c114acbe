LOCK TABLE order_events IN SHARE ROW EXCLUSIVE MODE;

-- What came in and what went back, each on its own day: what a closed day came to never changes.
CREATE TABLE revenue_ledger (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'refund_failed', 'dispute')),
    -- Below zero for what went back.
    cents bigint NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX revenue_ledger_by_day ON revenue_ledger (at) INCLUDE (kind, cents);

CREATE TRIGGER revenue_ledger_append_only BEFORE UPDATE OR DELETE ON revenue_ledger
    FOR EACH ROW EXECUTE FUNCTION refuse('what came in and what went back is append-only');
CREATE TRIGGER revenue_ledger_append_only_all BEFORE TRUNCATE ON revenue_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what came in and what went back is append-only');

-- Triggers and not the program: entries that a copy of the previous program writes while it is being replaced count too.
CREATE FUNCTION payment_to_revenue() RETURNS trigger
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
CREATE TRIGGER order_events_reach_revenue AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind = 'paid') EXECUTE FUNCTION payment_to_revenue();

-- Only of payments that counted when they came in: money that no order could take is nobody's revenue.
CREATE FUNCTION refund_to_revenue() RETURNS trigger
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
CREATE TRIGGER refunds_reach_revenue AFTER INSERT OR UPDATE OF state ON refunds
    FOR EACH ROW EXECUTE FUNCTION refund_to_revenue();

CREATE FUNCTION dispute_to_revenue() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'lost' AND (TG_OP = 'INSERT' OR OLD.state <> 'lost') THEN
        INSERT INTO revenue_ledger (order_id, kind, cents, at)
        VALUES (NEW.order_id, 'dispute', -NEW.amount_cents, NEW.changed_at);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER disputes_reach_revenue AFTER INSERT OR UPDATE OF state ON disputes
    FOR EACH ROW EXECUTE FUNCTION dispute_to_revenue();

INSERT INTO revenue_ledger (order_id, kind, cents, at)
SELECT order_id, 'payment', total_cents, at FROM order_events JOIN orders ON orders.id = order_id WHERE kind = 'paid'
UNION ALL
SELECT refunds.order_id, 'refund', -amount_cents, changed_at FROM refunds
JOIN order_events ON order_events.order_id = refunds.order_id AND kind = 'paid' AND data ->> 'transaction' = payment_id
WHERE state = 'succeeded';
