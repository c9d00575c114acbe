DROP TRIGGER addresses_go_with_account ON accounts;
DROP TABLE addresses;
DROP FUNCTION empty_address_book(), keep_address_book_small();
