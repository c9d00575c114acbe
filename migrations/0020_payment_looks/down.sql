DROP INDEX orders_to_audit;
ALTER TABLE orders DROP COLUMN next_audit_at;
DROP INDEX payment_intents_odd;
DROP INDEX payment_intents_next;
ALTER TABLE payment_intents
    DROP COLUMN mismatched_at,
    DROP COLUMN unknown_since,
    DROP COLUMN asked_at,
    DROP COLUMN next_look_at,
    DROP COLUMN ended;
