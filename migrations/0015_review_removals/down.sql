DROP INDEX reviews_of_account;
-- What was taken down stays down: the program before knows only whether a review is there.
DELETE FROM reviews WHERE removed_at IS NOT NULL;
ALTER TABLE reviews
    DROP CONSTRAINT reviews_removal_is_whole,
    DROP COLUMN removed_by,
    DROP COLUMN removed_at;
