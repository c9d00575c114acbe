DROP TABLE payment_shares;
DELETE FROM payment_intents WHERE order_id IS NULL;
ALTER TABLE payment_intents DROP COLUMN checkout_id, ALTER COLUMN order_id SET NOT NULL;
ALTER TABLE orders DROP COLUMN checkout_id, DROP COLUMN line, DROP COLUMN shipping_cents, DROP COLUMN tax_cents, DROP COLUMN awaits_freight, DROP COLUMN po_number;
DROP TABLE checkouts;
DROP SEQUENCE checkout_numbers;
