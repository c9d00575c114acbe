-- What was bought together: orders of one product each, with one number, one address and one payment.
SET LOCAL lock_timeout = '500ms';

CREATE SEQUENCE checkout_numbers AS bigint START 1001;
CREATE TABLE checkouts (
    id uuid PRIMARY KEY,
    number bigint NOT NULL CONSTRAINT checkouts_number UNIQUE DEFAULT nextval('checkout_numbers'),
    buyer_id uuid NOT NULL REFERENCES accounts (id),
    contact_name text NOT NULL CONSTRAINT checkouts_contact_name_is_short CHECK (length(contact_name) BETWEEN 1 AND 120),
    contact_email text NOT NULL CONSTRAINT checkouts_contact_email_is_one CHECK (is_lower_email(contact_email)),
    contact_phone text NOT NULL CONSTRAINT checkouts_contact_phone_is_short CHECK (length(contact_phone) BETWEEN 1 AND 40),
    -- {"company", "line1", "line2", "city", "region", "postcode", "country"}
    address jsonb NOT NULL CONSTRAINT checkouts_address_is_an_object CHECK (jsonb_typeof(address) = 'object'),
    po_number text CONSTRAINT checkouts_po_number_is_short CHECK (length(po_number) BETWEEN 1 AND 60),
    note text CONSTRAINT checkouts_note_is_short CHECK (length(note) BETWEEN 1 AND 1000),
    terms text NOT NULL CONSTRAINT checkouts_terms_are_known CHECK (terms IN ('card', 'account')),
    shipping_method_id integer,
    -- By name, as it was called then.
    shipping_method text CONSTRAINT checkouts_shipping_method_is_short CHECK (length(shipping_method) BETWEEN 1 AND 80),
    -- Of all lines, when they were placed; none while the freight waits for an admin's figure.
    goods_cents bigint NOT NULL CONSTRAINT checkouts_goods_fit CHECK (goods_cents BETWEEN 1 AND 99999999999999),
    shipping_cents bigint CONSTRAINT checkouts_shipping_fits CHECK (shipping_cents BETWEEN 0 AND 99999999999999),
    tax_cents bigint CONSTRAINT checkouts_tax_fits CHECK (tax_cents BETWEEN 0 AND 99999999999999),
    -- What the tax of each line is computed from, by line: [{"line", "name", "basisPoints"}].
    taxes jsonb NOT NULL DEFAULT '[]' CONSTRAINT checkouts_taxes_are_a_list CHECK (jsonb_typeof(taxes) = 'array'),
    placed_at timestamptz NOT NULL,
    search_key text NOT NULL,
    once_key bytea CONSTRAINT checkouts_once_key_is_a_hash CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CONSTRAINT checkouts_once_fingerprint_is_a_hash CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT checkouts_once UNIQUE (buyer_id, once_key),
    CONSTRAINT checkouts_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL)),
    CONSTRAINT checkouts_tax_waits_with_shipping CHECK ((shipping_cents IS NULL) = (tax_cents IS NULL))
);
CREATE INDEX checkouts_of_buyer ON checkouts (buyer_id, id);

ALTER TABLE orders
    ADD COLUMN checkout_id uuid,
    ADD COLUMN line smallint,
    -- This order's parts of the checkout's freight and tax: what is due is total + shipping + tax.
    ADD COLUMN shipping_cents bigint NOT NULL DEFAULT 0,
    ADD COLUMN tax_cents bigint NOT NULL DEFAULT 0,
    -- Its freight, and so what is due, is still to be said by an admin.
    ADD COLUMN awaits_freight boolean NOT NULL DEFAULT false,
    ADD COLUMN po_number text,
    ADD CONSTRAINT orders_po_number_is_short CHECK (length(po_number) BETWEEN 1 AND 60) NOT VALID,
    ADD CONSTRAINT orders_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id) NOT VALID,
    ADD CONSTRAINT orders_line_is_of_a_checkout CHECK (
        (checkout_id IS NULL) = (line IS NULL) AND (line IS NULL OR line BETWEEN 1 AND 1000)
    ) NOT VALID,
    ADD CONSTRAINT orders_shipping_fits CHECK (shipping_cents BETWEEN 0 AND 99999999999999) NOT VALID,
    ADD CONSTRAINT orders_tax_fits CHECK (tax_cents BETWEEN 0 AND 99999999999999) NOT VALID;

-- A payment is of an order or of a checkout.
ALTER TABLE payment_intents
    ALTER COLUMN order_id DROP NOT NULL,
    ADD COLUMN checkout_id uuid,
    ADD CONSTRAINT payment_intents_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id) NOT VALID,
    ADD CONSTRAINT payment_intents_pay_one_thing CHECK (num_nonnulls(order_id, checkout_id) = 1) NOT VALID;

-- How much of a checkout's payment is for which of its orders.
CREATE TABLE payment_shares (
    intent_id text NOT NULL REFERENCES payment_intents (id),
    order_id uuid NOT NULL REFERENCES orders (id),
    cents bigint NOT NULL CONSTRAINT payment_shares_are_above_zero CHECK (cents BETWEEN 1 AND 99999999999999),
    PRIMARY KEY (intent_id, order_id)
);
CREATE INDEX payment_shares_of_order ON payment_shares (order_id);
