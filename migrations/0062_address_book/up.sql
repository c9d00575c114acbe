-- Addresses that customers keep.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE addresses (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL CONSTRAINT addresses_have_a_name CHECK (length(name) BETWEEN 1 AND 120),
    phone text CONSTRAINT addresses_phone_is_short CHECK (length(phone) BETWEEN 1 AND 40),
    -- {"company", "line1", "line2", "city", "region", "postcode", "country"}, as in checkouts.
    address jsonb NOT NULL CONSTRAINT addresses_are_objects CHECK (jsonb_typeof(address) = 'object'),
    is_default boolean NOT NULL,
    added_at timestamptz NOT NULL,
    once_key bytea CONSTRAINT addresses_once UNIQUE CONSTRAINT addresses_once_key_is_a_hash CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CONSTRAINT addresses_once_fingerprint_is_a_hash CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT addresses_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL))
);
CREATE INDEX addresses_of_account ON addresses (account_id, added_at DESC, id DESC);
CREATE UNIQUE INDEX addresses_one_default ON addresses (account_id) WHERE is_default;

-- Two that are added at once would not see each other: the account is locked, and then counted anew.
CREATE FUNCTION keep_address_book_small() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM accounts WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM addresses WHERE account_id = NEW.account_id) >= 200 THEN
        RAISE EXCEPTION 'an address book has at most 200 addresses'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'addresses_are_at_most_200';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER address_book_stays_small BEFORE INSERT ON addresses
    FOR EACH ROW EXECUTE FUNCTION keep_address_book_small();

-- An account is kept for its orders when it is removed; where its owner lives is not.
CREATE FUNCTION empty_address_book() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM addresses WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER addresses_go_with_account AFTER UPDATE OF removed_at ON accounts
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
    EXECUTE FUNCTION empty_address_book();
