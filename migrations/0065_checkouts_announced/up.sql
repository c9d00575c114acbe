-- Webhooks about checkouts: placed, and paid. First the table that whoever changes an order holds before the outbox.
SET LOCAL lock_timeout = '500ms';
-- lint: the trigger below takes it anyway, and 500 ms bound the wait.
LOCK TABLE order_events IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE outbox
    -- What a topic of a checkout is about.
    ADD COLUMN checkout_id uuid,
    DROP CONSTRAINT outbox_subject_fits_topic,
    ADD CONSTRAINT outbox_subject_fits_topic CHECK (
        CASE split_part(topic, '.', 1)
            WHEN 'order' THEN order_id IS NOT NULL AND event_id IS NOT NULL AND checkout_id IS NULL
            WHEN 'checkout' THEN channel = 'webhook' AND checkout_id IS NOT NULL AND event_id IS NOT NULL AND order_id IS NULL
            WHEN 'account' THEN channel = 'mail' AND num_nonnulls(order_id, event_id, checkout_id) = 0
            WHEN 'webhook' THEN channel = 'mail' AND num_nonnulls(order_id, event_id, checkout_id) = 0
            ELSE false
        END
    ) NOT VALID;

ALTER TABLE webhook_endpoints
    DROP CONSTRAINT webhook_endpoints_want_something_that_is_told,
    ADD CONSTRAINT webhook_endpoints_want_something_that_is_told CHECK (
        cardinality(topics) BETWEEN 1 AND 7
        AND topics <@ ARRAY['order.ordered', 'order.paid', 'order.shipped', 'order.cancelled', 'order.refunded', 'checkout.placed',
            'checkout.paid']
    ) NOT VALID;

-- Queues what happened to a checkout for everybody who wants to know. Its id is made of both, so that there is one event.
CREATE FUNCTION checkout_to_endpoints(bought uuid, what text, happened timestamptz) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO outbox (channel, topic, checkout_id, event_id, endpoint_id, created_at, due_at)
    SELECT 'webhook', what, bought, md5(what || ' ' || bought)::uuid, webhook_endpoints.id, happened, happened
    FROM webhook_endpoints
    WHERE removed_at IS NULL AND disabled_at IS NULL AND what = ANY (topics)
    ON CONFLICT DO NOTHING
$$;

-- A checkout is paid once the last of its standing orders is.
CREATE FUNCTION checkout_paid_to_endpoints() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    bought uuid;
BEGIN
    IF NOT EXISTS (
        SELECT FROM webhook_endpoints WHERE removed_at IS NULL AND disabled_at IS NULL AND 'checkout.paid' = ANY (topics)
    ) THEN
        RETURN NULL;
    END IF;
    SELECT checkout_id INTO bought FROM orders WHERE id = NEW.order_id;
    IF bought IS NULL THEN
        RETURN NULL;
    END IF;
    -- Of two payments at the same time, each of one line, the second one sees the first. Whoever gets here holds the orders that
    -- it changes, so nobody waits for them with this lock.
    PERFORM FROM checkouts WHERE id = bought FOR NO KEY UPDATE;
    -- From the last line on: they are paid in the sequence of their lines, and most of the time the last one is not.
    PERFORM FROM orders WHERE checkout_id = bought AND cancelled_at IS NULL AND payment_state = 'unpaid'
    ORDER BY line DESC LIMIT 1;
    IF NOT FOUND THEN
        PERFORM checkout_to_endpoints(bought, 'checkout.paid', NEW.at);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER order_events_pay_checkouts AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind = 'paid') EXECUTE FUNCTION checkout_paid_to_endpoints();
