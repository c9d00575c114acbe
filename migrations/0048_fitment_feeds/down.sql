ALTER TABLE fitment_sources DROP COLUMN feed_id;
