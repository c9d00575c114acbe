-- Under a lock that holds nobody up; the step before only said what holds from then on.
ALTER TABLE webhook_endpoints VALIDATE CONSTRAINT webhook_endpoints_added_by_fkey;
