-- Discards due e-mails of a topic to addresses that have no account.

DELETE FROM outbox WHERE id = ANY (ARRAY (
    SELECT id FROM outbox
    WHERE state = 'waiting' AND channel = 'mail' AND topic = :topic AND due_at <= now()
        AND NOT EXISTS (SELECT FROM accounts WHERE email = outbox.email AND removed_at IS NULL)
    ORDER BY due_at, id
    LIMIT :limit
    FOR UPDATE SKIP LOCKED));
