-- How a payment came to its end, by the provider's own word, and when it is looked at next. A program that does not know
-- these columns closes payments without saying how they ended: before their order is given up, they are asked about.
ALTER TABLE payment_intents
    ADD COLUMN ended text CHECK (ended IN ('cancelled', 'settled', 'sent_back')),
    ADD COLUMN next_look_at timestamptz NOT NULL DEFAULT now(),
    -- When its buyer was last seen at it.
    ADD COLUMN asked_at timestamptz NOT NULL DEFAULT now(),
    -- Since when the provider has not known it.
    ADD COLUMN unknown_since timestamptz,
    -- Since when it is known to have come in without fitting its order.
    ADD COLUMN mismatched_at timestamptz;

CREATE INDEX payment_intents_next ON payment_intents (next_look_at, id) WHERE closed_at IS NULL;
CREATE INDEX payment_intents_odd ON payment_intents (opened_at)
    WHERE closed_at IS NULL AND (unknown_since IS NOT NULL OR mismatched_at IS NOT NULL);

-- The paid orders that stand are compared with the provider's books, each at its time: however many payments were given
-- up, a round reads no more than it looks at.
ALTER TABLE orders ADD COLUMN next_audit_at timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX orders_to_audit ON orders (next_audit_at, id)
    WHERE payment_state = 'paid' AND cancelled_at IS NULL;
