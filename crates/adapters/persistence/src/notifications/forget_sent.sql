DELETE FROM outbox WHERE id = ANY (ARRAY (
    SELECT id FROM outbox WHERE state = 'sent' AND sent_at < :sent_before
    ORDER BY sent_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
