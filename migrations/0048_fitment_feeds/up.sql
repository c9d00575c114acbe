-- The feed that a source is; null for what the shop enters and for other lists. No foreign key, as that of numbers.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE fitment_sources ADD COLUMN feed_id integer;
