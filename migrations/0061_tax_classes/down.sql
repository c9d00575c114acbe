ALTER TABLE products DROP COLUMN tax_class;
