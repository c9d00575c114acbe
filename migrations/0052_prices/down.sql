DROP TRIGGER tiers_change_prices ON products;
DROP TABLE price_epoch, prices, price_list_accounts, price_lists;
DROP FUNCTION prices_have_changed();
ALTER TABLE products DROP COLUMN tiers;
