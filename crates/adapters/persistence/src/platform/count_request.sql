-- Counts one request of a client, if it has any left of its burst. Otherwise it says how long the client has to wait, in
-- microseconds; nothing if another request came first at this very moment.
WITH let_in AS (
    INSERT INTO rate_limits AS r (client, limited, spent_until)
    VALUES (:client, :limited, clock_timestamp() + :interval_micros * interval '1 microsecond')
    ON CONFLICT (client, limited) DO UPDATE
    -- No burst leaves as much ahead as the second condition says: the clock was set back, or the limit was another one. Nobody is
    -- to wait for that.
    SET spent_until = CASE
            WHEN r.spent_until > clock_timestamp() + (:ahead_micros + 2 * :interval_micros) * interval '1 microsecond'
                THEN clock_timestamp()
            ELSE greatest(r.spent_until, clock_timestamp())
        END + :interval_micros * interval '1 microsecond'
    WHERE r.spent_until <= clock_timestamp() + :ahead_micros * interval '1 microsecond'
        OR r.spent_until > clock_timestamp() + (:ahead_micros + 2 * :interval_micros) * interval '1 microsecond'
    RETURNING 1
)
SELECT 0::bigint AS wait_micros FROM let_in
UNION ALL
SELECT greatest(1, ceil(extract(epoch FROM spent_until - clock_timestamp()) * 1000000) - :ahead_micros)::bigint
FROM rate_limits
WHERE client = :client AND limited = :limited AND NOT EXISTS (SELECT FROM let_in)
