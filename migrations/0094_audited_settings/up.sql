-- Triggers that note what admins change in accounts, prices, freight, taxes and webhooks.
-- Only in a transaction that is attributed to an admin: for all others each is a condition that is false. Their arguments are
-- explained above note_audited_row.
SET LOCAL lock_timeout = '500ms';

CREATE TRIGGER accounts_are_audited AFTER INSERT OR UPDATE OR DELETE ON accounts
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('account', 'id', '{}', '{password_hash,google_subject,google_issuer,search_key}', '{}');

CREATE TRIGGER price_lists_are_audited AFTER INSERT OR UPDATE OR DELETE ON price_lists
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('price_list', 'id', '{}', '{}', '{}');

CREATE TRIGGER prices_are_audited AFTER INSERT OR UPDATE OR DELETE ON prices
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('price', 'list_id', '{product_id}', '{}', '{min_quantity}');

CREATE TRIGGER price_list_accounts_are_audited AFTER INSERT OR UPDATE OR DELETE ON price_list_accounts
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('price_list_account', 'list_id', '{account_id}', '{}', '{}');

CREATE TRIGGER exemptions_are_audited AFTER INSERT OR UPDATE OR DELETE ON exemptions
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('exemption', 'id', '{account_id}', '{region_key}', '{}');

CREATE TRIGGER tax_rates_are_audited AFTER INSERT OR UPDATE OR DELETE ON tax_rates
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('tax_rate', 'id', '{}', '{region_key}', '{}');

CREATE TRIGGER shipping_methods_are_audited AFTER INSERT OR UPDATE OR DELETE ON shipping_methods
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('shipping_method', 'id', '{}', '{}', '{}');

CREATE TRIGGER seller_are_audited AFTER INSERT OR UPDATE OR DELETE ON seller
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('seller', '', '{}', '{}', '{}');

CREATE TRIGGER webhook_endpoints_are_audited AFTER INSERT OR UPDATE OR DELETE ON webhook_endpoints
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('webhook_subscription', 'id', '{}', '{secret,once_key,once_fingerprint}', '{}');
