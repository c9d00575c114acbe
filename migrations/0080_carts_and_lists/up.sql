-- What accounts are about to order, and what they order again and again. Lines are read and written together, and never looked for
-- by their products: [{"product", "units", "cents"}], cents being what the buyer was shown.
CREATE TABLE carts (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    lines jsonb NOT NULL,
    -- Counts the changes; whoever saves names the version that they saw.
    version bigint NOT NULL CONSTRAINT carts_version_counts CHECK (version >= 1),
    saved_at timestamptz NOT NULL,

    CONSTRAINT carts_have_at_most_1000_lines CHECK (
        jsonb_typeof(lines) = 'array' AND jsonb_array_length(lines) <= 1000
    )
);

CREATE TABLE lists (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL CONSTRAINT lists_name_is_short CHECK (length(name) BETWEEN 1 AND 80),
    lines jsonb NOT NULL,
    changed_at timestamptz NOT NULL,
    once_key bytea CONSTRAINT lists_once UNIQUE CONSTRAINT lists_once_key_is_a_hash CHECK (octet_length(once_key) = 32),
    once_fingerprint bytea CONSTRAINT lists_once_fingerprint_is_a_hash CHECK (octet_length(once_fingerprint) = 32),

    CONSTRAINT lists_have_at_most_1000_lines CHECK (
        jsonb_typeof(lines) = 'array' AND jsonb_array_length(lines) <= 1000
    ),
    CONSTRAINT lists_once_is_whole CHECK ((once_key IS NULL) = (once_fingerprint IS NULL))
);
CREATE INDEX lists_of_account ON lists (account_id, id);

-- Two that are added at once would not see each other: the account is locked, and then counted anew.
CREATE FUNCTION keep_lists_few() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM accounts WHERE id = NEW.account_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM lists WHERE account_id = NEW.account_id) >= 200 THEN
        RAISE EXCEPTION 'an account has at most 200 lists'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'lists_are_at_most_200';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER lists_stay_few BEFORE INSERT ON lists
    FOR EACH ROW EXECUTE FUNCTION keep_lists_few();

-- An account is kept for its orders when it is removed, by this program or the previous one; what it was about to order is not.
CREATE FUNCTION empty_baskets() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM carts WHERE account_id = NEW.id;
    DELETE FROM lists WHERE account_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER baskets_go_with_account AFTER UPDATE OF removed_at ON accounts
    FOR EACH ROW WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
    EXECUTE FUNCTION empty_baskets();
