-- A review that an admin takes down leaves the lists and stays here, with whoever did it: its idempotency key must not write
-- it again, and whoever wrote it has written one.
ALTER TABLE reviews
    ADD COLUMN removed_at timestamptz,
    ADD COLUMN removed_by uuid REFERENCES accounts (id),
    ADD CONSTRAINT reviews_removal_is_whole CHECK ((removed_at IS NULL) = (removed_by IS NULL));

-- When somebody wrote their latest.
CREATE INDEX reviews_of_account ON reviews (account_id, created_at DESC);
