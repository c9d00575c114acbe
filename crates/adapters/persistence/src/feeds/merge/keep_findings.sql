DELETE FROM feed_findings WHERE feed_id = (SELECT feed_id FROM feed_job);
-- If there are too many, those that refuse rows are kept.
INSERT INTO feed_findings (feed_id, no, line, field, reason, message)
SELECT job.feed_id, row_number() OVER (ORDER BY line, field, message), line, field, reason, message
FROM feed_job AS job, (
    SELECT * FROM feed_problems
    ORDER BY reason IN (SELECT reason FROM feed_notices), line, field, message LIMIT 10000
) AS first;
