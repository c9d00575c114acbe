-- Before refunds and outbox, as whoever writes an entry does.
LOCK TABLE order_events IN SHARE ROW EXCLUSIVE MODE;

-- Money may go back, fail to arrive and go back again. Which kinds of entries there are is the program's to say from now on.
ALTER TABLE order_events
    DROP CONSTRAINT order_events_kind_check,
    DROP CONSTRAINT order_events_order_id_kind_key,
    ADD CONSTRAINT order_events_kind_check CHECK (kind ~ '^[a-z_]{1,40}$') NOT VALID;
ALTER TABLE order_events VALIDATE CONSTRAINT order_events_kind_check;
CREATE UNIQUE INDEX order_events_once ON order_events (order_id, kind)
    WHERE kind IN ('ordered', 'paid', 'shipped', 'cancelled');

-- An order that has left may get all of its money back too.
ALTER TABLE orders
    DROP CONSTRAINT orders_refunded_only_if_cancelled,
    ADD CONSTRAINT orders_refunded_only_if_over CHECK (
        payment_state <> 'refunded' OR cancelled_at IS NOT NULL OR fulfilment = 'shipped'
    ) NOT VALID;
ALTER TABLE orders VALIDATE CONSTRAINT orders_refunded_only_if_over;

CREATE TABLE refunds (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    payment_id text NOT NULL CHECK (length(payment_id) BETWEEN 1 AND 255),
    -- The provider's id, once it has one.
    provider_refund_id text UNIQUE CHECK (length(provider_refund_id) BETWEEN 1 AND 255),
    amount_cents bigint NOT NULL CHECK (amount_cents BETWEEN 0 AND 99999999999999),
    cause text NOT NULL CHECK (
        cause IN ('called_off', 'admin', 'late', 'overpaid', 'mismatch', 'elsewhere', 'returned')
    ),
    state text NOT NULL CHECK (state IN ('due', 'pending', 'succeeded', 'failed', 'recorded')),
    -- Under which number the provider is asked.
    attempt integer NOT NULL CHECK (attempt >= 1),
    -- How often it was asked in vain since the last change.
    tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    failure text CHECK (length(failure) BETWEEN 1 AND 200),
    note text CHECK (length(note) BETWEEN 1 AND 500),
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    once_key bytea CHECK (octet_length(once_key) = 32),
    -- Of which request the key is.
    once_fingerprint bytea,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    -- When it is sent, or looked at, next; null once nothing more can become of it.
    next_try_at timestamptz,
    acknowledged_at timestamptz,
    acknowledged_by uuid REFERENCES accounts (id),

    CONSTRAINT refunds_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL)),
    CONSTRAINT refunds_once UNIQUE (order_id, once_key)
);
CREATE INDEX refunds_of_order ON refunds (order_id, created_at, id);
CREATE INDEX refunds_next ON refunds (next_try_at, id) WHERE next_try_at IS NOT NULL;
CREATE INDEX refunds_odd ON refunds (changed_at) WHERE state IN ('due', 'failed') OR cause = 'elsewhere';
-- Money that no order could take goes back once.
CREATE UNIQUE INDEX refunds_whole ON refunds (payment_id) WHERE cause IN ('late', 'overpaid', 'mismatch');

CREATE TABLE disputes (
    -- The provider's id.
    id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
    order_id uuid NOT NULL REFERENCES orders (id),
    payment_id text NOT NULL CHECK (length(payment_id) BETWEEN 1 AND 255),
    amount_cents bigint NOT NULL CHECK (amount_cents BETWEEN 0 AND 99999999999999),
    state text NOT NULL CHECK (state IN ('open', 'won', 'lost')),
    reason text CHECK (length(reason) BETWEEN 1 AND 200),
    opened_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    acknowledged_at timestamptz,
    acknowledged_by uuid REFERENCES accounts (id)
);
CREATE INDEX disputes_of_order ON disputes (order_id, opened_at, id);
CREATE INDEX disputes_odd ON disputes (opened_at) WHERE state <> 'won' AND acknowledged_at IS NULL;

-- What a program that knows no refunds decides and sends while it is being replaced gets its row here, so that it is looked
-- after all the same; and what it takes for sent although it failed, it may not write.
CREATE FUNCTION order_event_to_refunds() RETURNS trigger
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
CREATE TRIGGER order_events_reach_refunds AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind IN ('cancelled', 'refunded')) EXECUTE FUNCTION order_event_to_refunds();

-- What went back, and what is owed, so far. What went back in the last month may still fail.
INSERT INTO refunds (id, order_id, payment_id, amount_cents, cause, state, attempt, tries, created_at, changed_at, next_try_at)
SELECT gen_random_uuid(), orders.id, transaction_id, total_cents,
    CASE WHEN EXISTS (SELECT FROM order_events WHERE order_id = orders.id AND kind = 'paid') THEN 'called_off' ELSE 'late' END,
    CASE payment_state WHEN 'refunded' THEN 'succeeded' ELSE 'due' END,
    1, 1, coalesce(refunded_at, cancelled_at), coalesce(refunded_at, cancelled_at),
    CASE WHEN payment_state = 'paid' OR refunded_at > now() - interval '30 days'
        THEN now() + random() * interval '1 hour' END
FROM orders WHERE payment_state = 'refunded' OR (payment_state = 'paid' AND cancelled_at IS NOT NULL);
