-- In the order in which the program uses them: the other way round, each would wait for the other.
SET LOCAL lock_timeout = '500ms';
-- lint: for as long as the catalogue of the database is changed; nothing below reads a row.
LOCK TABLE orders, order_events, stock_ledger, refunds IN ACCESS EXCLUSIVE MODE;

-- Units of a shipped order that its customer asks to send back, and what an admin decided.
CREATE TABLE returns (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    reason text NOT NULL CHECK (reason ~ '^[a-z_]{1,40}$'),
    details text CHECK (length(details) BETWEEN 1 AND 1000),
    units integer NOT NULL CHECK (units BETWEEN 1 AND 1000000000),
    requested_at timestamptz NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    decided_at timestamptz,
    -- Of an accepted one; no refund if the whole payment had been refunded before.
    refund_id uuid UNIQUE REFERENCES refunds (id),
    refunded_cents bigint CHECK (refunded_cents BETWEEN 1 AND 99999999999999),
    restocked boolean,
    -- What the customer of a declined one reads.
    answer text CHECK (length(answer) BETWEEN 1 AND 500),
    once_key bytea CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT returns_state_is_one_of_three CHECK (
        CASE state
            WHEN 'requested' THEN num_nonnulls(decided_at, refund_id, restocked, answer) = 0
            WHEN 'accepted' THEN decided_at IS NOT NULL AND restocked IS NOT NULL AND answer IS NULL
            WHEN 'declined' THEN decided_at IS NOT NULL AND answer IS NOT NULL AND num_nonnulls(refund_id, restocked) = 0
            ELSE false
        END
    ),
    CONSTRAINT returns_refund_is_whole CHECK ((refund_id IS NULL) = (refunded_cents IS NULL)),
    CONSTRAINT returns_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL)),
    CONSTRAINT returns_once UNIQUE (order_id, once_key)
);
CREATE INDEX returns_of_order ON returns (order_id, requested_at, id);
CREATE UNIQUE INDEX returns_one_open ON returns (order_id) WHERE state = 'requested';
CREATE INDEX returns_open ON returns (requested_at, id) WHERE state = 'requested';

-- The entry of a return names the return and not the order: an order may have several. Not validated: what is there
-- satisfied a stricter one, and the ledger is long.
ALTER TABLE stock_ledger
    ADD COLUMN return_id uuid,
    ADD CONSTRAINT stock_ledger_return_id_fkey FOREIGN KEY (return_id) REFERENCES returns (id) NOT VALID,
    DROP CONSTRAINT stock_ledger_entry_makes_sense,
    ADD CONSTRAINT stock_ledger_entry_makes_sense CHECK (
        (kind = 'returned') = (return_id IS NOT NULL) AND CASE kind
            WHEN 'received' THEN delta > 0 AND order_id IS NULL
            WHEN 'ordered' THEN delta < 0 AND order_id IS NOT NULL
            WHEN 'cancelled' THEN delta > 0 AND order_id IS NOT NULL
            WHEN 'corrected' THEN delta <> 0 AND order_id IS NULL
            WHEN 'returned' THEN delta > 0 AND order_id IS NULL
            ELSE false
        END
    ) NOT VALID;

CREATE OR REPLACE TRIGGER order_events_are_told AFTER INSERT ON order_events
    FOR EACH ROW WHEN (
        NOT NEW.in_outbox
        AND NEW.kind IN ('ordered', 'paid', 'shipped', 'refunded', 'return_accepted', 'return_declined')
    )
    EXECUTE FUNCTION order_event_to_outbox();
