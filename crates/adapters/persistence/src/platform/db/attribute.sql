-- Attributes what this transaction changes from here on: triggers note it. Local to the transaction, so that a pooler may give
-- the session to somebody else afterwards. Returns what was set.
SELECT set_config('driveline.audit', :attribution, true)
