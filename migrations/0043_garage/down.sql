ALTER TABLE orders DROP COLUMN vehicle;
DROP TRIGGER garage_goes_with_account ON accounts;
DROP TABLE garage;
DROP FUNCTION empty_garage(), keep_garage_small();
