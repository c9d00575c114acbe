-- What a unit costs: for everybody by quantity, and for some customers by price lists.
SET LOCAL lock_timeout = '500ms';

-- Not validated: all of them are null. The ladder for everybody: [{"from": 200, "cents": 1110}, ...], by least quantity. The list price is not in it.
ALTER TABLE products
    ADD COLUMN tiers jsonb,
    ADD CONSTRAINT products_tiers_are_a_list CHECK (
        jsonb_typeof(tiers) = 'array' AND jsonb_array_length(tiers) BETWEEN 1 AND 20
    ) NOT VALID;

CREATE TABLE price_lists (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL CONSTRAINT price_lists_have_a_name CHECK (length(name) BETWEEN 1 AND 80),
    -- What is taken off the price for everybody, in hundredths of a per cent; without it the list has prices of its own.
    percent_bp integer CONSTRAINT price_lists_percent_is_one CHECK (percent_bp BETWEEN 1 AND 10000),
    -- Names the list that a price is said to come from if several have the same.
    priority integer NOT NULL DEFAULT 0 CONSTRAINT price_lists_priority_is_small CHECK (priority BETWEEN 0 AND 1000),
    valid_from timestamptz,
    valid_until timestamptz,

    CONSTRAINT price_lists_end_after_they_begin CHECK (valid_until > valid_from)
);
CREATE UNIQUE INDEX price_lists_by_name ON price_lists (lower(name));

CREATE TABLE price_list_accounts (
    list_id integer NOT NULL REFERENCES price_lists (id) ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES accounts (id),
    PRIMARY KEY (list_id, account_id)
);
CREATE INDEX price_lists_of_account ON price_list_accounts (account_id);

CREATE TABLE prices (
    list_id integer NOT NULL REFERENCES price_lists (id) ON DELETE CASCADE,
    product_id uuid NOT NULL REFERENCES products (id),
    min_quantity integer NOT NULL CONSTRAINT prices_from_a_quantity CHECK (min_quantity BETWEEN 1 AND 1000000000),
    unit_cents bigint NOT NULL CONSTRAINT prices_are_above_zero CHECK (unit_cents BETWEEN 1 AND 999999999),
    PRIMARY KEY (list_id, product_id, min_quantity)
);
CREATE INDEX prices_of_product ON prices (product_id);

-- Changes with every rule of prices but the list price itself, which orders compare by its value. Whoever has decided by
-- rules that he read before writes only if it is still the same.
CREATE TABLE price_epoch (
    one boolean PRIMARY KEY DEFAULT true CONSTRAINT price_epoch_is_one_row CHECK (one),
    epoch bigint NOT NULL
);
INSERT INTO price_epoch (epoch) VALUES (1);

CREATE FUNCTION prices_have_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE price_epoch SET epoch = epoch + 1;
    RETURN NULL;
END
$$;
CREATE TRIGGER tiers_change_prices AFTER UPDATE OF tiers ON products
    FOR EACH STATEMENT EXECUTE FUNCTION prices_have_changed();
CREATE TRIGGER lists_change_prices AFTER INSERT OR UPDATE OR DELETE ON price_lists
    FOR EACH STATEMENT EXECUTE FUNCTION prices_have_changed();
CREATE TRIGGER list_accounts_change_prices AFTER INSERT OR UPDATE OR DELETE ON price_list_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION prices_have_changed();
CREATE TRIGGER list_prices_change_prices AFTER INSERT OR UPDATE OR DELETE ON prices
    FOR EACH STATEMENT EXECUTE FUNCTION prices_have_changed();
