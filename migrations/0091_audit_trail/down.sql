DROP TABLE audit_pending;
DROP TABLE audit_head;
DROP TABLE audit_entries;
DROP FUNCTION keep_audit();
DROP FUNCTION chain_audit();
DROP FUNCTION note_audited_row();
DROP FUNCTION note_audit(text, text, text, text, text, text, text);
DROP FUNCTION audit_field(text);
