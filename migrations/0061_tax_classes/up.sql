-- Whether a product is taxed. Not validated: all of them are.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE products
    ADD COLUMN tax_class text NOT NULL DEFAULT 'standard',
    ADD CONSTRAINT products_tax_class_is_known CHECK (tax_class IN ('standard', 'none')) NOT VALID;
