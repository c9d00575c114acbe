DROP TRIGGER exemptions_go_with_account ON accounts;
DROP TABLE exemptions, tax_rates, shipping_methods;
DROP FUNCTION end_exemptions(), tax_rates_share_no_day();
