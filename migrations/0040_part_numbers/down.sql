DROP TRIGGER products_are_mirrored_when_changed ON products;
DROP TRIGGER products_are_mirrored_when_added ON products;
DROP TABLE product_search, synonyms, product_attributes, attributes, part_numbers;
DROP FUNCTION write_documents_of_numbers(), mirror_product(), mirror_new_products(), write_search_documents(integer[]);
DROP FUNCTION search_document(text, text, text), part_loose(text), part_key(text);
ALTER TABLE products
    DROP COLUMN replaced_by, DROP COLUMN height_mm, DROP COLUMN width_mm, DROP COLUMN length_mm, DROP COLUMN weight_grams,
    DROP COLUMN pack_size, DROP COLUMN universal, DROP COLUMN part_type_id, DROP COLUMN brand_id, DROP COLUMN no;
DROP TABLE part_types, brands;
DO $$
BEGIN
    DROP EXTENSION IF EXISTS pg_trgm;
EXCEPTION WHEN dependent_objects_still_exist OR insufficient_privilege THEN
    RAISE NOTICE 'pg_trgm stays: %', SQLERRM;
END
$$;
