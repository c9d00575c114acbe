-- Notes something that changes no row: it becomes an entry when the transaction commits. Fails in a transaction that is attributed
-- to nobody.
SELECT note_audit(:kind, 'done', :target, NULL, NULL, NULL, :details)
