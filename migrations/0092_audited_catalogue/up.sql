-- Triggers that note what admins change in the catalogue.
-- Only in a transaction that is attributed to an admin: for all others each is a condition that is false. Their arguments are
-- explained above note_audited_row.
SET LOCAL lock_timeout = '500ms';

CREATE TRIGGER products_are_audited AFTER INSERT OR UPDATE OR DELETE ON products
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'product', 'id', '{}', '{once_key,once_fingerprint,name_key,search_key,changed_at}', '{}');

CREATE TRIGGER product_pictures_are_audited AFTER INSERT OR UPDATE OR DELETE ON product_pictures
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('picture', '', '{product_no}', '{}', '{place}');

CREATE TRIGGER product_attributes_are_audited AFTER INSERT OR UPDATE OR DELETE ON product_attributes
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('product_attribute', '', '{product_no}', '{words_key}', '{attribute_id,place}');

CREATE TRIGGER attributes_are_audited AFTER INSERT OR UPDATE OR DELETE ON attributes
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('attribute', 'id', '{}', '{name_key}', '{}');

CREATE TRIGGER part_numbers_are_audited AFTER INSERT OR UPDATE OR DELETE ON part_numbers
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('part_number', 'id', '{product_no}', '{key,loose}', '{kind,shown}');

CREATE TRIGGER fitments_are_audited AFTER INSERT OR UPDATE OR DELETE ON fitments
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'fitment', '', '{product_no}', '{}', '{vehicle_id,part_type_id,engine_id,condition_id,position}');

CREATE TRIGGER brands_are_audited AFTER INSERT OR UPDATE OR DELETE ON brands
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('brand', 'id', '{}', '{name_key}', '{}');

CREATE TRIGGER part_types_are_audited AFTER INSERT OR UPDATE OR DELETE ON part_types
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('part_type', 'id', '{}', '{name_key}', '{}');

CREATE TRIGGER synonyms_are_audited AFTER INSERT OR UPDATE OR DELETE ON synonyms
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('synonym', 'id', '{}', '{}', '{}');

CREATE TRIGGER stock_corrections_are_audited AFTER INSERT OR UPDATE OR DELETE ON stock_corrections
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('stock_correction', 'id', '{product_id}', '{once_key,actor_id,actor_email}', '{}');

CREATE TRIGGER imports_are_audited AFTER INSERT OR UPDATE OR DELETE ON imports
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('import', 'id', '{}', '{once_key,once_fingerprint,actor_id,actor_email}', '{}');

CREATE TRIGGER feeds_are_audited AFTER INSERT OR UPDATE OR DELETE ON feeds
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row(
        'feed', 'id', '{}', '{once_key,sha256,actor_id,actor_email,changed_at,progress}', '{kind,mode,row_count,added,changed,same,refused,archived}');

CREATE TRIGGER reviews_are_audited AFTER INSERT OR UPDATE OR DELETE ON reviews
    FOR EACH ROW WHEN (coalesce(current_setting('driveline.audit', true), '') <> '')
    EXECUTE FUNCTION note_audited_row('review', 'id', '{product_id}', '{once_key,once_fingerprint}', '{}');
