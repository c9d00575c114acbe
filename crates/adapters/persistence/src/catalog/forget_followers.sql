-- A shop that has had no search engine for a week has no followers, so that changes are no longer written down. An engine that
-- comes back later is filled anew.
DELETE FROM catalogue_followers
WHERE EXISTS (SELECT FROM catalogue_lease WHERE until < clock_timestamp() - interval '7 days')
