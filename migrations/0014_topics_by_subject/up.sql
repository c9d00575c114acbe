-- What a topic is about follows from its first word, so that a new topic needs no new constraint. Which topics there are is
-- the program's to say; it leaves those that it does not know to copies that do.
ALTER TABLE outbox
    DROP CONSTRAINT outbox_subject_fits_topic,
    ADD CONSTRAINT outbox_subject_fits_topic CHECK (
        CASE split_part(topic, '.', 1)
            WHEN 'order' THEN order_id IS NOT NULL AND event_id IS NOT NULL
            WHEN 'account' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            WHEN 'webhook' THEN channel = 'mail' AND order_id IS NULL AND event_id IS NULL
            ELSE false
        END
    ) NOT VALID;
ALTER TABLE outbox VALIDATE CONSTRAINT outbox_subject_fits_topic;
