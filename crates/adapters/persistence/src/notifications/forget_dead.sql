DELETE FROM outbox WHERE id = ANY (ARRAY (
    SELECT id FROM outbox WHERE state = 'dead' AND created_at < :created_before
    ORDER BY id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
