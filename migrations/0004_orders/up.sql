CREATE TABLE orders (
    id uuid PRIMARY KEY,
    buyer_id uuid NOT NULL REFERENCES accounts (id),

    -- Where it goes, as typed.
    contact_name text NOT NULL CHECK (length(contact_name) BETWEEN 1 AND 120),
    contact_email text NOT NULL CHECK (is_lower_email(contact_email)),
    contact_phone text NOT NULL CHECK (length(contact_phone) BETWEEN 1 AND 40),
    contact_address text NOT NULL CHECK (length(contact_address) BETWEEN 1 AND 500),

    -- The product as it was at that moment.
    product_id uuid NOT NULL REFERENCES products (id),
    product_name text NOT NULL CHECK (length(product_name) BETWEEN 1 AND 200),
    category text NOT NULL CHECK (category IN (
        'BRAKES', 'REPLACEMENT PARTS', 'SAFETY ACCESSORIES', 'TIRES',
        'STEERING WHEEL', 'SERVICE KITS', 'BATTERIES', 'OILS AND FLUIDS'
    )),
    details text NOT NULL CHECK (length(details) BETWEEN 1 AND 5000),
    img text NOT NULL CHECK (length(img) BETWEEN 1 AND 2000),
    unit_price_cents bigint NOT NULL CHECK (unit_price_cents BETWEEN 1 AND 999999999),
    quantity integer NOT NULL CHECK (quantity BETWEEN 50 AND 1000000000),
    total_cents bigint NOT NULL CHECK (total_cents <= 99999999999999),

    placed_at timestamptz NOT NULL,
    once_key bytea CHECK (octet_length(once_key) = 32),

    -- How far it has come.
    payment_state text NOT NULL DEFAULT 'unpaid',
    transaction_id text UNIQUE CHECK (length(transaction_id) BETWEEN 1 AND 255),
    paid_at timestamptz,
    refunded_at timestamptz,
    fulfilment text NOT NULL DEFAULT 'pending',
    shipped_at timestamptz,
    cancelled_at timestamptz,

    CONSTRAINT orders_once UNIQUE (buyer_id, once_key),
    CONSTRAINT orders_total_adds_up CHECK (total_cents = unit_price_cents * quantity),
    CONSTRAINT orders_payment_is_one_of_three CHECK (
        CASE payment_state
            WHEN 'unpaid' THEN transaction_id IS NULL AND paid_at IS NULL AND refunded_at IS NULL
            WHEN 'paid' THEN transaction_id IS NOT NULL AND paid_at IS NOT NULL AND refunded_at IS NULL
            WHEN 'refunded' THEN transaction_id IS NOT NULL AND paid_at IS NULL AND refunded_at IS NOT NULL
            ELSE false
        END
    ),
    CONSTRAINT orders_fulfilment_is_one_of_two CHECK (
        CASE fulfilment
            WHEN 'pending' THEN shipped_at IS NULL
            WHEN 'shipped' THEN shipped_at IS NOT NULL
            ELSE false
        END
    ),
    CONSTRAINT orders_cancelled_neither_paid_nor_shipped CHECK (
        cancelled_at IS NULL OR (payment_state <> 'paid' AND fulfilment <> 'shipped')
    ),
    -- Only money that arrived for a cancelled order goes back.
    CONSTRAINT orders_refunded_only_if_cancelled CHECK (
        payment_state <> 'refunded' OR cancelled_at IS NOT NULL
    )
);

CREATE INDEX orders_of_buyer ON orders (buyer_id, placed_at DESC, id DESC) WHERE cancelled_at IS NULL;
CREATE INDEX orders_standing ON orders (placed_at DESC, id DESC) WHERE cancelled_at IS NULL;
-- Units that a cancellation could still bring back to a product's shelf.
CREATE INDEX orders_returnable ON orders (product_id) INCLUDE (quantity)
    WHERE cancelled_at IS NULL AND fulfilment = 'pending';

CREATE TRIGGER orders_stay BEFORE DELETE ON orders
    FOR EACH ROW EXECUTE FUNCTION refuse('orders are cancelled, never deleted');
CREATE TRIGGER orders_stay_all BEFORE TRUNCATE ON orders
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('orders are cancelled, never deleted');
-- Only how far it has come may change.
CREATE TRIGGER orders_snapshot_stays BEFORE UPDATE OF
    id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id, product_name, category,
    details, img, unit_price_cents, quantity, total_cents, placed_at, once_key ON orders
    FOR EACH ROW EXECUTE FUNCTION refuse('what was ordered, by whom and for how much is a snapshot');

-- The timeline: who did what, and when.
CREATE TABLE order_events (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    -- 1, 2, 3 … without a gap.
    seq integer NOT NULL CHECK (seq >= 1),
    kind text NOT NULL CHECK (kind IN ('ordered', 'paid', 'shipped', 'cancelled', 'refunded')),
    -- Null for the shop itself.
    actor_id uuid REFERENCES accounts (id),
    actor_email text CHECK (is_lower_email(actor_email)),
    data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    at timestamptz NOT NULL,

    UNIQUE (order_id, seq),
    -- Nothing happens to an order twice, and it all begins with being ordered.
    UNIQUE (order_id, kind),
    CONSTRAINT order_events_begin_with_the_order CHECK ((seq = 1) = (kind = 'ordered')),
    CONSTRAINT order_events_actor_is_whole CHECK ((actor_id IS NULL) = (actor_email IS NULL))
);

CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events
    FOR EACH ROW EXECUTE FUNCTION refuse('the timeline is append-only');
CREATE TRIGGER order_events_append_only_all BEFORE TRUNCATE ON order_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('the timeline is append-only');
