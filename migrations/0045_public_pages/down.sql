DROP TRIGGER products_are_dated ON products;
DROP FUNCTION date_product_change();
ALTER TABLE products DROP COLUMN changed_at;
