DROP TRIGGER baskets_go_with_account ON accounts;
DROP TABLE lists;
DROP TABLE carts;
DROP FUNCTION empty_baskets(), keep_lists_few();
