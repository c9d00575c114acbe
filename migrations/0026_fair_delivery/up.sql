-- How a webhook subscription fares: after some failures in a row it is tried now and then only, and after days of nothing else
-- it is disabled.
ALTER TABLE webhook_endpoints
    ADD COLUMN failures integer NOT NULL DEFAULT 0,
    ADD COLUMN failing_since timestamptz,
    ADD COLUMN next_try_at timestamptz,
    ADD COLUMN disabled_reason text;

-- An e-mail may be about a webhook subscription too. Every row satisfied the rule of before, so none needs to be looked at.
ALTER TABLE outbox
    DROP CONSTRAINT outbox_webhooks_have_an_endpoint,
    ADD CONSTRAINT outbox_webhooks_have_an_endpoint CHECK (
        CASE channel
            WHEN 'webhook' THEN endpoint_id IS NOT NULL
            ELSE endpoint_id IS NULL OR split_part(topic, '.', 1) = 'webhook'
        END
    ) NOT VALID;

-- What is due of one kind, or for one subscription, is found without reading what is due of the others.
CREATE INDEX outbox_due_by_topic ON outbox (channel, topic, due_at, id) WHERE state = 'waiting';
CREATE INDEX outbox_due_by_endpoint ON outbox (endpoint_id, due_at, id)
    WHERE state = 'waiting' AND endpoint_id IS NOT NULL;
CREATE INDEX outbox_waiting_for ON outbox (email) WHERE state = 'waiting' AND email IS NOT NULL;

-- Anybody may ask for these e-mails, as often as they like: one of a kind and an address waits at a time. A trigger and not a
-- unique index, because the previous program, which knows nothing of it, goes on asking.
CREATE FUNCTION one_waiting_email() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    -- Of two who ask at the same moment the second waits, and then sees the first one's row.
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.topic || ' ' || NEW.email, 26));
    IF EXISTS (SELECT FROM outbox WHERE state = 'waiting' AND email = NEW.email AND topic = NEW.topic) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER outbox_keeps_one_waiting_email BEFORE INSERT ON outbox
    FOR EACH ROW WHEN (NEW.topic IN ('account.verify', 'account.reset')) EXECUTE FUNCTION one_waiting_email();
