ALTER TABLE accounts DROP COLUMN photo_uploaded;
DROP INDEX sessions_closed;
ALTER TABLE sessions DROP COLUMN device, DROP COLUMN last_seen_at;
DROP INDEX login_guesses_from, login_guesses_of_device;
-- A known device's wrong passwords would count as strangers'.
DELETE FROM login_guesses WHERE device IS NOT NULL;
ALTER TABLE login_guesses DROP COLUMN beyond, DROP COLUMN device;
