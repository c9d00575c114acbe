-- The changes that a transaction has noted need not survive a crash, but the sequence that numbers them has to. As a part of an
-- unlogged table it is unlogged too, and a standby that is promoted before its next checkpoint has an empty file instead ("bad
-- magic number in sequence"): from then on no admin could change anything. A sequence of its own is logged. The damaged one is
-- dropped without being read.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE audit_pending ALTER COLUMN id DROP IDENTITY;
CREATE SEQUENCE audit_pending_numbers OWNED BY audit_pending.id;
ALTER TABLE audit_pending ALTER COLUMN id SET DEFAULT nextval('audit_pending_numbers');
