DROP TRIGGER order_events_pay_checkouts ON order_events;
DROP FUNCTION checkout_paid_to_endpoints();
DROP FUNCTION checkout_to_endpoints(uuid, text, timestamptz);
DELETE FROM outbox WHERE checkout_id IS NOT NULL;
UPDATE webhook_endpoints SET removed_at = coalesce(removed_at, now()), secret = NULL, once_key = NULL, once_fingerprint = NULL,
    topics = '{order.paid}'
WHERE topics && ARRAY['checkout.placed', 'checkout.paid'];
ALTER TABLE webhook_endpoints
    DROP CONSTRAINT webhook_endpoints_want_something_that_is_told,
    ADD CONSTRAINT webhook_endpoints_want_something_that_is_told CHECK (
        cardinality(topics) BETWEEN 1 AND 5
        AND topics <@ ARRAY['order.ordered', 'order.paid', 'order.shipped', 'order.cancelled', 'order.refunded']
    ) NOT VALID;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_subject_fits_topic,
    DROP COLUMN checkout_id,
    ADD CONSTRAINT outbox_subject_fits_topic CHECK (
        CASE split_part(topic, '.', 1)
            WHEN 'order' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'account' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            WHEN 'webhook' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            ELSE false
        END
    ) NOT VALID;
