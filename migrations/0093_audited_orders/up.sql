-- Triggers that note what admins do with orders, their payments and their documents.
-- Only in a transaction that is attributed to an admin: for all others each is a condition that is false. Their arguments are
-- explained above note_audited_row.
SET LOCAL lock_timeout = '500ms';

CREATE TRIGGER orders_are_audited AFTER INSERT OR UPDATE OR DELETE ON orders
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'order', 'id', '{checkout_id}', '{once_key,once_fingerprint,search_key,next_audit_at,lapse_attempts}', '{}');

CREATE TRIGGER checkouts_are_audited AFTER INSERT OR UPDATE OR DELETE ON checkouts
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('checkout', 'id', '{}', '{once_key,once_fingerprint,search_key}', '{}');

CREATE TRIGGER shipments_are_audited AFTER INSERT OR UPDATE OR DELETE ON shipments
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('shipment', 'id', '{order_id}', '{once_key,once_fingerprint}', '{}');

CREATE TRIGGER refunds_are_audited AFTER INSERT OR UPDATE OR DELETE ON refunds
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'refund', 'id', '{order_id}', '{once_key,once_fingerprint,actor_id,actor_email,changed_at}', '{}');

CREATE TRIGGER disputes_are_audited AFTER INSERT OR UPDATE OR DELETE ON disputes
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('dispute', 'id', '{order_id}', '{changed_at}', '{}');

CREATE TRIGGER returns_are_audited AFTER INSERT OR UPDATE OR DELETE ON returns
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('return', 'id', '{order_id}', '{once_key,once_fingerprint}', '{}');

CREATE TRIGGER notes_are_audited AFTER INSERT OR UPDATE OR DELETE ON notes
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'note', 'id', '{order_id,account_id}', '{once_key,once_fingerprint,author_id,author_email}', '{}');

CREATE TRIGGER invoices_are_audited AFTER INSERT OR UPDATE OR DELETE ON invoices
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('invoice', 'id', '{order_id,checkout_id}', '{data}', '{}');

CREATE TRIGGER outbox_are_audited AFTER UPDATE ON outbox
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('delivery', 'id', '{order_id,checkout_id}', '{event_id}', '{channel,topic}');
