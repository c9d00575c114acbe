-- What the shop still has to tell the world. A row is written in the transaction of what it tells of, and it is delivered
-- afterwards, at least once.
CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel text NOT NULL CHECK (channel IN ('mail', 'webhook')),
    topic text NOT NULL,
    -- What it is about: an entry of an order's timeline, or nothing but the account with this address.
    order_id uuid REFERENCES orders (id),
    event_id uuid REFERENCES order_events (id),
    -- Whom a letter goes to.
    email text CHECK (is_lower_email(email)),
    created_at timestamptz NOT NULL,
    -- Not to be tried before. Whoever tries moves it on first, so that nobody else tries meanwhile.
    due_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    state text NOT NULL DEFAULT 'waiting',
    last_error text CHECK (length(last_error) BETWEEN 1 AND 500),
    sent_at timestamptz,

    CONSTRAINT outbox_subject_fits_topic CHECK (
        CASE topic
            WHEN 'order.ordered' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'order.paid' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'order.shipped' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'order.cancelled' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'order.refunded' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'account.verify' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            WHEN 'account.reset' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            ELSE false
        END
    ),
    CONSTRAINT outbox_letters_have_a_reader CHECK ((channel = 'mail') = (email IS NOT NULL)),
    CONSTRAINT outbox_state_is_one_of_three CHECK (
        CASE state
            WHEN 'waiting' THEN sent_at IS NULL
            WHEN 'sent' THEN sent_at IS NOT NULL
            WHEN 'dead' THEN sent_at IS NULL AND last_error IS NOT NULL
            ELSE false
        END
    )
);

-- One payment, one receipt.
CREATE UNIQUE INDEX outbox_one_letter_per_event ON outbox (event_id) WHERE channel = 'mail' AND event_id IS NOT NULL;
CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE state = 'waiting';
CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead';
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE state = 'sent';

-- A trigger and not the program: no way of writing an entry can forget it, and entries that a copy of the previous program
-- writes while it is being replaced are told of too.
CREATE FUNCTION order_event_to_outbox() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO outbox (channel, topic, order_id, event_id, email, created_at, due_at)
    SELECT 'mail', 'order.' || NEW.kind, NEW.order_id, NEW.id, contact_email, NEW.at, NEW.at
    FROM orders WHERE orders.id = NEW.order_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded')) EXECUTE FUNCTION order_event_to_outbox();
